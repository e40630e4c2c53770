-- The people of an organisation: invited, there, or gone. Who is there has a row of the same id in `users`, with what they sign in
-- by. Whoever could sign in until now could do everything.

CREATE TABLE members (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    seq BIGINT NOT NULL,
    email {ID} NOT NULL,
    name TEXT,
    role {ID} NOT NULL,
    invitation_hash {BLOB} UNIQUE,
    invitation_expires_at BIGINT,
    joined_at BIGINT,
    last_signed_in_at BIGINT,
    removed_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, seq)
) {STRICT};
CREATE INDEX members_by_time ON members (org_id, created_at, seq);
CREATE UNIQUE INDEX members_by_email ON members (org_id, email) WHERE removed_at IS NULL;
CREATE INDEX sessions_by_user ON sessions (user_id);

INSERT INTO members (id, org_id, seq, email, name, role, joined_at, created_at, updated_at)
    SELECT id, org_id, (
        SELECT COUNT(*) FROM users o WHERE o.org_id = users.org_id
            AND (o.created_at < users.created_at OR (o.created_at = users.created_at AND o.id <= users.id))
    ), email, name, 'owner', created_at, created_at, created_at FROM users;

INSERT INTO sequences (owner, kind, last_seq, last_at)
    SELECT org_id, 'members', COUNT(*), MAX(created_at) FROM users GROUP BY org_id;
