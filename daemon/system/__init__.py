"""The machine: configuration, addresses, file rights, the terminal, the installed models and games."""
