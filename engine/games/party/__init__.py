"""Games on squares, numbers as places, or a hidden map, and those of a party."""
