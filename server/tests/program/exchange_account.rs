//! An exchange account, read by a live server from an exchange that checks each signature.

use serde_json::{Value, json};
use settlekit_tests::kraken::Kraken;

use crate::place::{Place, Server, refused, wait_for};
use crate::prices::health;

fn connect(place: &Place, url: &str, credentials: &str) -> std::process::Output {
    place.run_with_input(&["exchange", "connect", "--url", url], credentials)
}

fn account(place: &Place) -> Value {
    place.json(&["exchange", "list", "--json"])[0].clone()
}

/// The list as a person reads it.
fn list(place: &Place) -> String {
    let shown = place.run(&["exchange", "list"]);
    String::from_utf8_lossy(&shown.stdout).into_owned()
}

fn balances_are_read(place: &Place) {
    place.organisation();
    let exchange = Kraken::start();
    exchange.set_balance("USDC", "250.5", "100");
    let server = Server::live(place);
    let connected = connect(place, &exchange.url(), &Kraken::credentials());
    let said = String::from_utf8_lossy(&connected.stdout).into_owned();
    assert_eq!(said.trim(), "Kraken has 250.5 USDC (100 reserved)");
    wait_for("the balances", || {
        account(place)["succeeded_at"].is_string()
    });
    let held = json!([{ "currency": "USDC", "total": "250.5", "reserved": "100" }]);
    assert_eq!(account(place)["balances"], held);
    assert!(list(place).starts_with("Kraken: 250.5 USDC (100 reserved), read "));
    let text = refused(&place.run(&["exchange", "disconnect", "--name", "Treasury"]));
    assert!(
        text.contains("no exchange account Treasury is connected"),
        "{text}"
    );
    assert_eq!(health(&server).1.get("failing_exchanges"), None);
    let text = refused(&connect(place, &exchange.url(), &Kraken::credentials()));
    assert!(text.contains("--replace"), "{text}");
    // Another program used the API key.
    exchange.use_nonce(u64::MAX / 4);
    let url = exchange.url();
    let replace = ["exchange", "connect", "--replace", "--url", &url];
    let text = refused(&place.run_with_input(&replace, &Kraken::credentials()));
    assert!(text.contains("had a higher nonce"), "{text}");
    exchange.use_nonce(0);
    exchange.answer_all("200 OK", r#"{"error":["EAPI:Invalid key"]}"#);
    let disconnected = place.run(&["exchange", "disconnect"]);
    assert!(disconnected.status.success());
    assert_eq!(account(place), Value::Null);
    let text = refused(&connect(place, &exchange.url(), &Kraken::credentials()));
    assert!(text.contains("does not know the API key"), "{text}");
    exchange.answer_all_but_one("502 Bad Gateway", "<html>");
    let connected = connect(place, &exchange.url(), &Kraken::credentials());
    assert!(connected.status.success());
    wait_for("the failure", || {
        account(place)["last_error"] == "HTTP status 502"
    });
    let text = list(place);
    assert!(text.starts_with("Kraken fails for "), "{text}");
    assert!(
        text.contains(" s: HTTP status 502; its balances were not read yet"),
        "{text}"
    );
    assert_eq!(health(&server).1["failing_exchanges"], 1);
    place.is_sound();
}

#[test]
fn the_balances_of_an_exchange_account_are_read_with_sqlite() {
    balances_are_read(&Place::live());
}

#[test]
fn the_balances_of_an_exchange_account_are_read_with_postgresql() {
    balances_are_read(&Place::live_postgres());
}

#[test]
fn credentials_that_the_exchange_refuses_are_not_stored() {
    let place = Place::live();
    place.organisation();
    let exchange = Kraken::start();
    let other = Kraken::credentials().replacen("the-key", "another", 1);
    let wrong = "the-key-of-the-account\nc2VjcmV0\n";
    for (credentials, url, expected) in [
        (other.as_str(), exchange.url(), "does not know the API key"),
        (wrong, exchange.url(), "the private key does not belong"),
        ("one line", exchange.url(), "one per line"),
        (wrong, "http://127.0.0.1:1".to_owned(), "no connection"),
        (
            wrong,
            "http://exchange.example".to_owned(),
            "starts with https://",
        ),
    ] {
        let text = refused(&connect(&place, &url, credentials));
        assert!(text.contains(expected), "{text}");
        assert!(!text.contains("c2VjcmV0"), "{text}");
    }
    assert_eq!(exchange.requests(), 2, "the others never left");
    assert_eq!(list(&place).trim(), "no exchange account is connected");
    let sandbox = Place::sqlite();
    sandbox.organisation();
    let text = refused(&connect(&sandbox, &exchange.url(), &Kraken::credentials()));
    assert!(text.contains("the database is a sandbox"), "{text}");
    let name = [
        "exchange",
        "connect",
        "--name",
        "a/b",
        "--url",
        &exchange.url(),
    ];
    let text = refused(&place.run_with_input(&name, &Kraken::credentials()));
    assert!(text.contains("letters, digits"), "{text}");
    assert_eq!(exchange.requests(), 2, "both are refused before a request");
}
