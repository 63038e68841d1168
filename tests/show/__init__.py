"""Lights, web hooks and callers."""
