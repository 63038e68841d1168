"""Links to boards: finding them, opening them, reading their bytes, and connecting again."""
