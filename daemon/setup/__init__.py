"""The first run: `oche setup` in the terminal and in the browser."""
