-- What an event is about that belongs to nothing else: the record itself, so that its events are found however many
-- there are. Those of the organisation itself are about nothing: what is about one thing is delivered one after the other.

{SQLITE} UPDATE events SET document_id = CAST(data ->> 'id' AS TEXT) WHERE document_id IS NULL AND type <> 'Org' AND data ->> 'id' IS NOT NULL;
{POSTGRES} UPDATE events SET document_id = data::json ->> 'id' WHERE document_id IS NULL AND type <> 'Org' AND data::json ->> 'id' IS NOT NULL;
