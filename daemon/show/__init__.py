"""Lights, sounds and callers: an MQTT client in a process of its own, so that none of them can delay a dart.

An event comes from the bus (`app.py`), becomes a cue with the facts that a rule can ask for (`cues.py`), and is sent by
each rule that it fulfils (`rules.py`) to WLED, web hooks, MQTT topics and the board's pages (`outputs.py`), and to
programs made for darts-caller (`caller_words.py`, `caller_door.py`).

Not chosen: a task inside the daemon. A queue there would be as quick, but its work would be done between two darts, and
a fault of it would be the daemon's.
"""
