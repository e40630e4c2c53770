-- Customers by their visits, subscriptions by their status and invoices by that of their payment are counted as payments and
-- events are. Triggers do it: few of these rows are written, and whoever writes them counts them, a server of an earlier version
-- too.

-- How many numbers a piece of a level has.
CREATE TABLE levels (
    level BIGINT NOT NULL PRIMARY KEY,
    numbers BIGINT NOT NULL
) {STRICT};
INSERT INTO levels (level, numbers) VALUES (0, 4096), (1, 65536), (2, 1048576), (3, 16777216), (4, 268435456);

-- Whoever adds a row here has so many more of a kind counted, at the place of a number: in the smallest piece, and in each above
-- that has been added up. With the last number of a piece it is added up. PostgreSQL keeps every version of a row until the
-- transaction ends, so that new rows which one statement adds are counted together there.
CREATE VIEW counting AS SELECT org_id, list, piece AS seq, status, held FROM counted;

{SQLITE} CREATE TRIGGER counting_added INSTEAD OF INSERT ON counting BEGIN
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
{SQLITE} CREATE TRIGGER customers_added AFTER INSERT ON customers BEGIN
{SQLITE}     INSERT INTO counting (org_id, list, seq, status, held)
{SQLITE}         VALUES (NEW.org_id, 'customers', NEW.seq, CASE WHEN NEW.payments_count > 1 THEN 'repeat' ELSE 'first-time' END, 1);
{SQLITE} END;
{SQLITE} CREATE TRIGGER customers_changed AFTER UPDATE OF payments_count ON customers
{SQLITE} WHEN (NEW.payments_count > 1) <> (OLD.payments_count > 1) BEGIN
{SQLITE}     INSERT INTO counting (org_id, list, seq, status, held) VALUES
{SQLITE}         (OLD.org_id, 'customers', OLD.seq, CASE WHEN OLD.payments_count > 1 THEN 'repeat' ELSE 'first-time' END, -1),
{SQLITE}         (NEW.org_id, 'customers', NEW.seq, CASE WHEN NEW.payments_count > 1 THEN 'repeat' ELSE 'first-time' END, 1);
{SQLITE} END;
{SQLITE} CREATE TRIGGER subscriptions_added AFTER INSERT ON subscriptions BEGIN
{SQLITE}     INSERT INTO counting (org_id, list, seq, status, held) VALUES (NEW.org_id, 'subscriptions', NEW.seq, NEW.status, 1);
{SQLITE} END;
{SQLITE} CREATE TRIGGER subscriptions_changed AFTER UPDATE OF status ON subscriptions WHEN NEW.status <> OLD.status BEGIN
{SQLITE}     INSERT INTO counting (org_id, list, seq, status, held)
{SQLITE}         VALUES (OLD.org_id, 'subscriptions', OLD.seq, OLD.status, -1), (NEW.org_id, 'subscriptions', NEW.seq, NEW.status, 1);
{SQLITE} END;
{SQLITE} CREATE TRIGGER invoices_added AFTER INSERT ON invoices BEGIN
{SQLITE}     INSERT INTO counting (org_id, list, seq, status, held) VALUES (NEW.org_id, 'invoices', NEW.seq, NEW.payment_status, 1);
{SQLITE} END;
{SQLITE} CREATE TRIGGER invoices_changed AFTER UPDATE OF payment_status ON invoices WHEN NEW.payment_status <> OLD.payment_status BEGIN
{SQLITE}     INSERT INTO counting (org_id, list, seq, status, held)
{SQLITE}         VALUES (OLD.org_id, 'invoices', OLD.seq, OLD.payment_status, -1), (NEW.org_id, 'invoices', NEW.seq, NEW.payment_status, 1);
{SQLITE} END;

