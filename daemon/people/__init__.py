"""Users, roles, passwords and pairing codes; the cards, pictures, sounds and hands of players."""
