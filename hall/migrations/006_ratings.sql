-- One rating of each player over the matches of all nodes. It is worked out again from the results whenever they have changed.

CREATE TABLE rating (
    player TEXT PRIMARY KEY,
    mean DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    matches INTEGER NOT NULL
);
CREATE TABLE rated (
    one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one),
    due BOOLEAN NOT NULL DEFAULT TRUE
);
COMMENT ON TABLE rated IS 'Whether results have changed since the ratings were worked out.';
INSERT INTO rated DEFAULT VALUES;
