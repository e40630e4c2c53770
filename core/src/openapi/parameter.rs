//! Path, query and header parameters of an operation.

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::example::{Fields, example};
use crate::catalogue::Description;

/// All parameters, in the order path, query, header.
pub(super) fn parameters(
    description: &Description,
    query: &Schema,
    list_query: &Value,
    definitions: &Map<String, Value>,
) -> Vec<Value> {
    let mut parameters: Vec<Value> = description
        .path_params
        .iter()
        .map(|name| of_path(name, definitions))
        .collect();
    let query = query.clone().to_value();
    for name in description.query_params {
        parameters.push(of_query(name, &query, list_query));
    }
    if description.delegated {
        parameters.push(json!({
            "name": "X-ORG-ID", "in": "header", "required": false,
            "schema": { "$ref": "#/components/schemas/OrganisationId" },
            "description": "The sub-merchant that a partner acts for. The request must be signed.",
        }));
    }
    if description.method != http::Method::GET {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "schema": { "type": "string", "minLength": 1, "maxLength": 255, "examples": ["order-2026-1121"] },
            "description": "A repeated request with the same key and body returns the first response for 24 hours.",
        }));
    }
    for parameter in &mut parameters {
        parameter["example"] = example(&parameter["schema"], definitions, Fields::Required);
    }
    parameters
}

/// The path parameters alone.
pub(super) fn path_parameters(
    description: &Description,
    definitions: &Map<String, Value>,
) -> Vec<Value> {
    let names = description.path_params.iter();
    names
        .map(|name| {
            let mut parameter = of_path(name, definitions);
            parameter["example"] = example(&parameter["schema"], definitions, Fields::Required);
            parameter
        })
        .collect()
}

fn of_path(name: &str, definitions: &Map<String, Value>) -> Value {
    let record = match name {
        "account" | "account_ref" => "AccountKey".to_owned(),
        "key_id" => "ApiKeyId".to_owned(),
        _ => name
            .split('_')
            .map(|word| word[..1].to_ascii_uppercase() + &word[1..])
            .collect(),
    };
    let schema = match name {
        "transaction_id" => json!({ "type": "integer", "format": "int64" }),
        _ if definitions.contains_key(&record) => {
            json!({ "$ref": format!("#/components/schemas/{record}") })
        }
        _ => json!({ "type": "string" }),
    };
    json!({ "name": name, "in": "path", "required": true, "schema": schema, "description": describe(name) })
}

/// Describes an id parameter by its name: `external_account_id` becomes "The external account's id".
fn describe(name: &str) -> String {
    let words = |text: &str| text.replace('_', " ");
    match name {
        "account" => "The account's id or reference.".to_owned(),
        "account_ref" => "The account's reference, or its id if it has none.".to_owned(),
        _ => match name.strip_suffix("_id") {
            Some(record) => format!("The {}'s id.", words(record)),
            None => format!("The {}.", words(name)),
        },
    }
}

fn of_query(name: &str, query: &Value, list_query: &Value) -> Value {
    let property = |schema: &Value| schema["properties"].get(name).cloned();
    let mut schema = property(query)
        .or_else(|| property(list_query))
        .unwrap_or_else(|| json!({ "type": "string" }));
    let required = query["required"]
        .as_array()
        .is_some_and(|names| names.iter().any(|required| required == name));
    let text = schema
        .as_object_mut()
        .and_then(|schema| schema.remove("description"))
        .unwrap_or_else(|| format!("The {}.", name.replace('_', " ")).into());
    let mut schema = without_null(schema);
    if name == "record_id" {
        // That of an account, which is the first type of a record.
        schema["examples"] = json!(["7"]);
    }
    let mut parameter =
        json!({ "name": name, "in": "query", "required": required, "description": text });
    if schema["type"] == "array" {
        // Comma-separated list.
        parameter["style"] = "form".into();
        parameter["explode"] = false.into();
    }
    parameter["schema"] = schema;
    parameter
}

/// Optional parameters are absent, never null.
fn without_null(mut schema: Value) -> Value {
    if let Some([value, null]) = schema["anyOf"].as_array().map(Vec::as_slice)
        && null["type"] == "null"
    {
        return value.clone();
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(types) = schema["type"].as_array().cloned() {
        let mut kept = types.into_iter().filter(|kind| kind != "null");
        schema["type"] = match (kept.next(), kept.next()) {
            (Some(one), None) => one,
            (first, second) => first.into_iter().chain(second).chain(kept).collect(),
        };
    }
    schema
}
