//! The schemas of one operation.

use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::operation::Operation;

/// The schemas of one operation, as references to the document's components.
pub struct Schemas {
    pub(super) query: Schema,
    pub(super) body: Schema,
    pub(super) response: Schema,
}

pub(crate) fn schemas<O: Operation>(generator: &mut SchemaGenerator) -> Schemas
where
    O::Query: JsonSchema,
    O::Body: JsonSchema,
    O::Response: JsonSchema,
{
    Schemas {
        query: O::Query::json_schema(generator),
        body: generator.subschema_for::<O::Body>(),
        response: generator.subschema_for::<O::Response>(),
    }
}
