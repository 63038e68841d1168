"""One board and the match on it: from a board's events to the states that displays show."""
