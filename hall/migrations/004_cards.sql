-- Cards of players: the key that signs them, and which were made. Nodes cannot send these again: only a backup has them.

ALTER TABLE hall ADD COLUMN league_key BYTEA;
COMMENT ON COLUMN hall.league_key IS 'The private key of the league (Ed25519), made when it is first needed.';

CREATE TABLE card (
    player TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    until DATE NOT NULL,
    made TIMESTAMPTZ NOT NULL DEFAULT now(),
    revoked TIMESTAMPTZ
);
COMMENT ON TABLE card IS 'The players with a card. The card itself is not stored: it can be signed again. Forgetting a player empties the name.';
