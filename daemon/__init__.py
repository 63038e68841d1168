"""The only room with I/O: links, the table, the journal, the bus, the web server and the command line.

Read `table.py` first: it is the way of a dart from bytes to screens.
"""
