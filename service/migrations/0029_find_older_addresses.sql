-- Permanent addresses from before they were found by the reference that the merchant gave them are found by it, too. A record with a
-- NUL in it, which none may have any more, PostgreSQL does not read.

{SQLITE} INSERT INTO findable (org_id, text, kind, id)
{SQLITE}     SELECT org_id, record ->> 'reference', 'Account', CAST(record ->> 'account_id' AS TEXT) FROM pay_in_addresses
{SQLITE}     WHERE record ->> 'reference' IS NOT NULL ON CONFLICT DO NOTHING;

{POSTGRES} INSERT INTO findable (org_id, text, kind, id)
{POSTGRES}     SELECT org_id, made ->> 'reference', 'Account', made ->> 'account_id'
{POSTGRES}     FROM (SELECT org_id, CASE WHEN POSITION('\u0000' IN record) = 0 THEN record::json END AS made FROM pay_in_addresses) AS addresses
{POSTGRES}     WHERE made ->> 'reference' IS NOT NULL ON CONFLICT DO NOTHING;
