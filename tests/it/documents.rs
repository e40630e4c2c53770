//! The documents that are printed from the code are the ones that are committed.
//!
//! `SETTLEKIT_RECORD=1 cargo test -p settlekit-tests documents` writes them anew.

use std::fmt::Write as _;
use std::path::PathBuf;

use settlekit_core::catalogue::CATALOGUE;
use settlekit_core::error::Reason;
use settlekit_core::operation::Auth;
use settlekit_core::{PREFIX, openapi, state};

fn check(name: &str, printed: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(name);
    if std::env::var_os("SETTLEKIT_RECORD").is_some() {
        std::fs::write(&path, printed).expect("the document is written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == printed,
        "docs/{name} is out of date: run the test with SETTLEKIT_RECORD=1"
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
fn the_catalogue_of_refusals_is_current() {
    let mut printed = String::from(
        "# Refusals\n\nEvery refusal has the error envelope; `reason` is one of these words and never changes its meaning. \
         Printed from `core/src/error.rs`.\n\n| Reason | Status | When |\n|---|---|---|\n",
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
fn the_tables_of_moves_are_current() {
    let mut printed = String::from(
        "# States\n\nEvery other move is refused. Printed from the tables in `core`.\n",
    );
    for table in state::tables() {
        let subject = table.subject;
        write!(
            printed,
            "\n## {subject}\n\n| From | To | When |\n|---|---|---|\n"
        )
        .expect("text grows");
        for (from, to, when) in &table.moves {
            writeln!(printed, "| {from} | {to} | {when} |").expect("text grows");
        }
        printed.push_str("\n```mermaid\nstateDiagram-v2\n");
        for state in &table.begins {
            writeln!(printed, "    [*] --> {state}").expect("text grows");
        }
        for (from, to, _) in &table.moves {
            writeln!(printed, "    {from} --> {to}").expect("text grows");
        }
        printed.push_str("```\n");
    }
    check("states.md", &printed);
}
