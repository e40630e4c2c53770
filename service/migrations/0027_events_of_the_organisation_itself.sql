-- Those of the organisation itself are found by its id too, by a member's or by a key's. From here on they are delivered one after
-- the other as all events of one record are, so that nobody hears of an older setting last.

{SQLITE} UPDATE events SET document_id = CAST(data ->> 'id' AS TEXT) WHERE document_id IS NULL AND type = 'Org' AND data ->> 'id' IS NOT NULL;
{POSTGRES} UPDATE events SET document_id = data::json ->> 'id' WHERE document_id IS NULL AND type = 'Org' AND data::json ->> 'id' IS NOT NULL;
