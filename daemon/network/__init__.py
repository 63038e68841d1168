"""What every server of the daemon shares: bounds on connections and on work, and how a request is read."""
