"""One match in two houses: two daemons, their own brokers, and one that both reach."""
