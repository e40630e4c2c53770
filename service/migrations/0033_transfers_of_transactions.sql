-- One transaction can hold several transfers of a currency to one address, and several organisations may watch that address: a seen
-- transfer is one by its organisation, its transaction and its position in that.

{SQLITE} CREATE TABLE new_chain_transactions (
{SQLITE}     id {IDENTITY},
{SQLITE}     org_id {ID} NOT NULL REFERENCES organisations (id),
{SQLITE}     chain_id BIGINT NOT NULL REFERENCES chains (id),
{SQLITE}     hash {ID} NOT NULL,
{SQLITE}     to_address {ID} NOT NULL,
{SQLITE}     from_address TEXT,
{SQLITE}     currency {ID} NOT NULL,
{SQLITE}     amount {AMOUNT} NOT NULL,
{SQLITE}     account_id BIGINT NOT NULL REFERENCES accounts (id),
{SQLITE}     payment_id {ID},
{SQLITE}     movement_id BIGINT NOT NULL REFERENCES movements (id),
{SQLITE}     status {ID} NOT NULL,
{SQLITE}     confirmations BIGINT NOT NULL,
{SQLITE}     source {ID} NOT NULL,
{SQLITE}     created_at BIGINT NOT NULL,
{SQLITE}     updated_at BIGINT NOT NULL,
{SQLITE}     transfer {ID} NOT NULL
{SQLITE} ) {STRICT};
{SQLITE} INSERT INTO new_chain_transactions (id, org_id, chain_id, hash, to_address, from_address, currency, amount, account_id, payment_id,
{SQLITE}     movement_id, status, confirmations, source, created_at, updated_at, transfer)
{SQLITE}     SELECT id, org_id, chain_id, hash, to_address, from_address, currency, amount, account_id, payment_id, movement_id, status,
{SQLITE}     confirmations, source, created_at, updated_at, 'value' FROM chain_transactions;
{SQLITE} DROP TABLE chain_transactions;
{SQLITE} ALTER TABLE new_chain_transactions RENAME TO chain_transactions;
{SQLITE} CREATE INDEX chain_transactions_of_payment ON chain_transactions (org_id, payment_id, id) WHERE payment_id IS NOT NULL;

{POSTGRES} ALTER TABLE chain_transactions DROP CONSTRAINT chain_transactions_chain_id_hash_to_address_currency_key;
{POSTGRES} ALTER TABLE chain_transactions ADD COLUMN transfer {ID} NOT NULL DEFAULT 'value';
{POSTGRES} ALTER TABLE chain_transactions ALTER COLUMN transfer DROP DEFAULT;

-- What was seen before was one transfer for each address and currency: tokens get the position that is free, in order of sight.
UPDATE chain_transactions SET transfer = 'log:' || (SELECT COUNT(*) FROM chain_transactions e WHERE e.chain_id = chain_transactions.chain_id
        AND e.hash = chain_transactions.hash AND e.org_id = chain_transactions.org_id AND e.id < chain_transactions.id)
    WHERE EXISTS (SELECT 1 FROM assets s WHERE s.chain_id = chain_transactions.chain_id AND s.symbol = chain_transactions.currency
        AND s.token_address IS NOT NULL);

CREATE UNIQUE INDEX chain_transactions_by_transfer ON chain_transactions (chain_id, hash, org_id, transfer);
