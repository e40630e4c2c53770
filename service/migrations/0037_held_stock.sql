-- What unpaid checkouts hold of a limited plan, and from which networks they were begun.

ALTER TABLE plans ADD COLUMN held_quantity BIGINT NOT NULL DEFAULT 0;

-- One row for each checkout of a limited link that is not paid. The network is a keyed digest: an address of a payer is
-- not stored.
CREATE TABLE checkout_holds (
    payment_id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organisations (id),
    paylink_id TEXT NOT NULL,
    network {BLOB} NOT NULL,
    created_at BIGINT NOT NULL
) {STRICT};

CREATE INDEX checkout_holds_by_time ON checkout_holds (created_at);
CREATE INDEX checkout_holds_by_network ON checkout_holds (org_id, paylink_id, network, created_at);
