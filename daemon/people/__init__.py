"""Who may do what: roles, passwords, and the codes that let people in."""
