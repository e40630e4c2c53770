-- Rows of a list are counted by everything they are filtered by at once, for each piece of its numbers and, where all numbers of
-- a larger piece are given, for that too: 4096 numbers at level 0, sixteen times as many at each level above. What a list is not
-- filtered by is empty there.

CREATE TABLE counted (
    org_id {ID} NOT NULL,
    list {ID} NOT NULL,
    level BIGINT NOT NULL,
    piece BIGINT NOT NULL,
    type {ID} NOT NULL,
    action {ID} NOT NULL,
    status {ID} NOT NULL,
    -- Whether it was ever sent.
    sent BIGINT NOT NULL,
    held BIGINT NOT NULL,
    PRIMARY KEY (org_id, list, level, piece, type, action, status, sent)
) {CLUSTERED};

INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
    SELECT org_id, 'payments', 0, piece, '', '', value, 0, held FROM counts WHERE list = 'payments by status' AND held <> 0;
INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
    SELECT org_id, 'events', 0, seq / 4096, type, action, delivery_status, CASE WHEN webhook_sent_at IS NULL THEN 0 ELSE 1 END, COUNT(*)
    FROM events GROUP BY org_id, seq / 4096, type, action, delivery_status, CASE WHEN webhook_sent_at IS NULL THEN 0 ELSE 1 END;
INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
    SELECT c.org_id, c.list, 1, c.piece / 16, c.type, c.action, c.status, c.sent, SUM(c.held)
    FROM counted c JOIN sequences s ON s.owner = c.org_id AND s.kind = c.list
    WHERE c.level = 0 AND (c.piece / 16 + 1) * 65536 <= s.last_seq + 1
    GROUP BY c.org_id, c.list, c.piece / 16, c.type, c.action, c.status, c.sent;
INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
    SELECT c.org_id, c.list, 2, c.piece / 16, c.type, c.action, c.status, c.sent, SUM(c.held)
    FROM counted c JOIN sequences s ON s.owner = c.org_id AND s.kind = c.list
    WHERE c.level = 1 AND (c.piece / 16 + 1) * 1048576 <= s.last_seq + 1
    GROUP BY c.org_id, c.list, c.piece / 16, c.type, c.action, c.status, c.sent;
INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
    SELECT c.org_id, c.list, 3, c.piece / 16, c.type, c.action, c.status, c.sent, SUM(c.held)
    FROM counted c JOIN sequences s ON s.owner = c.org_id AND s.kind = c.list
    WHERE c.level = 2 AND (c.piece / 16 + 1) * 16777216 <= s.last_seq + 1
    GROUP BY c.org_id, c.list, c.piece / 16, c.type, c.action, c.status, c.sent;
INSERT INTO counted (org_id, list, level, piece, type, action, status, sent, held)
    SELECT c.org_id, c.list, 4, c.piece / 16, c.type, c.action, c.status, c.sent, SUM(c.held)
    FROM counted c JOIN sequences s ON s.owner = c.org_id AND s.kind = c.list
    WHERE c.level = 3 AND (c.piece / 16 + 1) * 268435456 <= s.last_seq + 1
    GROUP BY c.org_id, c.list, c.piece / 16, c.type, c.action, c.status, c.sent;

-- Processes of the version before go on counting in `counts`. What they count there is seen by this column, which they do not
-- write, and has the piece counted anew.
ALTER TABLE counts ADD COLUMN settled BIGINT;
UPDATE counts SET settled = held;
CREATE INDEX counts_unsettled ON counts (org_id, list, piece) WHERE settled IS DISTINCT FROM held;

-- Every filter of events is a few ranges of these, and so is their order by the latest delivery. What is delivered, which is most
-- of them, stands in no index by its status alone.
DROP INDEX events_by_type;
DROP INDEX events_by_delivery;
CREATE INDEX events_by_kind ON events (org_id, type, action, delivery_status, seq);
CREATE INDEX events_pending ON events (org_id, seq) WHERE delivery_status = 'pending';
CREATE INDEX events_failed ON events (org_id, seq) WHERE delivery_status = 'failed';
CREATE INDEX events_by_sending ON events (org_id, webhook_sent_at, seq) WHERE webhook_sent_at IS NOT NULL;

-- Every three letters in a row of what a search of customers looks through, with the customers that have them: for each 256
-- numbers of the list one row, in which a customer is two hexadecimal digits, its place among the 256.

CREATE TABLE customer_trigrams (
    org_id {ID} NOT NULL,
    trigram {ID} NOT NULL,
    block BIGINT NOT NULL,
    places TEXT NOT NULL,
    PRIMARY KEY (org_id, trigram, block)
) {CLUSTERED};

-- The text whose letters are there. Where it is another than the customer's own, by a process of the version before or from
-- before this migration, the customer is looked at by itself until it is taken in.
ALTER TABLE customers ADD COLUMN taken_in TEXT;
CREATE INDEX customers_left ON customers (org_id, seq) WHERE taken_in IS DISTINCT FROM search;
