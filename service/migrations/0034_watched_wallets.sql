-- An address that the service holds is one organisation's. A wallet outside may be watched by several, each for itself.

{SQLITE} CREATE TABLE new_addresses (
{SQLITE}     chain_id BIGINT NOT NULL REFERENCES chains (id),
{SQLITE}     address {ID} NOT NULL,
{SQLITE}     org_id {ID} NOT NULL REFERENCES organisations (id),
{SQLITE}     account_id BIGINT NOT NULL REFERENCES accounts (id),
{SQLITE}     payment_id {ID},
{SQLITE}     watched BIGINT NOT NULL,
{SQLITE}     PRIMARY KEY (chain_id, address, org_id)
{SQLITE} ) {CLUSTERED};
{SQLITE} INSERT INTO new_addresses (chain_id, address, org_id, account_id, payment_id, watched)
{SQLITE}     SELECT chain_id, address, org_id, account_id, payment_id, 0 FROM addresses;
{SQLITE} DROP TABLE addresses;
{SQLITE} ALTER TABLE new_addresses RENAME TO addresses;

{POSTGRES} ALTER TABLE addresses DROP CONSTRAINT addresses_pkey;
{POSTGRES} ALTER TABLE addresses ADD PRIMARY KEY (chain_id, address, org_id);
{POSTGRES} ALTER TABLE addresses ADD COLUMN watched BIGINT NOT NULL DEFAULT 0;
{POSTGRES} ALTER TABLE addresses ALTER COLUMN watched DROP DEFAULT;

UPDATE addresses SET watched = 1 WHERE payment_id IS NULL AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = addresses.account_id
    AND a.record LIKE '%"provider":"External"%' AND LOWER(a.record) LIKE '%"address":"' || addresses.address || '"%');

CREATE UNIQUE INDEX addresses_held ON addresses (chain_id, address) WHERE watched = 0;

-- What a wallet is to sign so that an account of it is proven: one for each account, gone once it was used.
CREATE TABLE ownership_challenges (
    account_id BIGINT NOT NULL PRIMARY KEY REFERENCES accounts (id),
    org_id {ID} NOT NULL REFERENCES organisations (id),
    message TEXT NOT NULL,
    expires_at BIGINT NOT NULL
) {STRICT};
