"""The hall, with the real PostgreSQL."""
