"""The hall: takes the matches of many nodes into PostgreSQL, checks and shows them. Never imports the daemon."""
