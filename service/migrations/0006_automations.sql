-- Automations of accounts: looked at when a balance changes, and by their schedule.

CREATE TABLE automations (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    seq BIGINT NOT NULL,
    -- The thresholds and where the surplus goes; what the record shows is made of them.
    rule TEXT NOT NULL,
    record TEXT NOT NULL,
    enabled BIGINT NOT NULL,
    due_at BIGINT,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (account_id, seq)
) {STRICT};
CREATE INDEX automations_by_time ON automations (account_id, created_at, seq);
CREATE INDEX automations_by_account ON automations (org_id, account_id);
CREATE INDEX automations_due ON automations (due_at) WHERE due_at IS NOT NULL;
