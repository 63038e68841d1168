-- One rating of each player over the matches of all nodes. It is worked out again from the results whenever they have changed.

CREATE TABLE rating (
    player TEXT PRIMARY KEY,
    mean DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    matches INTEGER NOT NULL
);
CREATE TABLE to_rate (place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
COMMENT ON TABLE to_rate IS 'A row for each change of results since the ratings were worked out. Rows are only added: who counts never waits for who rates.';
INSERT INTO to_rate DEFAULT VALUES;
