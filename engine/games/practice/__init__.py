"""Practice drills, alone or as a contest: games of the kit, one a file."""
