"""What lasts: the journal, and what it says of the matches that were played."""
