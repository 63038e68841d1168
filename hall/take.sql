-- Takes chunks of running matches: appends the lines that are missing, and answers how many the index has of each match.
-- All in one transaction, with the matches locked in their order, so that writers wait for each other and never deadlock.
-- A chunk that begins after a gap appends nothing; one that repeats lines appends what is new.
-- A match that is unknown answers 0: the node sends it from its first line, with what `match` needs.
-- A match that is over answers all its lines, so that nothing is sent again.

CREATE OR REPLACE FUNCTION take(nodes TEXT[], ids TEXT[], firsts INTEGER[], bodies TEXT[])
RETURNS INTEGER[] LANGUAGE plpgsql AS $$
DECLARE
    answers INTEGER[] := array_fill(0, ARRAY[cardinality(nodes)]);
    chunk RECORD;
    held RECORD;
    lines TEXT[];
    last INTEGER;
BEGIN
    FOR chunk IN
        SELECT * FROM unnest(nodes, ids, firsts, bodies) WITH ORDINALITY AS c(node, id, first, body, place)
        ORDER BY c.node, c.id, c.first
    LOOP
        SELECT number, have, is_over INTO held FROM match WHERE node = chunk.node AND id = chunk.id FOR NO KEY UPDATE;
        CONTINUE WHEN NOT FOUND;
        IF NOT held.is_over THEN
            lines := string_to_array(chunk.body, E'\n');
            last := chunk.first + cardinality(lines) - 1;
            IF chunk.first <= held.have + 1 AND held.have < last THEN
                INSERT INTO line (match, n, line)
                SELECT held.number, held.have + i, lines[held.have - chunk.first + 1 + i]
                FROM generate_series(1, last - held.have) AS i;
                UPDATE match SET have = last, changed = now() WHERE number = held.number;
                held.have := last;
            END IF;
        END IF;
        answers[chunk.place] := held.have;
    END LOOP;
    RETURN answers;
END $$;
