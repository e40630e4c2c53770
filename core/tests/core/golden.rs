//! A recorded request and response of every operation: created, read and written without change, and read or rejected after
//! random changes.

use http::{Request, Response};
use serde_json::{Map, Value, json};
use settlekit_core::call::{Arguments, Given};
use settlekit_core::catalogue::{self, CATALOGUE, Description};
use settlekit_core::json::{Fields, Json};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

const LINES: &str = include_str!("../../../tests/vectors/operations.jsonl");

/// Invalid arguments of every operation, each with the errors of the service.
const REFUSALS: &str = include_str!("../../../tests/vectors/refusals.jsonl");

/// Number of random changes per response.
const CHANGES: u32 = 60;

fn lines() -> Vec<(&'static Description, Value)> {
    LINES
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let name = line["operation"].as_str().unwrap();
            (catalogue::find(name).unwrap(), line)
        })
        .collect()
}

fn answer(operation: &Description, body: &Value) -> Response<Vec<u8>> {
    let bytes = match body {
        Value::Null => Vec::new(),
        body => body.to_string().into_bytes(),
    };
    Response::builder()
        .status(operation.success)
        .body(bytes)
        .unwrap()
}

/// Wraps a record in the envelope of a response.
fn wrapped(record: Value, answer: &Value) -> Value {
    if answer.get("data").is_none() {
        return record;
    }
    let mut whole = answer.clone();
    whole["data"] = record;
    whole
}

#[test]
fn every_operation_has_a_vector() {
    let named: Vec<&str> = lines().iter().map(|(operation, _)| operation.id).collect();
    let known: Vec<&str> = CATALOGUE.iter().map(|operation| operation.id).collect();
    assert_eq!(named, known);
}

#[test]
fn requests_equal_the_recorded_ones() {
    for (operation, line) in lines() {
        let arguments: Arguments = serde_json::from_value(line["arguments"].clone()).unwrap();
        let request = operation.outline.request("", &arguments).unwrap();
        let body = match request.body().as_slice() {
            [] => Value::Null,
            bytes => serde_json::from_slice(bytes).unwrap(),
        };
        let made = json!({ "method": request.method().as_str(), "target": request.uri().to_string(), "body": body });
        assert_eq!(made, line["request"], "{}", operation.id);
    }
}

#[test]
fn responses_survive_a_round_trip() {
    for (operation, line) in lines() {
        let given = &line["answer"]["body"];
        let read = (operation.check)(&answer(operation, given)).unwrap();
        let expected = given.get("data").unwrap_or(given);
        assert_eq!(&read, expected, "{}", operation.id);
        let again = wrapped(read.clone(), given);
        let again = (operation.check)(&answer(operation, &again)).unwrap();
        assert_eq!(again, read, "{}", operation.id);
    }
}

#[test]
fn refusals_equal_the_recorded_ones_of_the_service() {
    for line in REFUSALS.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let operation = catalogue::find(line["operation"].as_str().unwrap()).unwrap();
        let mut given = Arguments::default();
        let mut body = Map::new();
        for (name, value) in line["arguments"].as_object().unwrap() {
            let is_in = |names: &[&str]| names.contains(&name.as_str());
            let place = if is_in(operation.path_params) {
                &mut given.path
            } else if is_in(operation.query_params) || operation.body_fields.is_empty() {
                &mut given.query
            } else {
                &mut body
            };
            place.insert(name.clone(), value.clone());
        }
        given.body = (!operation.body_fields.is_empty()).then_some(Value::Object(body));
        let error = operation.outline.validate(&given).to_error(operation.room);
        assert_eq!(json!(error.unwrap().errors), line["errors"], "{line}");
        let error = operation.outline.validate(reversed(&given));
        let error = error.to_error(operation.room);
        assert_eq!(json!(error.unwrap().errors), line["errors"], "{line}");
    }
}

/// The arguments with the fields of each object in reverse order, and each after another value that does not count.
fn reversed(arguments: &Arguments) -> Given<'_> {
    Given {
        path: reversed_fields(&arguments.path),
        query: reversed_fields(&arguments.query),
        body: arguments.body.as_ref().map(reversed_value),
    }
}

fn reversed_fields(given: &Map<String, Value>) -> Fields<'_> {
    let mut fields = Fields::default();
    for (name, value) in given.iter().rev() {
        fields.push(name.into(), Json::Text("earlier".into()));
        fields.push(name.into(), reversed_value(value));
    }
    fields
}

fn reversed_value(value: &Value) -> Json<'_> {
    match value {
        Value::Object(fields) => Json::Object(reversed_fields(fields)),
        Value::Array(entries) => Json::List(entries.iter().map(reversed_value).collect()),
        other => other.into(),
    }
}

