"""Learning a board that nobody has described: what to ask, what follows from the answers. No I/O, no clock."""
