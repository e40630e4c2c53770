-- Movements that are not Confirmed are counted by their status, at every level at once; Confirmed is what is left of a piece, for
-- numbers have no gaps. So a transfer, whose movements are Confirmed from the beginning, pays no more than a look at that.

{SQLITE} CREATE TRIGGER movements_added AFTER INSERT ON movements WHEN NEW.status <> 'Confirmed' AND NEW.seq IS NOT NULL BEGIN
{SQLITE}     INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
{SQLITE}         SELECT NEW.org_id, 'movements', l.level, NEW.seq / l.numbers, '', '', NEW.status, 0, 1 FROM levels l
{SQLITE}         WHERE NOT EXISTS (SELECT 1 FROM importing)
{SQLITE}         ON CONFLICT (org_id, list, level, piece, type, action, status, sent) DO UPDATE SET held = counted.held + excluded.held;
{SQLITE} END;
-- An older server's has a number from here on.
{SQLITE} CREATE TRIGGER movements_found AFTER UPDATE OF seq ON movements WHEN NEW.status <> 'Confirmed' AND OLD.seq IS NULL BEGIN
{SQLITE}     INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
{SQLITE}         SELECT NEW.org_id, 'movements', l.level, NEW.seq / l.numbers, '', '', NEW.status, 0, 1 FROM levels l
{SQLITE}         WHERE NOT EXISTS (SELECT 1 FROM importing)
{SQLITE}         ON CONFLICT (org_id, list, level, piece, type, action, status, sent) DO UPDATE SET held = counted.held + excluded.held;
{SQLITE} END;
{SQLITE} CREATE TRIGGER movements_changed AFTER UPDATE OF status ON movements WHEN NEW.status <> OLD.status BEGIN
{SQLITE}     INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
{SQLITE}         SELECT NEW.org_id, 'movements', l.level, NEW.seq / l.numbers, '', '', k.status, 0, k.held
{SQLITE}         FROM levels l JOIN (SELECT OLD.status AS status, -1 AS held UNION ALL SELECT NEW.status, 1) k
{SQLITE}         WHERE k.status <> 'Confirmed'
{SQLITE}         ON CONFLICT (org_id, list, level, piece, type, action, status, sent) DO UPDATE SET held = counted.held + excluded.held;
{SQLITE} END;

{POSTGRES} CREATE FUNCTION movements_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
{POSTGRES}         SELECT NEW.org_id, 'movements', l.level, NEW.seq / l.numbers, '', '', NEW.status, 0, 1 FROM levels l
{POSTGRES}         WHERE NOT EXISTS (SELECT 1 FROM importing)
{POSTGRES}         ON CONFLICT (org_id, list, level, piece, type, action, status, sent) DO UPDATE SET held = counted.held + excluded.held;
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER movements_added AFTER INSERT ON movements FOR EACH ROW
{POSTGRES}     WHEN (NEW.status <> 'Confirmed') EXECUTE FUNCTION movements_added();
{POSTGRES} CREATE FUNCTION movements_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
{POSTGRES}         SELECT NEW.org_id, 'movements', l.level, NEW.seq / l.numbers, '', '', k.status, 0, k.held
{POSTGRES}         FROM levels l CROSS JOIN (VALUES (OLD.status, -1), (NEW.status, 1)) k (status, held)
{POSTGRES}         WHERE k.status <> 'Confirmed'
{POSTGRES}         ON CONFLICT (org_id, list, level, piece, type, action, status, sent) DO UPDATE SET held = counted.held + excluded.held;
{POSTGRES}     RETURN NULL;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER movements_changed AFTER UPDATE OF status ON movements FOR EACH ROW
{POSTGRES}     WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION movements_changed();

INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
    SELECT m.org_id, 'movements', l.level, m.seq / l.numbers, '', '', m.status, 0, COUNT(*) FROM movements m CROSS JOIN levels l
    WHERE m.status <> 'Confirmed' GROUP BY m.org_id, l.level, m.seq / l.numbers, m.status;

-- They are looked for along their numbers.
CREATE INDEX movements_by_status ON movements (org_id, status, seq) WHERE status <> 'Confirmed';
DROP INDEX movements_apart;
