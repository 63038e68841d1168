-- A node has names hidden at other nodes only for players who have played there: it knows no others to forget.

ALTER TABLE forgotten ADD COLUMN everywhere BOOLEAN NOT NULL DEFAULT TRUE;
COMMENT ON COLUMN forgotten.everywhere IS 'Whether the player is named for none: the node had a match with them. If not, their seats at this node alone are not stored.';

CREATE OR REPLACE VIEW shown_seat AS
    SELECT match, seat, player, name, bot FROM seat
    WHERE NOT EXISTS (SELECT FROM forgotten WHERE forgotten.player = seat.player AND forgotten.everywhere);
COMMENT ON VIEW shown_seat IS 'The seats that pages may name: who is forgotten at a node where they have played is named for none.';
