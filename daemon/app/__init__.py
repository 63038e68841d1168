"""The program: it opens every room, keeps the boards running and ends in order."""
