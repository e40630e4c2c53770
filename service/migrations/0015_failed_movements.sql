-- What failed lately, however much went through.
CREATE INDEX movements_failed ON movements (org_id, created_at) WHERE status = 'Failed';
