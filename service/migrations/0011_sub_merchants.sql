-- A partner's sub-merchants are listed: each has its number among them.

ALTER TABLE organisations ADD COLUMN seq BIGINT;

UPDATE organisations SET seq = (
    SELECT COUNT(*) FROM organisations o WHERE o.partner_id = organisations.partner_id
        AND (o.created_at < organisations.created_at OR (o.created_at = organisations.created_at AND o.id <= organisations.id))
) WHERE partner_id IS NOT NULL;

INSERT INTO sequences (owner, kind, last_seq, last_at)
    SELECT partner_id, 'sub-merchants', COUNT(*), MAX(created_at) FROM organisations WHERE partner_id IS NOT NULL GROUP BY partner_id;

CREATE UNIQUE INDEX organisations_of_partner ON organisations (partner_id, seq) WHERE partner_id IS NOT NULL;
CREATE INDEX organisations_of_partner_by_time ON organisations (partner_id, created_at, seq) WHERE partner_id IS NOT NULL;
