//! A database is created in sandbox or live mode, and the program refuses the other.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::place::{Place, Server, call, refused, sent};

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// A command without the sandbox setting in its environment.
fn live(place: &Place, words: &[&str]) -> Command {
    let mut command = place.command(words);
    command.env_remove("SETTLEKIT_SANDBOX");
    command
}

fn each(test: impl Fn(&Place)) {
    test(&Place::sqlite());
    test(&Place::postgres());
}

#[test]
fn a_sandbox_database_is_refused_in_live_mode() {
    each(|place| {
        let made = place.organisation();
        let file = place.folder.path().join("book.db");
        let before = fs::read(&file).ok();
        let output = live(place, &SERVE).output().expect("the program runs");
        let text = refused(&output);
        assert!(
            text.contains("created in sandbox mode") && text.contains("--sandbox"),
            "{text}"
        );
        assert_eq!(fs::read(&file).ok(), before);
        // Commands on an existing database use its mode.
        for words in [
            ["key", "create", "--org", &made.id],
            ["org", "create", "--name", "Second"],
        ] {
            let output = live(place, &words).output().expect("the program runs");
            assert!(output.status.success(), "{output:?}");
        }
        let server = Server::start(place);
        let chains = call(&server.address, &made.key, "GET", "/chains", Value::Null);
        assert!(chains.as_array().is_some_and(|chains| !chains.is_empty()));
    });
}

#[test]
fn a_live_database_is_refused_in_sandbox_mode() {
    each(|place| {
        let words = ["org", "create", "--name", "Acme", "--json"];
        let output = live(place, &words).output().expect("the program runs");
        assert!(output.status.success(), "{output:?}");
        let made: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let key = made["api_key"].as_str().expect("a key");
        let file = place.folder.path().join("book.db");
        let before = fs::read(&file).ok();
        let create = ["org", "create", "--name", "Second", "--sandbox"];
        let serve = [SERVE.as_slice(), &["--sandbox"]].concat();
        for words in [serve.as_slice(), &create] {
            let text = refused(&live(place, words).output().expect("the program runs"));
            assert!(
                text.contains("created in live mode") && text.contains("use a sandbox database"),
                "{text}"
            );
        }
        assert_eq!(fs::read(&file).ok(), before);
        let mut server = Server::of(live(place, &SERVE).stderr(Stdio::piped()));
        let address = server.address.clone();
        let chains = call(&address, key, "GET", "/chains", Value::Null);
        assert_eq!(chains, json!([]));
        let till = json!({ "reference": "till", "chain_id": 8453, "currencies": ["USDC"] });
        let (status, answer) = sent(&address, key, "POST", "/accounts", &till);
        let error = &answer["error"]["errors"][0];
        assert_eq!(
            (status, &error["reason"]),
            (409, &json!("CHAIN_NOT_CONNECTED"))
        );
        let clock = json!({ "advance_seconds": 60 });
        let (status, _) = sent(&address, key, "POST", "/sandbox/clock", &clock);
        assert_eq!(status, 403);
        server.signal("TERM");
        let mut log = String::new();
        let printed = server.child.stderr.as_mut().expect("a pipe was asked for");
        printed.read_to_string(&mut log).expect("a log");
        for words in [
            "mode=live chains=\"none\" prices=\"none\" venues=\"none\"",
            "no chain connected",
        ] {
            assert!(log.contains(words), "{log}");
        }
    });
}

#[test]
fn commands_do_not_create_a_missing_database() {
    let place = Place::sqlite();
    let org = "org_019cade5a0007000800000000000dead";
    for words in [
        ["key", "create", "--org", org].as_slice(),
        &["export", "--org", org],
        &["org", "suspend", "--org", org],
    ] {
        let text = refused(&place.run(words));
        assert!(
            text.contains("no database at") && text.contains("org create"),
            "{text}"
        );
    }
    let left = fs::read_dir(place.folder.path()).expect("a folder").count();
    assert_eq!(left, 0);
}
