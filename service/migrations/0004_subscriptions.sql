-- Subscriptions and their invoices. What is due by the clock stands in a column with an index over what is not null.

CREATE TABLE subscriptions (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    customer_id {ID} NOT NULL REFERENCES customers (id),
    status {ID} NOT NULL,
    -- When it began, how its periods run, which one it is in.
    billing TEXT NOT NULL,
    due_at BIGINT,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX subscriptions_by_time ON subscriptions (org_id, created_at, seq);
CREATE INDEX subscriptions_by_customer ON subscriptions (org_id, customer_id, seq);
CREATE INDEX subscriptions_by_status ON subscriptions (org_id, status, seq);
CREATE INDEX subscriptions_due ON subscriptions (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE invoices (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    subscription_id {ID} NOT NULL REFERENCES subscriptions (id),
    customer_id {ID} NOT NULL REFERENCES customers (id),
    payment_status {ID} NOT NULL,
    dunning_status {ID} NOT NULL,
    due_at BIGINT NOT NULL,
    -- When it is looked at again by itself: at its due date, and then for each reminder.
    looked_at BIGINT,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq),
    UNIQUE (subscription_id, due_at)
) {STRICT};
CREATE INDEX invoices_by_time ON invoices (org_id, created_at, seq);
CREATE INDEX invoices_by_customer ON invoices (org_id, customer_id, seq);
CREATE INDEX invoices_by_payment ON invoices (org_id, payment_status, seq);
CREATE INDEX invoices_looked_at ON invoices (looked_at) WHERE looked_at IS NOT NULL;
