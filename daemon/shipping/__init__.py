"""The way out of a node: what the journal has and the hall has not is sent there, by a process of its own."""
