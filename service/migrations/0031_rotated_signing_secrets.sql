-- Signing secrets that were replaced and still verify requests for a while.
CREATE TABLE retired_signing_secrets (
    org_id {ID} NOT NULL REFERENCES organisations (id),
    secret_id {ID} NOT NULL,
    secret {BLOB} NOT NULL,
    retires_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, secret_id)
) {CLUSTERED};
