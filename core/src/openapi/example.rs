//! Examples for the documents, made out of the schemas' own: no example of a request or an answer is written by hand.

use serde_json::{Map, Value, json};

/// Records hold records that hold the first again: from this depth on, only what must be there is shown.
const DEPTH_MAX: u32 = 2;

/// Which fields of a record an example shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fields {
    /// All of them, as an answer may carry them.
    All,
    /// Those that must be there; all of a record in which none must.
    Required,
}

/// A value that the schema allows. References lead into `definitions`.
pub(super) fn example(schema: &Value, definitions: &Map<String, Value>, fields: Fields) -> Value {
    Examples {
        definitions,
        fields,
    }
    .of(schema, 0)
}

struct Examples<'a> {
    definitions: &'a Map<String, Value>,
    fields: Fields,
}

impl Examples<'_> {
    fn of(&self, schema: &Value, depth: u32) -> Value {
        if let Some(path) = schema["$ref"].as_str() {
            let name = path.rsplit('/').next().unwrap_or(path);
            return match self.definitions.get(name) {
                Some(schema) => self.of(schema, depth),
                None => Value::Null,
            };
        }
        let own = [
            schema.get("const"),
            schema["examples"].get(0),
            schema.get("default").filter(|value| !value.is_null()),
            schema["enum"].get(0),
        ];
        if let Some(value) = own.into_iter().flatten().next() {
            return value.clone();
        }
        for choice in ["anyOf", "oneOf", "allOf"] {
            let mut choices = schema[choice].as_array().into_iter().flatten();
            if let Some(chosen) = choices.find(|choice| choice["type"] != "null") {
                return self.of(chosen, depth);
            }
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().find(|kind| **kind != "null"),
            kind => Some(kind),
        };
        match kind.and_then(Value::as_str) {
            Some("object") => self.object(schema, depth),
            Some("array") => json!([self.of(&schema["items"], depth)]),
            Some("string") => json!("string"),
            Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
            Some("boolean") => json!(true),
            _ => json!({}),
        }
    }

    fn object(&self, schema: &Value, depth: u32) -> Value {
        let required: Vec<&str> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let shows_all = match self.fields {
            Fields::All => depth < DEPTH_MAX,
            Fields::Required => required.is_empty(),
        };
        schema["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(name, _)| shows_all || required.contains(&name.as_str()))
            .map(|(name, schema)| (name.clone(), self.of(schema, depth + 1)))
            .collect()
    }
}
