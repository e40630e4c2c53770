-- What an organisation can still accept, however many quotes others have open.
CREATE INDEX quotes_open ON quotes (org_id, lapses_at) WHERE lapses_at IS NOT NULL;
