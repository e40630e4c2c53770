-- Writers of PostgreSQL wait for each other by this table, which holds nothing: whoever has to be alone locks it.

CREATE TABLE turns (empty BIGINT) {STRICT};

-- Events of one document stand in line: one is sent when none before it is unfinished. Those that wait are pending without a
-- `next_attempt_at`.

CREATE INDEX events_in_line ON events (org_id, document_id, seq) WHERE delivery_status = 'pending';
