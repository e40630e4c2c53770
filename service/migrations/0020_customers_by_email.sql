-- Whoever pays again with the same e-mail address is the same customer, whatever the merchant has named them since. A process of
-- the version before writes no address here: those customers are recognised by their reference, as before, until they change.
ALTER TABLE customers ADD COLUMN email {ID};
UPDATE customers SET email = lower({RECORD} ->> 'email');
CREATE INDEX customers_by_email ON customers (org_id, email, seq) WHERE email IS NOT NULL;