/// Deterministic random numbers, equal on every target (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end.max(1)
    }

    /// A random JSON value.
    fn value(&mut self) -> Value {
        let texts = [
            "",
            "0",
            "-1",
            "7",
            "1e3",
            "0.10",
            "79228162514264337593543950335",
            "12.345678901234567890",
            "é\u{301}\u{0}",
            "2026-02-30T00:00:00Z",
            "2026-11-21T09:30:00+02:00",
            "Unheard",
            "pl_",
            "0x0",
            "true",
            "null",
        ];
        let numbers = [
            "0",
            "-0",
            "-7",
            "1",
            "0.1",
            "1e2",
            "1e-9",
            "2147483648",
            "9007199254740993",
            "18446744073709551616",
            "1e400",
        ];
        match self.below(7) {
            0 => Value::Null,
            1 => json!(self.below(2) == 1),
            2 => serde_json::from_str(numbers[self.below(numbers.len())]).unwrap_or(Value::Null),
            3 => json!([]),
            4 => json!({}),
            _ => json!(texts[self.below(texts.len())]),
        }
    }

    /// Changes, removes or adds one entry of a value.
    fn change(&mut self, value: &mut Value) {
        match value {
            Value::Object(fields) if !fields.is_empty() && self.below(8) > 0 => {
                let at = self.below(fields.len());
                let name = fields.keys().nth(at).cloned().unwrap();
                match self.below(12) {
                    0 => drop(fields.remove(&name)),
                    1 => drop(fields.insert("unheard_of".to_owned(), self.value())),
                    _ => self.change(&mut fields[&name]),
                }
            }
            Value::Array(entries) if !entries.is_empty() && self.below(8) > 0 => {
                let at = self.below(entries.len());
                match self.below(12) {
                    0 => drop(entries.remove(at)),
                    1 => entries.push(entries[at].clone()),
                    _ => self.change(&mut entries[at]),
                }
            }
            value => *value = self.value(),
        }
    }
}

#[test]
fn any_answer_is_refused_or_survives_the_round_trip() {
    let mut random = Random(0x5e77_1e17);
    let (mut read_again, mut refused) = (0, 0);
    for (operation, line) in lines() {
        let given = &line["answer"]["body"];
        if given.is_null() {
            continue;
        }
        for _ in 0..CHANGES {
            let mut changed = given.clone();
            for _ in 0..=random.below(3) {
                random.change(&mut changed);
            }
            let Ok(read) = (operation.check)(&answer(operation, &changed)) else {
                refused += 1;
                continue;
            };
            let again = wrapped(read.clone(), given);
            let again = (operation.check)(&answer(operation, &again));
            assert_eq!(again.as_ref(), Ok(&read), "{}: {changed}", operation.id);
            read_again += 1;
        }
    }
    assert!(
        read_again > 500 && refused > 500,
        "{read_again} read, {refused} refused"
    );
}

#[test]
fn any_arguments_become_a_request_or_errors() {
    let mut random = Random(0x0b5e_55ed);
    for (operation, line) in lines() {
        for _ in 0..CHANGES {
            let mut changed = line["arguments"].clone();
            random.change(&mut changed);
            let Ok(arguments) = serde_json::from_value::<Arguments>(changed.clone()) else {
                continue;
            };
            let made = operation.outline.request("", &arguments);
            if let Err(report) = &made {
                assert!(!report.is_clean(), "{}: {changed}", operation.id);
            }
            let report = operation.outline.validate(&arguments);
            assert_eq!(
                made.as_ref().err(),
                Some(&report).filter(|report| !report.is_clean())
            );
            // The order of fields and earlier duplicates change neither the errors nor the request.
            let other = operation.outline.validate(reversed(&arguments));
            assert_eq!(other, report, "{}: {changed}", operation.id);
            let other = operation.outline.request("", reversed(&arguments));
            let parts = |request: Request<Vec<u8>>| (request.uri().clone(), request.into_body());
            assert_eq!(
                other.map(parts),
                made.map(parts),
                "{}: {changed}",
                operation.id
            );
        }
    }
}

/// The errors of arguments with unreadable fields, sorted.
fn errors_without(
    operation: &Description,
    arguments: &Value,
    unread: &[(&str, &str)],
) -> Vec<(Option<String>, String)> {
    let mut changed = arguments.clone();
    for (part, name) in unread {
        changed[part][name] = match *part {
            "query" => json!("?\u{0}"),
            _ => json!([{ "unheard_of": true }]),
        };
    }
    let arguments: Arguments = serde_json::from_value(changed).unwrap();
    let Err(report) = operation.outline.request("", &arguments) else {
        return Vec::new();
    };
    let mut errors: Vec<_> = report
        .errors()
        .iter()
        .map(|error| (error.field.clone(), error.reason.as_str().to_owned()))
        .collect();
    errors.sort();
    errors
}

#[test]
fn unreadable_fields_are_reported_with_all_others() {
    let mut told = 0;
    for (operation, line) in lines() {
        let arguments = &line["arguments"];
        let names: Vec<(&str, &str)> = ["query", "body"]
            .into_iter()
            .flat_map(|part| {
                let fields = arguments[part].as_object().into_iter().flatten();
                fields.map(move |(name, _)| (part, name.as_str()))
            })
            .collect();
        for (place, one) in names.iter().enumerate() {
            let alone = errors_without(operation, arguments, &[*one]);
            let of_it = |field: &str| field.split(['.', '[']).next() == Some(one.1);
            assert!(
                alone
                    .iter()
                    .all(|(field, _)| field.as_deref().is_some_and(of_it)),
                "{}: {one:?} {alone:?}",
                operation.id
            );
            told += alone.len();
            for other in &names[..place] {
                let mut each = errors_without(operation, arguments, &[*other]);
                each.extend(alone.clone());
                each.sort();
                let both = errors_without(operation, arguments, &[*one, *other]);
                assert_eq!(both, each, "{}: {one:?} {other:?}", operation.id);
            }
        }
    }
    assert!(told > 100, "{told}");
}
