-- Payouts: what a payment that goes out needs to be sent and confirmed.

CREATE TABLE payouts (
    payment_id {ID} NOT NULL PRIMARY KEY REFERENCES payments (id),
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    movement_id BIGINT NOT NULL REFERENCES movements (id),
    to_address TEXT NOT NULL,
    amount {AMOUNT} NOT NULL,
    fee {AMOUNT} NOT NULL,
    fee_currency {ID} NOT NULL,
    hash {ID},
    sent_at BIGINT,
    created_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX payouts_by_time ON payouts (org_id, created_at, seq);
