-- The index of a hall. All of it can be built again from the nodes; only nodes, codes and forgotten players cannot.

CREATE TABLE hall (
    one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one),
    id TEXT NOT NULL,
    epoch BIGINT NOT NULL DEFAULT 1
);
COMMENT ON COLUMN hall.epoch IS 'Part of the epoch in every answer: when that changes, nodes send everything again.';

CREATE TABLE node (
    name TEXT PRIMARY KEY,
    public_key BYTEA NOT NULL,
    former_keys BYTEA[] NOT NULL DEFAULT '{}',
    token_hash BYTEA NOT NULL UNIQUE,
    joined TIMESTAMPTZ NOT NULL DEFAULT now(),
    revoked TIMESTAMPTZ,
    seen TIMESTAMPTZ,
    waiting BIGINT NOT NULL DEFAULT 0,
    refusals BIGINT NOT NULL DEFAULT 0,
    last_refusal TEXT
);
COMMENT ON COLUMN node.waiting IS 'How many lines and finished matches the node has that are not here yet, as it says.';

CREATE TABLE code (
    code_hash BYTEA PRIMARY KEY,
    expires TIMESTAMPTZ NOT NULL,
    replaces TEXT REFERENCES node (name),
    used_by BYTEA
);
COMMENT ON COLUMN code.replaces IS 'The node whose key the code replaces: a machine that was set up again.';
COMMENT ON COLUMN code.used_by IS 'The public key that used the code: it may ask again, for its answer can get lost.';

CREATE TABLE match (
    number BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
    node TEXT NOT NULL REFERENCES node (name),
    id TEXT NOT NULL,
    board TEXT NOT NULL,
    header TEXT NOT NULL,
    started TEXT NOT NULL,
    have INTEGER NOT NULL DEFAULT 0,
    is_over BOOLEAN NOT NULL DEFAULT FALSE,
    changed TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (node, id)
);
COMMENT ON TABLE match IS 'Every match, running or over. header is JSON without names: the players are Player 1, Player 2.';
CREATE INDEX match_running ON match (changed) WHERE NOT is_over;

CREATE TABLE line (
    match BIGINT NOT NULL REFERENCES match (number) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (match, n)
);
COMMENT ON TABLE line IS 'The actions of the matches that run. Deleted when the file of the match is here.';

CREATE TABLE file (
    match BIGINT PRIMARY KEY REFERENCES match (number) ON DELETE CASCADE,
    edition INTEGER NOT NULL,
    digest TEXT NOT NULL,
    signature TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT NOT NULL,
    text TEXT NOT NULL,
    figures JSONB,
    figures_version INTEGER NOT NULL DEFAULT 0
);
COMMENT ON TABLE file IS 'The matches that are over: a signed match file each. figures is what the rules make of it: NULL for a game that is not installed here.';
ALTER TABLE file ALTER COLUMN text SET COMPRESSION lz4;
CREATE INDEX file_started ON file (started DESC);

CREATE TABLE edition (
    match BIGINT NOT NULL REFERENCES match (number) ON DELETE CASCADE,
    edition INTEGER NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (match, edition)
);
COMMENT ON TABLE edition IS 'The digests of all editions; the text of the last one alone is kept.';

CREATE TABLE seat (
    match BIGINT NOT NULL REFERENCES match (number) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    player TEXT,
    name TEXT NOT NULL,
    bot DOUBLE PRECISION,
    signature TEXT NOT NULL,
    PRIMARY KEY (match, seat)
);
COMMENT ON TABLE seat IS 'Who sat where. Forgetting a player deletes their rows; a seat without a row is shown as Player N.';
CREATE INDEX seat_player ON seat (player);

CREATE TABLE forgotten (
    node TEXT NOT NULL REFERENCES node (name),
    player TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (node, player)
);
COMMENT ON TABLE forgotten IS 'The ids of forgotten players: a seat that names one is not stored, also not from a backup.';
