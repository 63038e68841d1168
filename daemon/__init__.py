"""The only room with I/O, in rooms of its own: docs/development.md has their map.

Read `session/board_session.py` first: it is the way of a dart from bytes to screens.
"""
