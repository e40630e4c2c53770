-- What is not read need not be written. Bounds in time are found by halves along the numbers of a list, whose moments never go
-- back; an event without a document is looked for by none, nor is a transaction without a payment; and the audit walks all
-- postings by their number.

DROP INDEX api_keys_by_time;
DROP INDEX accounts_by_time;
DROP INDEX movement_lists_by_time;
DROP INDEX plans_by_time;
DROP INDEX paylinks_by_time;
DROP INDEX customers_by_time;
DROP INDEX payments_by_time;
DROP INDEX events_by_time;
DROP INDEX pay_in_addresses_by_time;
DROP INDEX external_accounts_by_time;
DROP INDEX payouts_by_time;
DROP INDEX subscriptions_by_time;
DROP INDEX invoices_by_time;
DROP INDEX automations_by_time;
DROP INDEX quotes_by_time;
DROP INDEX orders_by_time;
DROP INDEX organisations_of_partner_by_time;
DROP INDEX members_by_time;

DROP INDEX events_by_document;
CREATE INDEX events_of_document ON events (org_id, document_id, seq) WHERE document_id IS NOT NULL;

DROP INDEX chain_transactions_by_payment;
CREATE INDEX chain_transactions_of_payment ON chain_transactions (org_id, payment_id, id) WHERE payment_id IS NOT NULL;

DROP INDEX postings_by_account;
