-- Books that are imported are counted when all of them are there: counting row by row in one transaction costs more than the rows.
-- While there is a row here, which only the transaction of an import ever sees, the triggers of 0022 count no new rows.
CREATE TABLE importing (
    one BIGINT NOT NULL PRIMARY KEY
) {STRICT};

-- The levels above are added up with the last number of a piece only, and not looked for with every other.
{SQLITE} DROP TRIGGER counting_added;
{SQLITE} CREATE TRIGGER counting_added INSTEAD OF INSERT ON counting WHEN (NEW.seq + 1) % 65536 <> 0 BEGIN
{SQLITE}     INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
{SQLITE}         SELECT NEW.org_id, NEW.list, l.level, NEW.seq / l.numbers, '', '', NEW.status, 0, NEW.held FROM levels l
{SQLITE}         WHERE l.level = 0 OR EXISTS (SELECT 1 FROM counted c WHERE c.org_id = NEW.org_id AND c.list = NEW.list
{SQLITE}             AND c.level = l.level AND c.piece = NEW.seq / l.numbers)
{SQLITE}         ON CONFLICT (org_id, list, level, piece, type, action, status, sent) DO UPDATE SET held = counted.held + excluded.held;
{SQLITE} END;
{SQLITE} CREATE TRIGGER counting_added_up INSTEAD OF INSERT ON counting WHEN (NEW.seq + 1) % 65536 = 0 BEGIN
{SQLITE}     INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
{SQLITE}         SELECT NEW.org_id, NEW.list, l.level, NEW.seq / l.numbers, '', '', NEW.status, 0, NEW.held FROM levels l
{SQLITE}         WHERE l.level = 0 OR EXISTS (SELECT 1 FROM counted c WHERE c.org_id = NEW.org_id AND c.list = NEW.list
{SQLITE}             AND c.level = l.level AND c.piece = NEW.seq / l.numbers)
{SQLITE}         ON CONFLICT (org_id, list, level, piece, type, action, status, sent) DO UPDATE SET held = counted.held + excluded.held;
{SQLITE}     INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
{SQLITE}         SELECT c.org_id, c.list, l.level, NEW.seq / l.numbers, '', '', c.status, 0, SUM(c.held)
{SQLITE}         FROM levels l JOIN counted c ON c.org_id = NEW.org_id AND c.list = NEW.list AND c.level = 0
{SQLITE}             AND c.piece BETWEEN NEW.seq / l.numbers * (l.numbers / 4096) AND (NEW.seq / l.numbers + 1) * (l.numbers / 4096) - 1
{SQLITE}         WHERE l.level > 0 AND (NEW.seq + 1) % l.numbers = 0 GROUP BY c.org_id, c.list, l.level, l.numbers, c.status
{SQLITE}         ON CONFLICT (org_id, list, level, piece, type, action, status, sent) DO UPDATE SET held = excluded.held;
{SQLITE} END;
{SQLITE} DROP TRIGGER customers_added;
{SQLITE} CREATE TRIGGER customers_added AFTER INSERT ON customers WHEN NOT EXISTS (SELECT 1 FROM importing) BEGIN
{SQLITE}     INSERT INTO counting (org_id, list, seq, status, held)
{SQLITE}         VALUES (NEW.org_id, 'customers', NEW.seq, CASE WHEN NEW.payments_count > 1 THEN 'repeat' ELSE 'first-time' END, 1);
{SQLITE} END;
{SQLITE} DROP TRIGGER subscriptions_added;
{SQLITE} CREATE TRIGGER subscriptions_added AFTER INSERT ON subscriptions WHEN NOT EXISTS (SELECT 1 FROM importing) BEGIN
{SQLITE}     INSERT INTO counting (org_id, list, seq, status, held)
{SQLITE}         VALUES (NEW.org_id, 'subscriptions', NEW.seq, NEW.status, 1);
{SQLITE} END;
{SQLITE} DROP TRIGGER invoices_added;
{SQLITE} CREATE TRIGGER invoices_added AFTER INSERT ON invoices WHEN NOT EXISTS (SELECT 1 FROM importing) BEGIN
{SQLITE}     INSERT INTO counting (org_id, list, seq, status, held)
{SQLITE}         VALUES (NEW.org_id, 'invoices', NEW.seq, NEW.payment_status, 1);
{SQLITE} END;

{POSTGRES} CREATE OR REPLACE FUNCTION customers_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     IF NOT EXISTS (SELECT 1 FROM importing) THEN
{POSTGRES}         INSERT INTO counting (org_id, list, seq, status, held) SELECT org_id, 'customers', MAX(seq), status, COUNT(*)
{POSTGRES}             FROM (SELECT org_id, seq, CASE WHEN payments_count > 1 THEN 'repeat' ELSE 'first-time' END AS status FROM added) kinds
{POSTGRES}             GROUP BY org_id, seq / 4096, status;
{POSTGRES}     END IF;
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE OR REPLACE FUNCTION subscriptions_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     IF NOT EXISTS (SELECT 1 FROM importing) THEN
{POSTGRES}         INSERT INTO counting (org_id, list, seq, status, held) SELECT org_id, 'subscriptions', MAX(seq), status, COUNT(*)
{POSTGRES}             FROM (SELECT org_id, seq, status FROM added) kinds
{POSTGRES}             GROUP BY org_id, seq / 4096, status;
{POSTGRES}     END IF;
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE OR REPLACE FUNCTION invoices_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     IF NOT EXISTS (SELECT 1 FROM importing) THEN
{POSTGRES}         INSERT INTO counting (org_id, list, seq, status, held) SELECT org_id, 'invoices', MAX(seq), status, COUNT(*)
{POSTGRES}             FROM (SELECT org_id, seq, payment_status AS status FROM added) kinds
{POSTGRES}             GROUP BY org_id, seq / 4096, status;
{POSTGRES}     END IF;
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
