"""The count-up family: a turn has a total, and a rule says what it does to the score."""
