"""How a player's darts scatter, fitted from what they threw, and where they should aim. Pure; needs numpy."""
