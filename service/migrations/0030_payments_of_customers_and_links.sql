-- A customer's payments and those that a link began are listed: looked for along their numbers, and written only where there is one.

CREATE INDEX payments_by_customer ON payments (org_id, customer_id, seq) WHERE customer_id IS NOT NULL;
CREATE INDEX payments_by_paylink ON payments (org_id, paylink_id, seq) WHERE paylink_id IS NOT NULL;
