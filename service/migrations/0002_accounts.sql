-- Virtual accounts, permanent addresses, destinations of payouts; what deleting an account has to look at.

CREATE TABLE pay_in_addresses (
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, seq)
) {STRICT};
CREATE INDEX pay_in_addresses_by_time ON pay_in_addresses (account_id, created_at, seq);

CREATE TABLE external_accounts (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    reference {ID},
    -- The holder's name and the account's number, sealed: only hints of them stand in the record.
    secret {BLOB},
    record TEXT NOT NULL,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX external_accounts_by_time ON external_accounts (org_id, created_at, seq);
CREATE UNIQUE INDEX external_accounts_by_reference ON external_accounts (org_id, reference) WHERE deleted_at IS NULL AND reference IS NOT NULL;

CREATE INDEX payments_by_account ON payments (org_id, account_id, status);
CREATE INDEX movements_under_way ON movements (account_id) WHERE status IN ('Pending', 'Processing');
