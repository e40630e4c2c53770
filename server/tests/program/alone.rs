//! One server on SQLite: output, failures, state after a kill.

use serde_json::Value;

use crate::load::Load;
use crate::place::{Place, Server, call, refused, sent};

/// Default number of kills under load; set by `SETTLEKIT_KILLS`.
const KILLS: u32 = 1000;

#[test]
fn a_created_organisations_key_works() {
    let place = Place::sqlite();
    let made = place.organisation();
    assert!(made.id.starts_with("org_") && made.secret.starts_with("ss_"));
    let server = Server::start(&place);
    let whose = call(&server.address, &made.key, "GET", "/orgs", Value::Null);
    assert_eq!(whose["name"], "Acme");
    let wrong = sent(&server.address, "sk_wrong", "GET", "/orgs", &Value::Null);
    assert_eq!(wrong.0, 401);
}

#[test]
fn sigint_and_sigterm_shut_down_cleanly() {
    let place = Place::sqlite();
    for signal in ["INT", "TERM"] {
        let mut server = Server::start(&place);
        server.signal(signal);
        let end = server.child.wait().expect("an end");
        assert_eq!(end.code(), Some(0), "{signal}");
    }
}

#[test]
fn a_second_server_on_the_port_is_refused() {
    let place = Place::sqlite();
    let server = Server::start(&place);
    let words = ["serve", "--database", "sqlite:other.db", "--listen"];
    let text = refused(&place.run(&[&words[..], &[server.address.as_str()]].concat()));
    assert!(
        text.contains(&server.address) && text.contains("--listen"),
        "{text}"
    );
    let folder = place.folder.path();
    assert!(!folder.join("other.db").exists() && !folder.join("other.db.key").exists());
}

#[test]
fn unusable_databases_are_reported_with_advice() {
    let place = Place::sqlite();
    let garbage = place.folder.path().join("garbage.db");
    std::fs::write(garbage, "no database at all. ".repeat(100)).expect("a file");
    let key = "0".repeat(64);
    let cases = [
        ("sqlite:garbage.db", "restore it from a backup"),
        ("sqlite:no/folder.db", "create the folder"),
        ("postgres://nobody@127.0.0.1:1/nothing", "start the server"),
    ];
    for (database, advice) in cases {
        for command in [
            &["serve", "--listen", "127.0.0.1:0"][..],
            &["org", "create", "--name", "Acme"],
            &["verify"],
        ] {
            let words = [command, &["--database", database, "--master-key", &key]].concat();
            let text = refused(&place.run(&words));
            assert!(text.contains(advice), "{words:?}: {text}");
        }
    }
}

#[test]
fn a_database_without_its_key_is_not_served() {
    let place = Place::sqlite();
    place.organisation();
    std::fs::remove_file(place.folder.path().join("book.db.key")).expect("the key, lost");
    let words = ["serve", "--listen", "127.0.0.1:0"];
    let text = refused(&place.run(&words));
    assert!(text.contains("book.db.key"), "{text}");
    let other = "0".repeat(64);
    let words: Vec<&str> = words.into_iter().chain(["--master-key", &other]).collect();
    let text = refused(&place.run(&words));
    assert!(text.contains("not the master key"), "{text}");
}

#[test]
fn acknowledged_writes_survive_a_kill_exactly_once() {
    let kills =
        std::env::var("SETTLEKIT_KILLS").map_or(KILLS, |kills| kills.parse().expect("a count"));
    let place = Place::sqlite();
    let made = place.organisation();
    let key = made.key.as_str();
    let load = Load::new(key);

    let server = Server::start(&place);
    load.prepare(&server.address);
    drop(server);

    for kill in 1..=u64::from(kills) {
        let server = Server::start(&place);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| load.run(&server.address));
            }
            // Killed after a varying number of answers, while others are pending.
            load.wait_for_more(1 + kill % 7);
            server.signal("KILL");
        });
    }

    let server = Server::start(&place);
    load.finish(&server.address);
    drop(server);
    place.is_sound();
}
