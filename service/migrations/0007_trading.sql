-- Quotes, and the orders that are made of them.

CREATE TABLE quotes (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    status {ID} NOT NULL,
    lapses_at BIGINT,
    terms TEXT NOT NULL,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX quotes_by_time ON quotes (org_id, created_at, seq);
CREATE INDEX quotes_by_lapse ON quotes (lapses_at) WHERE lapses_at IS NOT NULL;

-- `due_at` is when the service looks at an order again by itself. `held` are the movements of what is sold, once set aside.
CREATE TABLE orders (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    quote_id {ID} NOT NULL UNIQUE REFERENCES quotes (id),
    status {ID} NOT NULL,
    due_at BIGINT,
    held TEXT NOT NULL,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX orders_by_time ON orders (org_id, created_at, seq);
CREATE INDEX orders_due ON orders (due_at) WHERE due_at IS NOT NULL;
