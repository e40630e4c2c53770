//! Invalid requests of every operation with the errors of the service, printed to `tests/vectors/refusals.jsonl`: core, its
//! WebAssembly and `settlekit/core` in Node and in a browser are tested against the same lines.

use serde_json::{Map, Value, json};
use settlekit_core::PREFIX;
use settlekit_core::call::Arguments;
use settlekit_core::catalogue::{CATALOGUE, Description};
use settlekit_core::operation::Auth;
use settlekit_tests::database;
use settlekit_tests::world::{Answer, Shop, SignedIn, World};

use crate::documents::current;

const WALLET: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// Values that every field is given, one after the other: each is wrong for most fields, some are right for one.
fn values() -> Vec<Value> {
    vec![
        json!(true),
        json!(0),
        json!(-1),
        json!(1),
        json!(1e300),
        json!(""),
        json!("-1"),
        json!("0"),
        json!("1.123456789012345678901234567890"),
        json!("1"),
        json!("USDC"),
        json!("2020-01-01T00:00:00Z"),
        json!("http://shop.example"),
        json!("http://shop.example/#top"),
        json!("virtual"),
        json!("https://shop.example/thanks"),
        json!("a@b.example"),
        json!("x".repeat(130)),
        json!("a\0b"),
        json!(WALLET),
        json!(WALLET.to_lowercase().replace("5aa", "5Aa")),
        json!([]),
        json!([1, 1]),
        json!(["USDC", "USDC", 7]),
        json!([{}, { "id": 7, "no_such_field": 1 }]),
        json!({}),
        json!({ "no_such_field": [null] }),
    ]
}

/// Arguments of one call, by place.
#[derive(Clone, Default)]
struct Given {
    path: Map<String, Value>,
    query: Map<String, Value>,
    body: Map<String, Value>,
}

impl Given {
    fn arguments(&self, description: &Description) -> Arguments {
        Arguments {
            path: self.path.clone(),
            query: self.query.clone(),
            body: has_body(description).then(|| Value::Object(self.body.clone())),
        }
    }

    /// Path and query as on the wire.
    fn target(&self, description: &Description) -> String {
        let mut path = format!("{PREFIX}{}", description.path);
        for (name, value) in &self.path {
            path = path.replace(&format!("{{{name}}}"), text(value));
        }
        let pairs: Vec<(&str, &str)> = self
            .query
            .iter()
            .map(|(name, value)| (name.as_str(), text(value)))
            .collect();
        match serde_urlencoded::to_string(pairs).expect("a query") {
            query if query.is_empty() => path,
            query => format!("{path}?{query}"),
        }
    }

