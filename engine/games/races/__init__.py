"""Races, eliminations and Cricket crazes: games of the kit, one a file."""
