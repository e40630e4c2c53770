//! An exchange account, read by a live server from an exchange that checks each signature.

use std::time::Instant;

use serde_json::{Value, json};
use settlekit_tests::kraken::Kraken;

use crate::place::{Place, Server, refused, wait_for};
use crate::prices::health;
use crate::real_chain::Town;

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

/// Places an order and waits for its outcome.
fn order(place: &Place, volume: &str, price: &str) -> Value {
    let words = ["exchange", "order", "sell", "--market", "USDC/EUR"];
    let terms = ["--volume", volume, "--price", price];
    let placed = place.run(&[words.as_slice(), &terms].concat());
    let said = String::from_utf8_lossy(&placed.stdout).into_owned();
    assert!(placed.status.success(), "{said}");
    let id = said.split(' ').next().expect("an id").to_owned();
    let mut found = Value::Null;
    wait_for("the outcome", || {
        let orders = place.json(&["exchange", "orders", "--json"]);
        found = orders[0].clone();
        assert_eq!(found["id"], id.as_str());
        found["status"] != "New" && found["status"] != "Sent"
    });
    found
}

fn orders_are_sent(place: &Place) {
    place.organisation();
    let exchange = Kraken::start();
    exchange.set_balance("USDC", "250", "0");
    exchange.set_depth("USDCEUR", 92, 15_000);
    let servers = [Server::live(place), Server::live(place)];
    assert!(
        connect(place, &exchange.url(), &Kraken::credentials())
            .status
            .success()
    );
    let words = [
        "exchange", "order", "sell", "--market", "USDC/EUR", "--volume", "1", "--price", "1",
    ];
    let text = refused(&place.run(&words));
    assert!(text.contains("trading is off for Kraken"), "{text}");
    assert!(place.run(&["exchange", "trading", "on"]).status.success());
    let whole = order(place, "100", "0.9");
    let execution = json!({ "volume": "100", "cost": "92", "fee": "0.23" });
    assert_eq!(
        (&whole["status"], &whole["execution"]),
        (&json!("Closed"), &execution)
    );
    // The exchange takes the order and does not answer: it is asked.
    exchange.set_silent(true);
    let part = order(place, "80", "0.9");
    let execution = json!({ "volume": "50", "cost": "46", "fee": "0.115" });
    assert_eq!(
        (&part["status"], &part["execution"]),
        (&json!("Closed"), &execution)
    );
    exchange.set_silent(false);
    assert_eq!(exchange.placements(), 2, "each was sent once");
    exchange.refuse_orders("EOrder:Insufficient funds");
    let refused = order(place, "80", "0.9");
    assert_eq!(refused["status"], "Refused");
    let shown = place.run(&["exchange", "orders"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(
        lines[0].ends_with("refused: the account has too little for the order"),
        "{shown}"
    );
    assert!(
        lines[1].ends_with("Kraken: sell 80 USDC for at least 0.9 EUR each: executed 50 USDC for 46 EUR, fee 0.115 EUR"),
        "{shown}"
    );
    drop(servers);
}

#[test]
fn an_order_at_an_exchange_is_sent_once_by_two_servers_with_sqlite() {
    orders_are_sent(&Place::live());
}

#[test]
fn an_order_at_an_exchange_is_sent_once_by_two_servers_with_postgresql() {
    orders_are_sent(&Place::live_postgres());
}

/// The latest withdrawal.
fn withdrawal(place: &Place) -> Value {
    place.json(&["exchange", "withdrawals", "--json"])[0].clone()
}

/// Withdraws 100 dollars to the hot wallet.
fn withdraw(place: &Place) -> std::process::Output {
    let words = ["exchange", "withdraw", "--chain", "8453", "--key", "hot"];
    let money = ["--currency", "USDC", "--amount", "100", "--json"];
    place.run(&[words.as_slice(), &money].concat())
}

fn money_is_withdrawn(town: &Town) {
    let place = &town.place;
    let exchange = Kraken::start();
    exchange.set_balance("USDC", "1000", "0");
    town.connect();
    let mut server = town.serve();
    let said = refused(&withdraw(place));
    assert!(
        said.contains("no exchange account Kraken is connected"),
        "{said}"
    );
    assert!(
        connect(place, &exchange.url(), &Kraken::credentials())
            .status
            .success()
    );
    wait_for("the balances", || {
        account(place)["succeeded_at"].is_string()
    });
    let said = refused(&withdraw(place));
    assert!(said.contains("trading is off for Kraken"), "{said}");
    assert!(place.run(&["exchange", "trading", "on"]).status.success());

    // The hot wallet is not in the address book.
    assert!(withdraw(place).status.success());
    wait_for("the refusal", || withdrawal(place)["status"] == "Refused");
    let error = withdrawal(place)["last_error"].to_string();
    assert!(error.contains("address book has no hot"), "{error}");
    assert_eq!(exchange.withdrawals(), 0);

    let wallet = town.wallet.to_string();
    exchange.add_address("hot", "USDC", "USDC - Base", &wallet);
    let queued = withdraw(place);
    let queued: Value = serde_json::from_slice(&queued.stdout).expect("JSON");
    wait_for("the exchange has accepted it", || {
        withdrawal(place)["status"] == "Accepted"
    });
    assert_eq!(withdrawal(place)["id"], queued["id"]);
    let said = refused(&withdraw(place));
    assert!(said.contains("is in progress"), "{said}");
    // The exchange sends the money.
    town.node.mint(town.token, town.wallet, 99_000_000);
    let hash = format!("0x{}", "9".repeat(64));
    exchange.complete_withdrawals(&hash);
    wait_for("the money is the operator's", || {
        town.node.mine(1);
        let shown = place.run(&["wallet", "show"]);
        String::from_utf8_lossy(&shown.stdout).contains("99 USDC on Base: 99 of it yours")
    });
    town.until_compared();
    wait_for("the first one is completed", || {
        withdrawal(place)["status"] == "Completed"
    });
    assert_eq!(withdrawal(place)["transaction_hash"], hash.as_str());

    // The server is killed after the exchange took the next one, and before it answered.
    exchange.hold_withdrawals(true);
    assert!(withdraw(place).status.success());
    wait_for("the withdrawal is sent", || exchange.withdrawals() == 2);
    server.signal("KILL");
    drop(server);
    exchange.hold_withdrawals(false);
    let sent = withdrawal(place);
    assert_eq!(sent["status"], "Sending", "{sent}");
    server = town.serve();
    // Another server may be sending it for a minute.
    let since = Instant::now();
    wait_for("half a minute", || since.elapsed().as_secs() >= 30);
    assert_eq!(withdrawal(place)["status"], "Sending");
    wait_for("a minute", || since.elapsed().as_secs() >= 60);
    wait_for("it is found", || withdrawal(place)["status"] == "Accepted");
    assert_eq!(withdrawal(place)["exchange_id"], "AFAKE-2");
    assert_eq!(exchange.withdrawals(), 2, "each is sent once");
    let listed = place.run(&["exchange", "withdrawals"]);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let first = listed.lines().next().expect("a line");
    assert!(
        first.contains(&format!("Kraken: 100 USDC to {wallet} on chain 8453: accepted by the exchange, exchange id AFAKE-2, fee 1 USDC")),
        "{listed}"
    );
    let id = sent["id"].as_str().expect("an id");
    let resolve = ["exchange", "resolve-withdrawal", id, "--not-sent"];
    let said = refused(&place.run(&resolve));
    assert!(said.contains("is in doubt"), "{said}");
    let said = refused(&place.run(&["exchange", "disconnect"]));
    assert!(
        said.contains("a withdrawal from Kraken is in progress"),
        "{said}"
    );
    town.until_compared();
    drop(server);
}

#[test]
fn money_is_withdrawn_to_the_hot_wallet_once_by_a_server_that_is_killed_with_sqlite() {
    money_is_withdrawn(&Town::new(Place::live()));
}

#[test]
fn money_is_withdrawn_to_the_hot_wallet_once_by_a_server_that_is_killed_with_postgresql() {
    money_is_withdrawn(&Town::new(Place::live_postgres()));
}
