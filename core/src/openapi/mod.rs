//! The OpenAPI 3.1 document, printed from the catalogue.
//!
//! Used by the documents only: it needs the feature `schema`, and nothing at run time may depend on it.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::PREFIX;
use crate::catalogue::{CATALOGUE, Description};
use crate::operation::{Auth, Wire};

mod example;
mod parameter;
mod refusal;
pub(crate) mod schemas;
mod security;
mod stream;

use example::{Fields, amend, example};
use schemas::Schemas;

/// The complete document.
pub fn document() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    generator.subschema_for::<crate::envelope::ErrorEnvelope>();
    let list_query = <crate::page::ListQuery as JsonSchema>::json_schema(&mut generator).to_value();
    let described: Vec<(&Description, Schemas)> = CATALOGUE
        .iter()
        .map(|description| (description, (description.schemas)(&mut generator)))
        .collect();
    let mut definitions = generator.take_definitions(true);
    definitions.values_mut().for_each(plain_enumerations);
    let mut paths: Map<String, Value> = Map::new();
    for (description, schemas) in &described {
        let path = paths.entry(description.path).or_insert_with(|| json!({}));
        path[description.method.as_str().to_ascii_lowercase()] =
            operation(description, schemas, &list_query, &definitions);
    }
    stream::describe(&mut paths, &definitions);
    let tags: Vec<Value> = rooms()
        .into_iter()
        .map(|room| json!({ "name": room, "description": describe_room(room) }))
        .collect();
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Settlekit",
            "version": "1.0",
            "description": "Merchant payments and settlement: payment links, digital-asset payments, ledger, webhooks.",
            "contact": { "name": "The operator of this server" },
            "license": { "name": "MIT", "identifier": "MIT" },
        },
        "servers": [{ "url": PREFIX, "description": "This server." }],
        "tags": tags,
        "paths": paths,
        "components": {
            "examples": refusal::examples(),
            "securitySchemes": security::schemes(),
        },
    });
    remove_unused(&mut definitions, &document);
    document["components"]["schemas"] = definitions.into();
    document
}

/// Removes unreferenced definitions: parameters and empty bodies are inlined.
fn remove_unused(definitions: &mut Map<String, Value>, document: &Value) {
    let mut used = Vec::new();
    references(document, &mut used);
    let mut next = 0;
    while next < used.len() {
        if let Some(schema) = definitions.get(&used[next]) {
            references(schema, &mut used);
        }
        next += 1;
    }
    definitions.retain(|name, _| used.contains(name));
}

fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let name = fields
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|path| path.strip_prefix("#/components/schemas/"));
            if let Some(name) = name
                && !found.iter().any(|known| known == name)
            {
                found.push(name.to_owned());
            }
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

/// Removes null from the values of an optional enumeration; its type already allows null.
fn plain_enumerations(schema: &mut Value) {
    if let Some(fields) = schema.as_object_mut() {
        if let Some(Value::Array(values)) = fields.get_mut("enum") {
            values.retain(|value| !value.is_null());
        }
        fields.values_mut().for_each(plain_enumerations);
    } else if let Some(values) = schema.as_array_mut() {
        values.iter_mut().for_each(plain_enumerations);
    }
}

fn rooms() -> Vec<&'static str> {
    let mut rooms: Vec<&str> = CATALOGUE
        .iter()
        .map(|description| description.room)
        .collect();
    rooms.dedup();
    rooms
}

