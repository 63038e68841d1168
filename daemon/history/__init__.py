"""What is shown of matches that were played: lists, replays, statistics."""
