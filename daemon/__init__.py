"""The only room with I/O: links, the table, the journal, the bus, the web server and the command line.

Read `table.py` first: it is the way of a dart from bytes to screens. What a dart meets on it is beside it; the
rooms are `links/` (to the boards), `record/` (what lasts), `mqtt/` (to everyone who watches), `pages/` (the web
server), `people/` (who may do what) and `cli/` (the other commands).
"""
