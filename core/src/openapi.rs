//! The OpenAPI 3.1 document, printed from the catalogue.
//!
//! Only the documents need this room: it stands behind the feature `schema`, and nothing at run time may depend on it.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::catalogue::{CATALOGUE, Description};
use crate::error::Reason;
use crate::operation::{Auth, Operation, Wire};
use crate::{PREFIX, header};

/// The schemas of one operation, as references into the document's components.
pub struct Schemas {
    query: Schema,
    body: Schema,
    response: Schema,
}

/// The schemas of an operation's query, body and answer.
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

/// The whole document.
pub fn document() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    generator.subschema_for::<crate::envelope::ErrorEnvelope>();
    let list_query = <crate::page::ListQuery as JsonSchema>::json_schema(&mut generator).to_value();
    let mut paths: Map<String, Value> = Map::new();
    for description in CATALOGUE {
        let schemas = (description.schemas)(&mut generator);
        let operation = operation(description, &schemas, &list_query);
        let path = paths.entry(description.path).or_insert_with(|| json!({}));
        path[description.method.as_str().to_ascii_lowercase()] = operation;
    }
    let components = generator.take_definitions(true);
    let rooms: Vec<Value> = rooms()
        .into_iter()
        .map(|room| json!({ "name": room, "description": format!("Operations on {room}s.") }))
        .collect();
    json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "Settlekit",
            "version": "1.0",
            "description": "Merchant payments and settlement: payment links, digital-asset payments, ledger, webhooks.",
            "license": { "name": "MIT", "identifier": "MIT" },
        },
        "servers": [{ "url": PREFIX, "description": "This server." }],
        "tags": rooms,
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "ApiKeyAuth": { "type": "apiKey", "in": "header", "name": "X-API-KEY" },
                "ApiNonce": { "type": "apiKey", "in": "header", "name": "X-API-Nonce", "description": "A UUIDv7, used once." },
                "ApiSignature": { "type": "apiKey", "in": "header", "name": "X-API-Signature", "description": "Hex HMAC-SHA256 of the request." },
                "Session": { "type": "apiKey", "in": "cookie", "name": header::SESSION_COOKIE, "description": "The dashboard's session." },
            },
        },
    })
}

fn rooms() -> Vec<&'static str> {
    let mut rooms: Vec<&str> = CATALOGUE
        .iter()
        .map(|description| description.room)
        .collect();
    rooms.dedup();
    rooms
}

fn operation(description: &Description, schemas: &Schemas, list_query: &Value) -> Value {
    let mut operation = json!({
        "operationId": camel(description.id),
        "tags": [description.room],
        "summary": description.summary.lines().next().unwrap_or_default(),
        "description": description.summary,
        "parameters": parameters(description, schemas, list_query),
        "responses": responses(description, schemas),
        "security": security(description),
    });
    if !description.body_fields.is_empty() {
        operation["requestBody"] = json!({ "required": true, "content": { "application/json": { "schema": schemas.body } } });
    }
    if description.deprecated.is_some() {
        operation["deprecated"] = true.into();
    }
    operation
}

/// `CreatePaylink` as JavaScript says it: `createPaylink`.
pub fn camel(id: &str) -> String {
    let mut letters = id.chars();
    letters
        .next()
        .map(|first| first.to_ascii_lowercase())
        .into_iter()
        .chain(letters)
        .collect()
}

fn parameters(description: &Description, schemas: &Schemas, list_query: &Value) -> Vec<Value> {
    let mut parameters: Vec<Value> = description
        .path_params
        .iter()
        .map(|name| {
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" },
                "description": format!("The {}.", name.replace('_', " ")) })
        })
        .collect();
    let query = schemas.query.clone().to_value();
    let property = |name: &str| {
        let find = |schema: &Value| schema["properties"].get(name).cloned();
        find(&query)
            .or_else(|| find(list_query))
            .unwrap_or_else(|| json!({ "type": "string" }))
    };
    let required = |name: &str| {
        query["required"]
            .as_array()
            .is_some_and(|names| names.iter().any(|required| required == name))
    };
    for name in description.query_params {
        let mut schema = property(name);
        let text = schema
            .as_object_mut()
            .and_then(|schema| schema.remove("description"))
            .unwrap_or_else(|| "A parameter.".into());
        let schema = without_null(schema);
        let mut parameter =
            json!({ "name": name, "in": "query", "required": required(name), "description": text });
        if schema["type"] == "array" {
            // Entries are separated by commas.
            parameter["style"] = "form".into();
            parameter["explode"] = false.into();
        }
        parameter["schema"] = schema;
        parameters.push(parameter);
    }
    if description.delegated {
        parameters.push(json!({ "name": "X-ORG-ID", "in": "header", "required": false, "schema": { "type": "string" },
            "description": "The sub-merchant a partner acts for; the request must then be signed." }));
    }
    if description.method != http::Method::GET {
        parameters.push(
            json!({ "name": "Idempotency-Key", "in": "header", "required": false,
            "schema": { "type": "string", "maxLength": 255 },
            "description": "The same key and body give the first answer again for 24 hours." }),
        );
    }
    parameters
}

/// An optional parameter is absent, never null.
fn without_null(schema: Value) -> Value {
    if let Some([value, null]) = schema["anyOf"].as_array().map(Vec::as_slice)
        && null["type"] == "null"
    {
        return value.clone();
    }
    match schema["type"].as_array().cloned() {
        Some(types) => {
            let mut schema = schema;
            let kept: Vec<Value> = types.into_iter().filter(|kind| kind != "null").collect();
            schema["type"] = if kept.len() == 1 {
                kept[0].clone()
            } else {
                kept.into()
            };
            schema
        }
        None => schema,
    }
}

fn responses(description: &Description, schemas: &Schemas) -> Value {
    let data = &schemas.response;
    let schema = match description.wire {
        Wire::Bare => json!(data),
        Wire::List => json!({ "type": "object", "required": ["data", "error"],
            "properties": { "data": data, "error": { "const": false } } }),
        Wire::Envelope => json!({ "type": "object", "required": ["data", "error", "message"],
            "properties": { "data": data, "error": { "const": false }, "message": { "type": "string" } } }),
    };
    let mut responses = json!({
        description.success.as_str(): { "description": "Done.", "content": { "application/json": { "schema": schema } } },
    });
    let mut statuses: Vec<u16> = Reason::ALL
        .iter()
        .map(|reason| reason.status().as_u16())
        .collect();
    statuses.sort_unstable();
    statuses.dedup();
    let known = |status: &u16| match status {
        401 | 403 => description.auth != Auth::Public || description.sandbox,
        404 => !description.path_params.is_empty() || description.delegated,
        405 => false,
        409 | 413 | 422 => description.method != http::Method::GET,
        _ => true,
    };
    for status in statuses.iter().filter(|status| known(status)) {
        let code = http::StatusCode::from_u16(*status)
            .ok()
            .and_then(|code| code.canonical_reason())
            .unwrap_or("Refused");
        responses[status.to_string()] = json!({
            "description": format!("{code}."),
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ErrorEnvelope" } } },
        });
    }
    responses
}

fn security(description: &Description) -> Value {
    match description.auth {
        Auth::Public => json!([]),
        Auth::Session => json!([{ "Session": [] }]),
        Auth::Key => json!([{ "ApiKeyAuth": [] }, { "Session": [] }]),
        Auth::Signed => {
            json!([{ "ApiKeyAuth": [], "ApiNonce": [], "ApiSignature": [] }, { "Session": [] }])
        }
    }
}
