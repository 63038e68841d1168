"""The target-by-round family: a dart counts for the target of its round, or not at all."""
