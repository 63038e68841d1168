"""Sends to the hall what it lacks of the journal, by a process of its own."""
