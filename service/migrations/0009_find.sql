-- What the merchant wrote on a record, or the chain gave it, and the record: for finding one by the other.

CREATE TABLE findable (
    org_id {ID} NOT NULL REFERENCES organisations (id),
    text {ID} NOT NULL,
    kind {ID} NOT NULL,
    id {ID} NOT NULL,
    PRIMARY KEY (org_id, text, kind, id)
) {CLUSTERED};
