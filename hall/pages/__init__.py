"""The pages of a hall: live boards, matches, players and ladders. A small script keeps boards live."""
