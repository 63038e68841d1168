"""The pages of a hall: live boards, matches, players and ladders. Made here as HTML; a small script keeps boards live."""
