"""The web server: the pages, who may see them, and their way to the broker."""
