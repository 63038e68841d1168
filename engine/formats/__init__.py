"""Formats over games: several legs of one game, or of several games, and the throw for the bull before them."""
