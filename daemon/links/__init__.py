"""The ways to a board: what is plugged in, which board it is, its bytes, and trying again for ever."""
