-- The rules read a finished match after it was stored, so that nobody waits for them.

ALTER TABLE file ADD COLUMN refused TEXT;
COMMENT ON COLUMN file.refused IS 'Why the rules of this hall refuse a line: such a match is kept, and neither shown nor counted. A later version can accept it.';

DROP TRIGGER file_replaced ON file;
CREATE FUNCTION count_replaced() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO to_count (match) VALUES (NEW.match);
    RETURN NULL;
END $$;
-- Not for what is written when it is counted.
CREATE TRIGGER file_replaced AFTER UPDATE ON file FOR EACH ROW
    WHEN (NEW.figures_version = 0 AND NEW.refused IS NULL) EXECUTE FUNCTION count_replaced();
