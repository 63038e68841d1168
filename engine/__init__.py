"""Hits to scores: segments, geometry, faces, the match and the games.

Pure and total: no I/O, no clock, no random numbers; imports only the standard library.
"""
