"""The games, by name: an explicit table, so that a reader finds them and an import costs what is used."""
