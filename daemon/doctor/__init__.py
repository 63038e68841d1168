"""`oche doctor`: what is wrong on this machine, and what to do."""
