"""The journal: writing, reading, checking and salvaging it."""
