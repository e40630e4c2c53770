//! A request and a response of every operation, printed from the OpenAPI document: core, its WebAssembly and the
//! npm client are tested against the same lines of `tests/vectors/operations.jsonl`.

use serde_json::{Map, Value, json};
use settlekit_core::call::Arguments;
use settlekit_core::catalogue::{CATALOGUE, Description};
use settlekit_core::openapi;

use crate::documents::current;

/// Fields that an operation's rules need in addition to the required ones.
const ALSO: [(&str, &str, &str); 1] = [("RequestQuote", "sell_amount", "12.50")];

/// The description of an operation in the document.
fn described<'a>(document: &'a Value, operation: &Description) -> &'a Value {
    let method = operation.method.as_str().to_lowercase();
    &document["paths"][operation.path][&method]
}

fn arguments(described: &Value, operation: &Description) -> Value {
    let mut places: [Map<String, Value>; 2] = [Map::new(), Map::new()];
    for parameter in described["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        let also = ALSO.contains(&(operation.id, name, "12.50"));
        let needed = parameter["required"] == true || also || name == "limit" || name == "sort";
        let place = match parameter["in"].as_str() {
            Some("path") => 0,
            Some("query") if needed => 1,
            _ => continue,
        };
        let example = match &parameter["example"] {
            Value::Null => parameter["schema"]["example"].clone(),
            example => example.clone(),
        };
        places[place].insert(name.to_owned(), example);
    }
    let [path, query] = places;
    let body = &described["requestBody"]["content"]["application/json"]["example"];
    json!({ "path": path, "query": query, "body": body })
}

fn line(document: &Value, operation: &Description) -> Value {
    let described = described(document, operation);
    let arguments = arguments(described, operation);
    let given: Arguments = serde_json::from_value(arguments.clone()).expect("arguments");
    let request = operation
        .outline
        .request("", &given)
        .unwrap_or_else(|report| panic!("{}: {arguments}: {:?}", operation.id, report.errors()));
    let status = operation.success.as_u16().to_string();
    let answer = &described["responses"][&status]["content"]["application/json"]["example"];
    let sent: Value = match request.body().as_slice() {
        [] => Value::Null,
        bytes => serde_json::from_slice(bytes).expect("JSON"),
    };
    json!({
        "operation": operation.id,
        "arguments": arguments,
        "request": { "method": request.method().as_str(), "target": request.uri().to_string(), "body": sent },
        "answer": { "status": operation.success.as_u16(), "body": answer },
    })
}

#[test]
fn every_operation_has_a_recorded_request_and_response() {
    let document = openapi::document();
    let mut lines = String::new();
    for operation in CATALOGUE {
        lines.push_str(&line(&document, operation).to_string());
        lines.push('\n');
    }
    current("tests/vectors/operations.jsonl", &lines);
}
