"""Bytes to contacts: one file per dialect, no I/O, no clock."""