    fn line(&self, description: &Description, errors: &Value) -> Value {
        let mut all = self.path.clone();
        all.extend(self.query.clone());
        all.extend(self.body.clone());
        json!({ "operation": description.id, "arguments": all, "errors": errors })
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn has_body(description: &Description) -> bool {
    !description.body_fields.is_empty()
}

/// A valid value of every path parameter.
fn path(description: &Description) -> Map<String, Value> {
    let valid = |name: &str| {
        [
            "1", "x", "pay_", "pl_", "plan_", "inv_", "evt_", "ord_", "quo_", "rpl_", "key_",
            "usr_", "org_", "sub_", "sv_", "cus_", "note_", "ETH",
        ]
        .map(|start| {
            if start.ends_with('_') {
                format!("{start}019aa0b5c3f07c0d9f2e3b6a7d8c9e01")
            } else {
                start.to_owned()
            }
        })
        .into_iter()
        .find(|text| {
            errors(
                description,
                &Given {
                    path: only(description.path_params, &json!(text)),
                    ..Given::default()
                },
            )
            .as_array()
            .is_none_or(|errors| errors.iter().all(|error| error["field"] != name))
        })
        .unwrap_or_else(|| panic!("{}: no value for {name}", description.id))
    };
    description
        .path_params
        .iter()
        .map(|name| ((*name).to_owned(), json!(valid(name))))
        .collect()
}

fn only(names: &[&str], value: &Value) -> Map<String, Value> {
    names
        .iter()
        .map(|name| ((*name).to_owned(), value.clone()))
        .collect()
}

/// The errors that core reports; null without any.
fn errors(description: &Description, given: &Given) -> Value {
    let report = description.outline.validate(&given.arguments(description));
    let error = report.to_error(description.room);
    error.map_or(Value::Null, |error| json!(error.errors))
}

/// A text of digits as a number where the field takes a number, as JavaScript writes exact numbers as text; nothing if JavaScript
/// cannot read the number exactly.
fn fitting(description: &Description, field: &str, value: &Value) -> Option<Value> {
    let alone = Given {
        path: path(description),
        body: Map::from_iter([(field.to_owned(), value.clone())]),
        ..Given::default()
    };
    let mistyped = errors(description, &alone)
        .as_array()
        .is_some_and(|errors| {
            let mut errors = errors.iter();
            errors.any(|error| error["field"] == field && error["reason"] == "WRONG_TYPE")
        });
    match value
        .as_str()
        .map(serde_json::from_str::<serde_json::Number>)
    {
        Some(Ok(number)) if mistyped => {
            (number.to_string().len() < 16).then_some(Value::Number(number))
        }
        _ => Some(value.clone()),
    }
}

/// Invalid calls of an operation: without arguments, with an unknown one, and with the same value everywhere.
fn calls(description: &Description) -> Vec<Given> {
    let valid = Given {
        path: path(description),
        ..Given::default()
    };
    let mut calls = vec![valid.clone()];
    let unknown = Map::from_iter([("no_such_field".to_owned(), json!("x"))]);
    calls.push(if has_body(description) {
        Given {
            body: unknown,
            ..valid.clone()
        }
    } else {
        Given {
            query: unknown,
            ..valid.clone()
        }
    });
    for value in values() {
        if has_body(description) {
            let body = description
                .body_fields
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), fitting(description, name, &value)?)))
                .collect();
            calls.push(Given {
                body,
                ..valid.clone()
            });
        }
        if !description.query_params.is_empty() && value.is_string() {
            calls.push(Given {
                query: only(description.query_params, &value),
                ..valid.clone()
            });
        }
    }
    if description.query_params.contains(&"since") {
        let reversed = [
            ("since", "2026-01-02T00:00:00Z"),
            ("until", "2026-01-01T00:00:00Z"),
        ];
        let query = reversed.map(|(name, value)| (name.to_owned(), json!(value)));
        calls.push(Given {
            query: Map::from_iter(query),
            ..valid.clone()
        });
    }
    if !description.path_params.is_empty() {
        calls.push(Given {
            path: only(description.path_params, &json!("-")),
            ..valid
        });
    }
    calls
}

fn send(
    world: &mut World,
    shop: &Shop,
    owner: &SignedIn,
    description: &Description,
    given: &Given,
) -> Answer {
    let (method, target) = (description.method.as_str(), given.target(description));
    let body = if has_body(description) {
        Value::Object(given.body.clone())
    } else {
        Value::Null
    };
    match description.auth {
        Auth::Public => world.public(method, &target, body),
        Auth::Session if description.step_up => {
            world.session_with_step_up(owner, method, &target, body)
        }
        Auth::Session => world.session(owner, method, &target, body),
        Auth::Key | Auth::Signed => world.signed(shop, None, method, &target, body),
    }
}

#[test]
fn invalid_requests_of_every_operation_are_recorded_with_the_errors_of_the_service() {
    let mut world = World::new(database::sqlite());
    let shop = world.otc_shop("Shop");
    let owner = world.sign_in(&shop, "owner@shop.example");
    let mut lines = String::new();
    for description in CATALOGUE {
        for given in calls(description) {
            let errors = errors(description, &given);
            if errors.is_null() {
                continue;
            }
            let answer = send(&mut world, &shop, &owner, description, &given);
            assert_eq!(
                answer.body["error"]["errors"],
                errors,
                "{}: {} {}",
                description.id,
                given.target(description),
                json!(given.body)
            );
            lines.push_str(&given.line(description, &errors).to_string());
            lines.push('\n');
        }
    }
    current("tests/vectors/refusals.jsonl", &lines);
}
