-- One reference may bundle several accounts, one for each chain, which no virtual account holds together. The movements of all of
-- them, and of the accounts below them, are a list of its own in `movement_lists`: its owner is the number of the bundle, below
-- nothing. A bundle has the number of the oldest of its accounts.

ALTER TABLE accounts ADD COLUMN bundle_id BIGINT;
UPDATE accounts SET bundle_id = (SELECT MIN(o.id) FROM accounts o
        WHERE o.org_id = accounts.org_id AND o.reference = accounts.reference AND o.deleted_at IS NULL)
    WHERE reference IS NOT NULL AND deleted_at IS NULL
    AND (SELECT COUNT(*) FROM accounts o
        WHERE o.org_id = accounts.org_id AND o.reference = accounts.reference AND o.deleted_at IS NULL) > 1
    AND NOT EXISTS (SELECT 1 FROM accounts o
        WHERE o.org_id = accounts.org_id AND o.reference = accounts.reference AND o.deleted_at IS NULL AND o.chain_id IS NULL);

INSERT INTO movement_lists (account_id, seq, movement_id, created_at)
    SELECT -bundle_id, ROW_NUMBER() OVER (PARTITION BY bundle_id ORDER BY created_at, movement_id), movement_id, created_at
    FROM (SELECT DISTINCT a.bundle_id, l.movement_id, l.created_at FROM accounts a JOIN movement_lists l ON l.account_id = a.id
        WHERE a.bundle_id IS NOT NULL) AS theirs;
INSERT INTO sequences (owner, kind, last_seq, last_at)
    SELECT CAST(account_id AS TEXT), 'movements', MAX(seq), MAX(created_at) FROM movement_lists WHERE account_id < 0
    GROUP BY account_id;

-- Who adds a row without saying 1 is an older server, which knows nothing of bundles: the row is added for it.
ALTER TABLE movement_lists ADD COLUMN bundled BIGINT;

{SQLITE} CREATE TRIGGER movement_lists_added AFTER INSERT ON movement_lists WHEN NEW.bundled IS NULL BEGIN
{SQLITE}     INSERT INTO movement_lists (account_id, seq, movement_id, created_at, bundled)
{SQLITE}         SELECT -a.bundle_id, COALESCE(s.last_seq, 0) + 1, NEW.movement_id, MAX(NEW.created_at, COALESCE(s.last_at, 0)), 1
{SQLITE}         FROM accounts a LEFT JOIN sequences s ON s.owner = CAST(-a.bundle_id AS TEXT) AND s.kind = 'movements'
{SQLITE}         WHERE a.id = NEW.account_id AND a.bundle_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM movement_lists l
{SQLITE}             WHERE l.account_id = -a.bundle_id AND l.seq = s.last_seq AND l.movement_id = NEW.movement_id);
{SQLITE}     INSERT INTO sequences (owner, kind, last_seq, last_at)
{SQLITE}         SELECT CAST(l.account_id AS TEXT), 'movements', l.seq, l.created_at
{SQLITE}         FROM accounts a JOIN movement_lists l ON l.account_id = -a.bundle_id WHERE a.id = NEW.account_id
{SQLITE}         ORDER BY l.seq DESC LIMIT 1
{SQLITE}         ON CONFLICT (owner, kind) DO UPDATE SET last_seq = excluded.last_seq, last_at = excluded.last_at;
{SQLITE} END;

{POSTGRES} CREATE FUNCTION movement_lists_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO movement_lists (account_id, seq, movement_id, created_at, bundled)
{POSTGRES}         SELECT -a.bundle_id, COALESCE(s.last_seq, 0) + 1, NEW.movement_id, GREATEST(NEW.created_at, COALESCE(s.last_at, 0)), 1
{POSTGRES}         FROM accounts a LEFT JOIN sequences s ON s.owner = CAST(-a.bundle_id AS TEXT) AND s.kind = 'movements'
{POSTGRES}         WHERE a.id = NEW.account_id AND a.bundle_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM movement_lists l
{POSTGRES}             WHERE l.account_id = -a.bundle_id AND l.seq = s.last_seq AND l.movement_id = NEW.movement_id);
{POSTGRES}     INSERT INTO sequences (owner, kind, last_seq, last_at)
{POSTGRES}         SELECT CAST(l.account_id AS TEXT), 'movements', l.seq, l.created_at
{POSTGRES}         FROM accounts a JOIN movement_lists l ON l.account_id = -a.bundle_id WHERE a.id = NEW.account_id
{POSTGRES}         ORDER BY l.seq DESC LIMIT 1
{POSTGRES}         ON CONFLICT (owner, kind) DO UPDATE SET last_seq = excluded.last_seq, last_at = excluded.last_at;
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER movement_lists_added AFTER INSERT ON movement_lists FOR EACH ROW
{POSTGRES}     WHEN (NEW.bundled IS NULL) EXECUTE FUNCTION movement_lists_added();

-- A transaction that failed is known by its hash; the payout that it carries is looked for.
CREATE INDEX payouts_by_hash ON payouts (hash) WHERE hash IS NOT NULL;

-- Paylinks of invoices are not counted any more, nor do new ones stand in the list: they were most of it.
UPDATE tallies SET tally = (SELECT COUNT(*) FROM paylinks p WHERE p.org_id = tallies.org_id AND p.deleted_at IS NULL
        AND CAST({RECORD} ->> 'enabled' AS TEXT) IN ('1', 'true') AND {RECORD} ->> 'invoice_id' IS NULL)
    WHERE name = 'paylink active';
