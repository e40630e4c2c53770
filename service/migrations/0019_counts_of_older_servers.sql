-- Servers of before 0017 count in `counts`, and may go on while a newer one has brought the database up to date. Whatever such a
-- server writes has its piece counted anew by a newer one, whatever the numbers are; and as long as one is at work, newer ones
-- write into `counts` what they count, every few seconds.

-- The pieces to be counted anew, by the list's table. All of those that are there now: an older server may have changed them in
-- ways that 0017 did not see.
CREATE TABLE uncounted (
    org_id {ID} NOT NULL,
    list {ID} NOT NULL,
    piece BIGINT NOT NULL,
    PRIMARY KEY (org_id, list, piece)
) {CLUSTERED};

INSERT INTO uncounted (org_id, list, piece) SELECT DISTINCT org_id, list, piece FROM counted WHERE level = 0;

-- One row as long as an older server is at work, or nobody knows that none is: when one was last heard of, nothing if that is still
-- to be written down, and when it was last told what others count.
CREATE TABLE older_servers (
    id BIGINT NOT NULL PRIMARY KEY,
    heard_at BIGINT,
    told_at BIGINT
) {STRICT};

INSERT INTO older_servers (id) SELECT 1 WHERE EXISTS (SELECT 1 FROM organisations);

-- How often a newer server changed how an event is counted. An older one changes that and not this, and of what was sent and
-- failed for the first time says nothing in `counts`.
ALTER TABLE events ADD COLUMN recounted BIGINT NOT NULL DEFAULT 0;

-- Who writes `held` without `settled` is an older server, even if it writes that nothing changed.

{SQLITE} CREATE TRIGGER counts_added AFTER INSERT ON counts WHEN NEW.settled IS NULL BEGIN
{SQLITE}     INSERT INTO older_servers (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET heard_at = NULL;
{SQLITE}     INSERT INTO uncounted (org_id, list, piece)
{SQLITE}         VALUES (NEW.org_id, CASE NEW.list WHEN 'payments by status' THEN 'payments' ELSE 'events' END, NEW.piece)
{SQLITE}         ON CONFLICT DO NOTHING;
{SQLITE} END;
{SQLITE} CREATE TRIGGER counts_changed AFTER UPDATE OF held ON counts WHEN NEW.settled IS OLD.settled BEGIN
{SQLITE}     INSERT INTO older_servers (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET heard_at = NULL;
{SQLITE}     INSERT INTO uncounted (org_id, list, piece)
{SQLITE}         VALUES (NEW.org_id, CASE NEW.list WHEN 'payments by status' THEN 'payments' ELSE 'events' END, NEW.piece)
{SQLITE}         ON CONFLICT DO NOTHING;
{SQLITE} END;
{SQLITE} CREATE TRIGGER events_changed AFTER UPDATE OF delivery_status, webhook_sent_at ON events
{SQLITE} WHEN NEW.recounted = OLD.recounted AND (NEW.delivery_status <> OLD.delivery_status
{SQLITE}     OR (NEW.webhook_sent_at IS NULL) <> (OLD.webhook_sent_at IS NULL)) BEGIN
{SQLITE}     INSERT INTO uncounted (org_id, list, piece) VALUES (NEW.org_id, 'events', NEW.seq / 4096) ON CONFLICT DO NOTHING;
{SQLITE} END;

{POSTGRES} CREATE FUNCTION counts_written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO older_servers (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET heard_at = NULL;
{POSTGRES}     INSERT INTO uncounted (org_id, list, piece)
{POSTGRES}         VALUES (NEW.org_id, CASE NEW.list WHEN 'payments by status' THEN 'payments' ELSE 'events' END, NEW.piece)
{POSTGRES}         ON CONFLICT DO NOTHING;
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER counts_added AFTER INSERT ON counts FOR EACH ROW
{POSTGRES}     WHEN (NEW.settled IS NULL) EXECUTE FUNCTION counts_written();
{POSTGRES} CREATE TRIGGER counts_changed AFTER UPDATE OF held ON counts FOR EACH ROW
{POSTGRES}     WHEN (NEW.settled IS NOT DISTINCT FROM OLD.settled) EXECUTE FUNCTION counts_written();
{POSTGRES} CREATE FUNCTION events_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO uncounted (org_id, list, piece) VALUES (NEW.org_id, 'events', NEW.seq / 4096) ON CONFLICT DO NOTHING;
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER events_changed AFTER UPDATE OF delivery_status, webhook_sent_at ON events FOR EACH ROW
{POSTGRES}     WHEN (NEW.recounted = OLD.recounted AND (NEW.delivery_status <> OLD.delivery_status
{POSTGRES}         OR (NEW.webhook_sent_at IS NULL) <> (OLD.webhook_sent_at IS NULL))) EXECUTE FUNCTION events_changed();