fn describe_room(room: &str) -> String {
    let words = match room {
        "account" => "Accounts that receive and hold money, their balances and movements.",
        "api_key" => "API keys.",
        "automation" => "Automatic payouts and low-balance events of a partner's accounts.",
        "chain" => "Supported chains and their assets.",
        "checkout" => "The hosted payment page.",
        "customer" => "Payers.",
        "event" => "Events and their webhook deliveries.",
        "external_account" => "Payout destinations.",
        "find" => "Search by id, reference, address or transaction hash.",
        "installation" => {
            "Chains, nodes and hot wallets of the installation, for the members who operate it."
        }
        "invoice" => "Invoices of subscriptions.",
        "member" => "Team members and invitations.",
        "note" => "Notes of members on records.",
        "organisation" => "Settings, signing secret and webhook key of the merchant.",
        "overview" => "Balances, volume and open issues at a glance.",
        "partner" => "Sub-merchants of a partner and their accounts.",
        "paylink" => "Payment links.",
        "payment" => "Payments and refunds.",
        "payout" => "Payouts and their cost.",
        "plan" => "Billing plans: products and prices.",
        "quote" => "Firm and estimated trade prices.",
        "rate" => "What currencies are worth in US dollars, now and before.",
        "sandbox" => {
            "Simulated deposits, failures and time, and an inbox of webhooks. Sandbox mode only."
        }
        "saved_view" => "Saved views of the dashboard's lists.",
        "session" => "Dashboard sign-in and passwords.",
        "subscription" => "Recurring billing.",
        "trade" => "Exchange of one currency for another.",
        _ => return format!("Operations of `{room}`."),
    };
    words.to_owned()
}

fn operation(
    description: &Description,
    schemas: &Schemas,
    list_query: &Value,
    definitions: &Map<String, Value>,
) -> Value {
    let mut operation = json!({
        "operationId": camel(description.id),
        "tags": [description.room],
        "summary": description.summary.lines().next().unwrap_or_default(),
        "description": describe(description),
        "parameters": parameter::parameters(description, &schemas.query, list_query, definitions),
        "responses": responses(description, schemas, definitions),
        "security": security::security(description),
    });
    if !description.body_fields.is_empty() {
        let body = schemas.body.clone().to_value();
        let mut shown = example(&body, definitions, Fields::Required);
        amend(description.id, &mut shown);
        operation["requestBody"] = json!({
            "description": "A JSON object. Unknown fields are rejected.",
            "required": true,
            "content": { "application/json": { "schema": body, "example": shown } },
        });
    }
    if description.deprecated.is_some() {
        operation["deprecated"] = true.into();
    }
    operation
}

/// Description of an operation: summary and requirements.
fn describe(description: &Description) -> String {
    let mut text = description.summary.to_owned();
    if description.auth != Auth::Public && description.auth != Auth::Session {
        text.push_str(&format!("\n\nScope: `{}`.", description.scope.as_str()));
    }
    if description.sandbox {
        text.push_str("\n\nSandbox mode only.");
    }
    text
}

/// The operation id in the document: `CreatePaylink` becomes `createPaylink`.
pub fn camel(id: &str) -> String {
    let mut letters = id.chars();
    letters
        .next()
        .map(|first| first.to_ascii_lowercase())
        .into_iter()
        .chain(letters)
        .collect()
}

fn responses(
    description: &Description,
    schemas: &Schemas,
    definitions: &Map<String, Value>,
) -> Value {
    let data = schemas.response.clone().to_value();
    let shown = example(&data, definitions, Fields::All);
    let (schema, shown) = match description.wire {
        Wire::Bare => (data, shown),
        Wire::List => (
            json!({ "type": "object", "required": ["data", "error"],
                "properties": { "data": data, "error": { "const": false } } }),
            json!({ "data": shown, "error": false }),
        ),
        Wire::Envelope => (
            json!({ "type": "object", "required": ["data", "error", "message"],
                "properties": { "data": data, "error": { "const": false }, "message": { "type": "string" } } }),
            json!({ "data": shown, "error": false, "message": "OK" }),
        ),
    };
    let mut responses = json!({
        description.success.as_str(): {
            "description": "Success.",
            "content": { "application/json": { "schema": schema, "example": shown } },
        },
    });
    for (status, response) in refusal::responses(description) {
        responses[status] = response;
    }
    responses
}
