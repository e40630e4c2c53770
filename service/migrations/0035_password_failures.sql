-- Failed attempts at passwords, by the hash of whose attempts they are: those of strangers at an account, and those of each device on
-- which the account has signed in before.
CREATE TABLE password_failures (
    bucket {BLOB} NOT NULL PRIMARY KEY,
    failures BIGINT NOT NULL,
    blocked_until BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX password_failures_by_end ON password_failures (expires_at);
