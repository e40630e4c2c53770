-- PostgreSQL looks up and locks what a new row refers to, each reference for itself. What every booking adds names its
-- organisation and says it once more by something of that organisation's: a transfer by the accounts of its postings, a movement
-- by its account, a transaction by its movement, with the account and the chain. SQLite cannot drop a reference, and looks it up
-- for next to nothing.

{POSTGRES} ALTER TABLE transfers DROP CONSTRAINT IF EXISTS transfers_org_id_fkey;
{POSTGRES} ALTER TABLE movements DROP CONSTRAINT IF EXISTS movements_org_id_fkey;
{POSTGRES} ALTER TABLE chain_transactions DROP CONSTRAINT IF EXISTS chain_transactions_org_id_fkey;
{POSTGRES} ALTER TABLE chain_transactions DROP CONSTRAINT IF EXISTS chain_transactions_account_id_fkey;
