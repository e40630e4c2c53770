-- Replays of events, and faults that a sandbox was told to make.

CREATE TABLE replays (
    id {ID} NOT NULL PRIMARY KEY,
    org_id {ID} NOT NULL REFERENCES organisations (id),
    status {ID} NOT NULL,
    filter TEXT NOT NULL,
    -- The number in the log up to which it has come, and the one where it ends.
    after_seq BIGINT NOT NULL,
    last_seq BIGINT NOT NULL,
    record TEXT NOT NULL,
    created_at BIGINT NOT NULL
) {STRICT};
CREATE INDEX replays_running ON replays (created_at, id) WHERE status = 'Running';

CREATE TABLE faults (
    id {IDENTITY},
    org_id {ID} NOT NULL REFERENCES organisations (id),
    operation {ID},
    reason {ID} NOT NULL,
    after_commit BIGINT NOT NULL,
    calls BIGINT NOT NULL
) {STRICT};
CREATE INDEX faults_by_organisation ON faults (org_id, id);
