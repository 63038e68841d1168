"""What is shown of the matches in the journal: lists, replays, statistics."""
