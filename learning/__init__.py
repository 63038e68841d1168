"""Learns the table of an unknown board: what to ask, and what follows from the answers. No I/O, no clock."""
