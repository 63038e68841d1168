"""The tournament of a node: its file, its boards, and what it publishes."""
