-- The movements of all accounts of an organisation are a list as well: its numbers stand in the movements themselves, so that no
-- row is written for it besides.

ALTER TABLE movements ADD COLUMN seq BIGINT;
UPDATE movements SET seq = numbered.seq
    FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY org_id ORDER BY created_at, id) AS seq FROM movements) AS numbered
    WHERE numbered.id = movements.id;
INSERT INTO sequences (owner, kind, last_seq, last_at)
    SELECT org_id, 'movements', MAX(seq), MAX(created_at) FROM movements GROUP BY org_id;
CREATE UNIQUE INDEX movements_of_organisation ON movements (org_id, seq);

-- Who adds a movement without a number is an older server: it is numbered for it.

{SQLITE} CREATE TRIGGER movements_numbered AFTER INSERT ON movements WHEN NEW.seq IS NULL BEGIN
{SQLITE}     INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES (NEW.org_id, 'movements', 1, NEW.created_at)
{SQLITE}         ON CONFLICT (owner, kind) DO UPDATE SET last_seq = sequences.last_seq + 1,
{SQLITE}         last_at = MAX(sequences.last_at, excluded.last_at);
{SQLITE}     UPDATE movements SET seq = (SELECT last_seq FROM sequences WHERE owner = NEW.org_id AND kind = 'movements')
{SQLITE}         WHERE id = NEW.id;
{SQLITE} END;

{POSTGRES} CREATE FUNCTION movements_numbered() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES (NEW.org_id, 'movements', 1, NEW.created_at)
{POSTGRES}         ON CONFLICT (owner, kind) DO UPDATE SET last_seq = sequences.last_seq + 1,
{POSTGRES}         last_at = GREATEST(sequences.last_at, excluded.last_at)
{POSTGRES}         RETURNING last_seq INTO NEW.seq;
{POSTGRES}     RETURN NEW;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER movements_numbered BEFORE INSERT ON movements FOR EACH ROW
{POSTGRES}     WHEN (NEW.seq IS NULL) EXECUTE FUNCTION movements_numbered();

-- Those that are not Confirmed are looked for by their status; the others are nearly all. One index takes the place of two.

CREATE INDEX movements_apart ON movements (org_id, status, created_at) WHERE status <> 'Confirmed';
DROP INDEX movements_under_way;
DROP INDEX movements_failed;
