-- A search of customers ignores more than it did: what is left of case in small letters, and strokes. Who has such a letter in what
-- is looked through is taken in again, whether from before or written by an older server meanwhile; newer ones write none.
{SQLITE} UPDATE customers SET taken_in = NULL WHERE search GLOB '*[ßςłøđðþæœħŧı]*';
{SQLITE} CREATE TRIGGER customers_searched AFTER INSERT ON customers WHEN NEW.search GLOB '*[ßςłøđðþæœħŧı]*' BEGIN
{SQLITE}     UPDATE customers SET taken_in = NULL WHERE id = NEW.id;
{SQLITE} END;
{SQLITE} CREATE TRIGGER customers_searched_anew AFTER UPDATE OF search ON customers WHEN NEW.search GLOB '*[ßςłøđðþæœħŧı]*' BEGIN
{SQLITE}     UPDATE customers SET taken_in = NULL WHERE id = NEW.id;
{SQLITE} END;

{POSTGRES} UPDATE customers SET taken_in = NULL WHERE search ~ '[ßςłøđðþæœħŧı]';
{POSTGRES} CREATE FUNCTION customers_searched() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     NEW.taken_in := NULL;
{POSTGRES}     RETURN NEW;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER customers_searched BEFORE INSERT OR UPDATE OF search ON customers FOR EACH ROW
{POSTGRES}     WHEN (NEW.search ~ '[ßςłøđðþæœħŧı]') EXECUTE FUNCTION customers_searched();

-- What invoices are paid by, links and the plans that these sell, stands beside the lists since 0021, by numbers below nothing; what
-- was there before stands in them still, and so does what a server of before 0021 adds, also after this. It is taken out, with
-- numbers that no server gives, and the rest is numbered anew without a gap, by way of numbers that are free.
UPDATE paylinks SET seq = -1000000000000 - seq WHERE seq > 0 AND {RECORD} ->> 'invoice_id' IS NOT NULL;
UPDATE paylinks SET seq = 1000000000000 + seq
    WHERE seq > 0 AND org_id IN (SELECT org_id FROM paylinks WHERE seq < -1000000000000);
UPDATE paylinks SET seq = numbered.place
    FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY org_id ORDER BY seq) AS place FROM paylinks WHERE seq > 1000000000000) AS numbered
    WHERE paylinks.id = numbered.id;
UPDATE sequences SET last_seq = (SELECT COUNT(*) FROM paylinks p WHERE p.org_id = sequences.owner AND p.seq > 0)
    WHERE kind = 'paylinks' AND owner IN (SELECT org_id FROM paylinks WHERE seq < -1000000000000);
UPDATE tallies SET tally = (SELECT COUNT(*) FROM paylinks p WHERE p.org_id = tallies.org_id AND p.deleted_at IS NULL
        AND CAST({RECORD} ->> 'enabled' AS TEXT) IN ('1', 'true') AND {RECORD} ->> 'invoice_id' IS NULL)
    WHERE name = 'paylink active' AND org_id IN (SELECT org_id FROM paylinks WHERE seq < -1000000000000);

UPDATE plans SET seq = -1000000000000 - seq WHERE seq > 0 AND {RECORD} ->> 'source' = 'Subscription';
UPDATE plans SET seq = 1000000000000 + seq
    WHERE seq > 0 AND org_id IN (SELECT org_id FROM plans WHERE seq < -1000000000000);
UPDATE plans SET seq = numbered.place
    FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY org_id ORDER BY seq) AS place FROM plans WHERE seq > 1000000000000) AS numbered
    WHERE plans.id = numbered.id;
UPDATE sequences SET last_seq = (SELECT COUNT(*) FROM plans p WHERE p.org_id = sequences.owner AND p.seq > 0)
    WHERE kind = 'plans' AND owner IN (SELECT org_id FROM plans WHERE seq < -1000000000000);

-- Servers of before 0012 count payments and events in `tallies`, by names that nobody else uses, and tell no pieces. Whatever such a
-- server changes, there is one event more: of an organisation in which it is at work, the counts of events are never again what they
-- were when they were last looked at, which is kept here.
ALTER TABLE tallies ADD COLUMN told BIGINT;
CREATE INDEX tallies_untold ON tallies (org_id) WHERE told IS DISTINCT FROM tally AND name >= 'event ' AND name < 'event!';
