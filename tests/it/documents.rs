//! The committed documents are the ones printed from the code.
//!
//! `cargo xtask print` writes them.

use std::fmt::Write as _;
use std::path::PathBuf;

use settlekit_core::catalogue::CATALOGUE;
use settlekit_core::error::Reason;
use settlekit_core::field::read_body;
use settlekit_core::operation::{Auth, Operation};
use settlekit_core::validate::Report;
use settlekit_core::{PREFIX, for_each_operation, openapi, state};

fn check(name: &str, printed: &str) {
    current(&format!("docs/{name}"), printed);
}

/// Compares a committed file with the printed text.
pub(crate) fn current(file: &str, printed: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(file);
    if std::env::var_os("SETTLEKIT_RECORD").is_some() {
        std::fs::write(&path, printed).expect("the file is written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == printed,
        "{file} is out of date: run `cargo xtask print`"
    );
}

#[test]
fn the_list_of_operations_is_current() {
    let mut printed = String::new();
    for operation in CATALOGUE {
        let auth = match operation.auth {
            Auth::Public => "public",
            Auth::Session => "session",
            Auth::Key => "key",
            Auth::Signed => "signed",
        };
        let line = format!("{PREFIX}{}", operation.path);
        writeln!(
            printed,
            "{:<20} {:<7} {:<58} {:<8} {}",
            operation.id,
            operation.method.as_str(),
            line,
            auth,
            operation.scope.as_str()
        )
        .expect("text grows");
    }
    check("operations.txt", &printed);
}

#[test]
fn the_openapi_document_is_current() {
    let mut printed = serde_json::to_string_pretty(&openapi::document()).expect("JSON");
    printed.push('\n');
    check("openapi.json", &printed);
}

#[test]
fn every_operation_has_a_description_and_examples() {
    let document = openapi::document();
    for operation in CATALOGUE {
        let method = operation.method.as_str().to_ascii_lowercase();
        let printed = &document["paths"][operation.path][method];
        let name = operation.id;
        assert_eq!(printed["operationId"], openapi::camel(name));
        assert!(printed["description"].as_str() > Some(""), "{name}");
        let answer =
            &printed["responses"][operation.success.as_str()]["content"]["application/json"];
        assert!(
            answer["example"].is_object(),
            "{name} has no example response"
        );
        let body = &printed["requestBody"]["content"]["application/json"]["example"];
        assert_eq!(
            body.is_object(),
            !operation.body_fields.is_empty(),
            "{name} has no example body"
        );
        for parameter in printed["parameters"].as_array().expect("parameters") {
            assert!(
                parameter["description"].as_str() > Some(""),
                "{name}: {parameter}"
            );
            assert!(!parameter["example"].is_null(), "{name}: {parameter}");
        }
        for (status, refusal) in printed["responses"].as_object().expect("answers") {
            let examples = &refusal["content"]["application/json"]["examples"];
            assert!(
                status == operation.success.as_str() || examples.is_object(),
                "{name} {status} has no reason"
            );
        }
    }
}

#[test]
fn every_example_body_is_valid() {
    let document = openapi::document();
    macro_rules! check {
        ($operation:ty) => {
            check_body::<$operation>(&document);
        };
    }
    for_each_operation!(check);
}

fn check_body<O: Operation>(document: &serde_json::Value) {
    let method = O::METHOD.as_str().to_ascii_lowercase();
    let body = &document["paths"][O::PATH][method]["requestBody"]["content"]["application/json"];
    if !body.is_null() {
        let mut report = Report::default();
        let read = read_body::<O::Body>(body["example"].to_string().as_bytes(), &mut report);
        assert!(
            read.is_some(),
            "{}: {report:?} in {}",
            O::ID,
            body["example"]
        );
    }
}

#[test]
fn the_list_of_errors_is_current() {
    let mut printed = String::from(
        "# Errors\n\nEvery error has the error envelope. `reason` is one of these codes; their meaning never changes. \
         Printed from `core/src/error.rs`.\n\n| Reason | Status | Meaning |\n|---|---|---|\n",
    );
    for reason in Reason::ALL {
        writeln!(
            printed,
            "| `{reason}` | {} | {} |",
            reason.status().as_u16(),
            reason.describe()
        )
        .expect("text grows");
    }
    check("errors.md", &printed);
}

#[test]
fn the_state_tables_are_current() {
    let mut printed = String::from(
        "# States\n\nAll other transitions are rejected. Printed from the tables in `core`.\n",
    );
    for table in state::tables() {
        let subject = table.subject;
        write!(
            printed,
            "\n## {subject}\n\n| From | To | Cause |\n|---|---|---|\n"
        )
        .expect("text grows");
        for (from, to, cause) in &table.transitions {
            writeln!(printed, "| {from} | {to} | {cause} |").expect("text grows");
        }
        printed.push_str("\n```mermaid\nstateDiagram-v2\n");
        for state in &table.initial {
            writeln!(printed, "    [*] --> {state}").expect("text grows");
        }
        for (from, to, _) in &table.transitions {
            writeln!(printed, "    {from} --> {to}").expect("text grows");
        }
        printed.push_str("```\n");
    }
    check("states.md", &printed);
}
