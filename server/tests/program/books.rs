//! `settlekit export` and `import`: moving books between databases.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::place::{Organisation, Place, Server, call, deposit, posted, refused, total, wait_for};

/// Books on each kind of database, with an empty database of the other kind.
fn check(test: impl Fn(&Place, &Place)) {
    test(&Place::sqlite(), &Place::postgres());
    test(&Place::postgres(), &Place::sqlite());
}

/// An organisation with three payments and an unreachable webhook endpoint.
fn begun(place: &Place) -> Organisation {
    let made = place.organisation();
    let key = made.key.as_str();
    let server = Server::start(place);
    let till = json!({ "reference": "till", "chain_id": 8453, "currencies": ["USDC"] });
    call(&server.address, key, "POST", "/accounts", till);
    let endpoint = json!({ "webhook_url": "http://127.0.0.1:9/hooks" });
    call(&server.address, key, "PUT", "/orgs", endpoint);
    for _ in 0..3 {
        deposit(&server.address, key, "till", "USDC", "12.5");
    }
    wait_for("every deposit is booked", || {
        posted(&server.address, key, "USDC").as_deref() == Some("37.5")
    });
    made
}

fn export(place: &Place, organisation: &str, to: &Path) -> Output {
    let to = to.to_str().expect("text");
    place.run(&["export", "--org", organisation, "--to", to])
}

/// Imports from standard input.
fn import(place: &Place, lines: &str) -> Output {
    place.run_with_input(&["import", "--json"], lines)
}

#[test]
fn books_are_moved_between_databases() {
    check(|from, to| {
        let made = begun(from);
        let file = from.folder.path().join("books.jsonl");
        let exported = export(from, &made.id, &file);
        assert!(exported.status.success(), "{exported:?}");
        let lines = fs::read_to_string(&file).expect("the file");
        assert!(!lines.contains(&made.secret) && !lines.contains(&made.key));
        let printed = from.run(&["export", "--org", &made.id]);
        assert_eq!(printed.stdout, lines.as_bytes(), "what is printed, too");

        let name = file.to_str().expect("text");
        let imported = to.json(&["import", "--from", name, "--json"]);
        assert_eq!(imported["org_id"], made.id.as_str());
        let told = imported["lines"].as_str().map(str::parse);
        assert_eq!(told, Some(Ok(lines.lines().count() - 2)), "{imported}");
        assert_ne!(imported["signing_secret"], made.secret.as_str());
        to.is_sound();
        // The copy equals the original except for the webhook key, which is not exported.
        let again = to.run(&["export", "--org", &made.id]);
        assert_eq!(String::from_utf8_lossy(&again.stdout), lines);

        let key = to.json(&["key", "create", "--org", &made.id, "--json"])["api_key"].clone();
        let key = key.as_str().expect("a key");
        let server = Server::start(to);
        assert_eq!(
            posted(&server.address, key, "USDC").as_deref(),
            Some("37.5")
        );
        let movements = "/accounts/till/movement?limit=1";
        assert_eq!(total(&server.address, key, movements), 3);
        deposit(&server.address, key, "till", "USDC", "1");
        wait_for("life goes on there", || {
            posted(&server.address, key, "USDC").as_deref() == Some("38.5")
        });
    });
}

#[test]
fn import_errors_name_their_line_and_write_nothing() {
    check(|from, to| {
        let made = begun(from);
        let printed = from.run(&["export", "--org", &made.id]);
        let lines = String::from_utf8(printed.stdout).expect("text");
        for (damaged, error) in [
            (
                lines.replacen("{\"account\":", "{\"acount\":", 1),
                "line 3: unknown kind `acount`",
            ),
            (
                lines.replacen("\"amount\":\"12500000\"", "\"amount\":\"12500001\"", 1),
                "the books do not balance",
            ),
            (lines[..lines.len() / 2].to_owned(), "the file is truncated"),
            (
                "no books".to_owned(),
                "line 1: this is not an export of books",
            ),
        ] {
            let output = import(to, &damaged);
            refused(&output);
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(said.contains(error), "{error}: {said}");
            let nothing = to.run(&["export", "--org", &made.id]);
            assert!(refused(&nothing).contains(&format!("{} not found", made.id)));
        }
        assert!(import(to, &lines).status.success());
        let output = import(to, &lines);
        refused(&output);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains("already holds an organisation"), "{said}");
        to.is_sound();
    });
}

#[test]
fn existing_files_are_not_overwritten_and_partial_ones_are_removed() {
    check(|place, _| {
        let made = place.organisation();
        let file = place.folder.path().join("books.jsonl");
        fs::write(&file, "precious").expect("a file");
        let text = refused(&export(place, &made.id, &file));
        assert!(text.contains("books.jsonl"), "{text}");
        assert_eq!(fs::read_to_string(&file).expect("the file"), "precious");
        let file = place.folder.path().join("nobody.jsonl");
        let nobody = "org_0190a0000000700080000000000000aa";
        let text = refused(&export(place, nobody, &file));
        assert!(text.contains(&format!("{nobody} not found")), "{text}");
        assert!(!file.exists(), "a file without books stayed");
        let nowhere = place.run(&["import", "--from", "missing.jsonl"]);
        assert!(refused(&nowhere).contains("missing.jsonl"));
    });
}

#[test]
fn an_export_is_a_consistent_snapshot() {
    check(|from, to| {
        let made = begun(from);
        let server = Server::start(from);
        let copies = std::thread::scope(|scope| {
            let load = scope.spawn(|| {
                for _ in 0..40 {
                    deposit(&server.address, &made.key, "till", "USDC", "1");
                }
            });
            let mut copies = Vec::new();
            while !load.is_finished() || copies.is_empty() {
                copies.push(from.run(&["export", "--org", &made.id]));
            }
            copies
        });
        let last = copies.last().expect("one at least");
        assert!(last.status.success(), "{last:?}");
        // An import recomputes every balance: an inconsistent export would not balance.
        let imported = import(to, &String::from_utf8_lossy(&last.stdout));
        let said: Value = serde_json::from_slice(&imported.stdout).expect("JSON");
        assert_eq!(said["org_id"], made.id.as_str(), "{imported:?}");
        to.is_sound();
    });
}
