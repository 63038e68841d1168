"""The centre of many nodes: takes their matches into PostgreSQL, checks and shows them. Never imports the daemon."""
