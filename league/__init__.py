"""Tournaments and leagues as pure values: draws, fixtures, results, tables and seasons. No I/O, no clock, no chance."""
