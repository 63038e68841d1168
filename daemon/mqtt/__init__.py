"""The way to everyone who watches: the bus, and the broker behind it, our own or one outside."""
