-- What the pages need beside the matches: a row for each seat of a finished match, and which matches are still to be counted.

CREATE TABLE result (
    match BIGINT NOT NULL REFERENCES match (number) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    game TEXT NOT NULL,
    started TEXT NOT NULL,
    finished BOOLEAN NOT NULL,
    won BOOLEAN NOT NULL,
    drawn BOOLEAN NOT NULL,
    average DOUBLE PRECISION,
    darts INTEGER,
    PRIMARY KEY (match, seat)
);
COMMENT ON TABLE result IS 'How a finished match ended for each seat: what ladders add up. Never who sat there: that is in seat alone.';
COMMENT ON COLUMN result.finished IS 'FALSE for a match that was stopped: it counts nothing.';
CREATE INDEX result_started ON result (started);

CREATE TABLE to_count (
    place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    match BIGINT NOT NULL
);
COMMENT ON TABLE to_count IS 'The matches whose file has changed since their results were counted. A match can be here more than once.';

CREATE FUNCTION count_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    -- Rows are only added here: who stores a match never waits for who counts.
    INSERT INTO to_count (match) SELECT match FROM changed;
    RETURN NULL;
END $$;
CREATE TRIGGER file_added AFTER INSERT ON file
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_changed();
CREATE TRIGGER file_replaced AFTER UPDATE ON file
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_changed();
INSERT INTO to_count (match) SELECT match FROM file;

CREATE INDEX forgotten_player ON forgotten (player);
CREATE VIEW shown_seat AS
    SELECT match, seat, player, name, bot FROM seat
    WHERE NOT EXISTS (SELECT FROM forgotten WHERE forgotten.player = seat.player);
COMMENT ON VIEW shown_seat IS 'The seats that pages may name: who is forgotten at one node is named for none.';

CREATE TABLE reader (
    token_hash BYTEA PRIMARY KEY,
    made TIMESTAMPTZ NOT NULL DEFAULT now()
);
COMMENT ON TABLE reader IS 'The token with which the league reads the page of its nodes.';