{POSTGRES} CREATE FUNCTION counting_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
{POSTGRES}         SELECT NEW.org_id, NEW.list, l.level, NEW.seq / l.numbers, '', '', NEW.status, 0, NEW.held FROM levels l
{POSTGRES}         WHERE l.level = 0 OR EXISTS (SELECT 1 FROM counted c WHERE c.org_id = NEW.org_id AND c.list = NEW.list
{POSTGRES}             AND c.level = l.level AND c.piece = NEW.seq / l.numbers)
{POSTGRES}         ON CONFLICT (org_id, list, level, piece, type, action, status, sent) DO UPDATE SET held = counted.held + excluded.held;
{POSTGRES}     IF (NEW.seq + 1) % 65536 = 0 THEN
{POSTGRES}         INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
{POSTGRES}             SELECT c.org_id, c.list, l.level, NEW.seq / l.numbers, '', '', c.status, 0, SUM(c.held)
{POSTGRES}             FROM levels l JOIN counted c ON c.org_id = NEW.org_id AND c.list = NEW.list AND c.level = 0
{POSTGRES}                 AND c.piece BETWEEN NEW.seq / l.numbers * (l.numbers / 4096) AND (NEW.seq / l.numbers + 1) * (l.numbers / 4096) - 1
{POSTGRES}             WHERE l.level > 0 AND (NEW.seq + 1) % l.numbers = 0 GROUP BY c.org_id, c.list, l.level, l.numbers, c.status
{POSTGRES}             ON CONFLICT (org_id, list, level, piece, type, action, status, sent) DO UPDATE SET held = excluded.held;
{POSTGRES}     END IF;
{POSTGRES}     RETURN NEW;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER counting_added INSTEAD OF INSERT ON counting FOR EACH ROW EXECUTE FUNCTION counting_added();
{POSTGRES} CREATE FUNCTION customers_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO counting (org_id, list, seq, status, held) SELECT org_id, 'customers', MAX(seq), status, COUNT(*)
{POSTGRES}         FROM (SELECT org_id, seq, CASE WHEN payments_count > 1 THEN 'repeat' ELSE 'first-time' END AS status FROM added) kinds
{POSTGRES}         GROUP BY org_id, seq / 4096, status;
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER customers_added AFTER INSERT ON customers REFERENCING NEW TABLE AS added
{POSTGRES}     FOR EACH STATEMENT EXECUTE FUNCTION customers_added();
{POSTGRES} CREATE FUNCTION customers_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO counting (org_id, list, seq, status, held)
{POSTGRES}         VALUES (OLD.org_id, 'customers', OLD.seq, CASE WHEN OLD.payments_count > 1 THEN 'repeat' ELSE 'first-time' END, -1),
{POSTGRES}             (NEW.org_id, 'customers', NEW.seq, CASE WHEN NEW.payments_count > 1 THEN 'repeat' ELSE 'first-time' END, 1);
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER customers_changed AFTER UPDATE OF payments_count ON customers FOR EACH ROW
{POSTGRES}     WHEN ((NEW.payments_count > 1) <> (OLD.payments_count > 1)) EXECUTE FUNCTION customers_changed();
{POSTGRES} CREATE FUNCTION subscriptions_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO counting (org_id, list, seq, status, held) SELECT org_id, 'subscriptions', MAX(seq), status, COUNT(*)
{POSTGRES}         FROM (SELECT org_id, seq, status AS status FROM added) kinds
{POSTGRES}         GROUP BY org_id, seq / 4096, status;
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER subscriptions_added AFTER INSERT ON subscriptions REFERENCING NEW TABLE AS added
{POSTGRES}     FOR EACH STATEMENT EXECUTE FUNCTION subscriptions_added();
{POSTGRES} CREATE FUNCTION subscriptions_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO counting (org_id, list, seq, status, held)
{POSTGRES}         VALUES (OLD.org_id, 'subscriptions', OLD.seq, OLD.status, -1),
{POSTGRES}             (NEW.org_id, 'subscriptions', NEW.seq, NEW.status, 1);
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER subscriptions_changed AFTER UPDATE OF status ON subscriptions FOR EACH ROW
{POSTGRES}     WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION subscriptions_changed();
{POSTGRES} CREATE FUNCTION invoices_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO counting (org_id, list, seq, status, held) SELECT org_id, 'invoices', MAX(seq), status, COUNT(*)
{POSTGRES}         FROM (SELECT org_id, seq, payment_status AS status FROM added) kinds
{POSTGRES}         GROUP BY org_id, seq / 4096, status;
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER invoices_added AFTER INSERT ON invoices REFERENCING NEW TABLE AS added
{POSTGRES}     FOR EACH STATEMENT EXECUTE FUNCTION invoices_added();
{POSTGRES} CREATE FUNCTION invoices_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO counting (org_id, list, seq, status, held)
{POSTGRES}         VALUES (OLD.org_id, 'invoices', OLD.seq, OLD.payment_status, -1),
{POSTGRES}             (NEW.org_id, 'invoices', NEW.seq, NEW.payment_status, 1);
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER invoices_changed AFTER UPDATE OF payment_status ON invoices FOR EACH ROW
{POSTGRES}     WHEN (NEW.payment_status <> OLD.payment_status) EXECUTE FUNCTION invoices_changed();

-- What was there before.
INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
    SELECT org_id, 'customers', 0, piece, '', '', kind, 0, COUNT(*) FROM (SELECT org_id, seq / 4096 AS piece,
    CASE WHEN payments_count > 1 THEN 'repeat' ELSE 'first-time' END AS kind FROM customers) were GROUP BY org_id, piece, kind;
INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
    SELECT org_id, 'subscriptions', 0, seq / 4096, '', '', status, 0, COUNT(*) FROM subscriptions GROUP BY org_id, seq / 4096, status;
INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
    SELECT org_id, 'invoices', 0, seq / 4096, '', '', payment_status, 0, COUNT(*) FROM invoices
    GROUP BY org_id, seq / 4096, payment_status;
INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
    SELECT c.org_id, c.list, l.level, c.piece / (l.numbers / 4096), '', '', c.status, 0, SUM(c.held)
    FROM counted c JOIN levels l ON l.level > 0 JOIN sequences s ON s.owner = c.org_id AND s.kind = c.list
    WHERE c.level = 0 AND c.list IN ('customers', 'subscriptions', 'invoices')
        AND (c.piece / (l.numbers / 4096) + 1) * l.numbers <= s.last_seq + 1
    GROUP BY c.org_id, c.list, l.level, c.piece / (l.numbers / 4096), c.status;

-- Those who came once and those who came again, each in the order of their numbers.
CREATE INDEX customers_by_visits ON customers (org_id, (CASE WHEN payments_count > 1 THEN 'repeat' ELSE 'first-time' END), seq);

-- What 0020 took for small letters are others from one database to the next beyond ASCII: these customers are taken in again, and
-- their addresses with them.
{SQLITE} UPDATE customers SET taken_in = NULL WHERE email GLOB '*[^ -~]*';
{POSTGRES} UPDATE customers SET taken_in = NULL WHERE email ~ '[^ -~]';
