"""The web server: the pages, who may see them, and the WebSocket proxy to the broker."""
