//! Price sources served locally: prices, faults, and refusals without a price.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use settlekit_core::value::Timestamp;
use settlekit_tests::price_host::PriceHost;

use crate::place::{Place, Server, ask, call, now, refused, request, sent, wait_for};
use crate::real_chain::{Town, text};

const OK: &str = "200 OK";

/// Kraken's answer with a price for the euro; the other currencies are as on a quiet day.
fn kraken(euro: &str) -> String {
    let pair = |name: &str, price: &str| {
        format!(r#""{name}":{{"a":["{price}","1"],"b":["{price}","1"],"c":["{price}","1"]}}"#)
    };
    let pairs = [
        pair("XETHZUSD", "3000"),
        pair("USDCUSD", "0.9998"),
        pair("ZEURZUSD", euro),
        pair("ZGBPZUSD", "1.27"),
        pair("ZUSDZCAD", "1.37"),
        pair("USDCHF", "0.9"),
    ];
    format!(r#"{{"error":[],"result":{{{}}}}}"#, pairs.join(","))
}

/// Bitstamp's answer with a price for the euro.
fn bitstamp(euro: &str) -> String {
    let seconds = now().seconds();
    format!(
        r#"[{{"pair":"EUR/USD","timestamp":"{seconds}","bid":"{euro}","ask":"{euro}","last":"{euro}"}}]"#
    )
}

fn connect(place: &Place, source: &str, url: &str) {
    let output = place.run(&["price", "connect", source, "--url", url]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
}

fn list(place: &Place) -> Value {
    place.json(&["price", "list", "--json"])
}

/// What the list says of a source.
pub(crate) fn source(place: &Place, name: &str) -> Value {
    let list = list(place);
    let mut sources = list["sources"].as_array().expect("a list").iter();
    let found = sources.find(|source| source["source"] == name);
    found.cloned().unwrap_or_default()
}

/// What the list says of a currency.
pub(crate) fn price(place: &Place, symbol: &str) -> Value {
    let list = list(place);
    let mut prices = list["prices"].as_array().expect("a list").iter();
    let found = prices.find(|price| price["currency"] == symbol);
    found.cloned().unwrap_or_default()
}

pub(crate) fn until_price(place: &Place, symbol: &str, usd: &str) {
    wait_for(&format!("{symbol} at {usd}"), || {
        price(place, symbol)["usd"] == usd
    });
}

/// Creates a paylink in euros; returns the status and the answer.
pub(crate) fn paylink(town: &Town, server: &Server) -> (u16, Value) {
    let body = json!({ "amount": "5", "currency": "EUR", "name": "Tea" });
    let key = &town.shop.key;
    sent(&server.address, key, "POST", "/paylinks", &body)
}

pub(crate) fn has_no_rate(town: &Town, server: &Server, why: &str) {
    let (status, answer) = paylink(town, server);
    let reason = &answer["error"]["errors"][0]["reason"];
    assert_eq!(
        (status, reason),
        (409, &json!("RATE_UNAVAILABLE")),
        "{why}: {answer}"
    );
}

/// The health check, which names the failing sources.
pub(crate) fn health(server: &Server) -> (u16, Value) {
    let request = http::Request::get("/healthz").body(Vec::new());
    ask(&server.address, &request.expect("a request")).expect("an answer")
}

fn a_paylink_in_euros(town: &Town) {
    let host = PriceHost::start();
    host.answer_all(OK, &kraken("1.08"));
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    has_no_rate(town, &server, "without a source");
    connect(&town.place, "kraken", &host.url());
    until_price(&town.place, "EUR", "1.08");
    let paths = host.take_paths();
    assert_eq!(
        paths.first().map(String::as_str),
        Some("/0/public/Ticker?pair=USDCAD,USDCHF,ETHUSD,EURUSD,GBPUSD,USDCUSD")
    );

    let (status, link) = paylink(town, &server);
    assert_eq!(status, 201, "{link}");
    let start = format!("/checkout/{}/payments", text(&link["data"], "id"));
    let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
    let key = &town.shop.key;
    let started = call(&server.address, key, "POST", &start, chosen);
    // 5 * 1.08 / 0.9998, rounded up.
    assert_eq!(text(&started, "amount"), "5.401081");
    let payment = town.payment(&server, &text(&started, "payment_id"));
    assert_eq!(payment["amount_usd"], "5.40");
    assert_eq!(health(&server).1.get("failing_price_sources"), None);

    // Killed and started again, the server goes on.
    drop(server);
    let server = town.serve();
    assert_eq!(paylink(town, &server).0, 201);
    let output = town.place.run(&["price", "disconnect", "kraken"]);
    assert!(output.status.success());
    has_no_rate(town, &server, "disconnected");
    town.place.is_sound();
}

#[test]
fn a_price_arrives_and_is_used_by_a_paylink_in_euros_with_sqlite() {
    a_paylink_in_euros(&Town::new(Place::live()));
}

#[test]
fn a_price_arrives_and_is_used_by_a_paylink_in_euros_with_postgresql() {
    a_paylink_in_euros(&Town::new(Place::live_postgres()));
}

#[test]
fn a_source_that_answers_anything_else_gives_no_price_and_is_named() {
    let town = Town::new(Place::live());
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    let (host, other) = (PriceHost::start(), PriceHost::start());
    let digits = format!("1.{}", "1".repeat(40));
    let redirect = format!("302 Found\r\nlocation: {}/", other.url());
    let huge = " ".repeat(2_000_000);
    let html = "<html>Just a moment...</html>";
    let unknown = r#"{"error":[],"result":{"XXBTZUSD":{"a":["1"],"b":["1"],"c":["1"]}}}"#;
    for (status, body, error) in [
        ("500 Internal Server Error", "", "HTTP status 500"),
        (OK, html, "the answer is malformed"),
        (OK, "", "the answer has no price"),
        (OK, unknown, "the answer names another pair"),
        (OK, huge.as_str(), "the answer is too large"),
        (redirect.as_str(), "", "HTTP status 302"),
        (
            "429 Too Many Requests\r\nretry-after: 40",
            "",
            "too many requests",
        ),
    ] {
        host.answer_all(status, body);
        connect(&town.place, "kraken", &host.url());
        wait_for(error, || {
            source(&town.place, "kraken")["last_error"] == error
        });
        has_no_rate(&town, &server, error);
        let expected = json!(["kraken"]);
        let (status, answer) = health(&server);
        assert_eq!((status, &answer["failing_price_sources"]), (200, &expected));
    }
    // The pause is kept, whatever else is due.
    assert!(source(&town.place, "kraken")["paused_until"].is_string());
    // Until a date: later than without one, and for an hour at most.
    let date = "503 Service Unavailable\r\nretry-after: Fri, 31 Dec 9999 23:59:59 GMT";
    host.answer_all(date, "");
    connect(&town.place, "kraken", &host.url());
    wait_for("the source asks for a pause", || {
        source(&town.place, "kraken")["last_error"] == "HTTP status 503"
    });
    let until = text(&source(&town.place, "kraken"), "paused_until");
    let until: Timestamp = until.parse().expect("a timestamp");
    let (least, most) = (Duration::from_secs(3_500), Duration::from_secs(3_600));
    let now = now();
    assert!(
        now.plus(least) < until && until <= now.plus(most),
        "{until}"
    );
    assert_eq!(other.take_paths(), Vec::<String>::new());
    // A price that cannot be right is left out, and the others are used.
    host.answer_all(OK, &kraken(&digits));
    connect(&town.place, "kraken", &host.url());
    until_price(&town.place, "ETH", "3000");
    has_no_rate(&town, &server, "40 digits");
    let error = &source(&town.place, "kraken")["last_error"];
    assert_eq!(error, "EUR: the price has more than 12 decimal places");
    // Nobody there.
    connect(&town.place, "kraken", "http://127.0.0.1:1");
    wait_for("no connection", || {
        source(&town.place, "kraken")["last_error"] == "no connection"
    });
    has_no_rate(&town, &server, "nobody there");
}

#[test]
fn sources_that_disagree_give_no_price_and_a_third_decides() {
    let town = Town::new(Place::live());
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    let (one, two, bank) = (PriceHost::start(), PriceHost::start(), PriceHost::start());
    one.answer_all(OK, &kraken("1.08"));
    two.answer(|_| (OK.to_owned(), bitstamp("10.8")));
    connect(&town.place, "kraken", &one.url());
    connect(&town.place, "bitstamp", &two.url());
    wait_for("the sources disagree", || {
        price(&town.place, "EUR")["reason"] == "the sources disagree"
    });
    has_no_rate(&town, &server, "ten times");
    let rates = include_str!("../../../tests/it/prices/fixtures/ecb_2024-06-28.xml");
    let rates = rates.replace("2024-06-28", &now().day());
    bank.answer_all(OK, &rates);
    connect(&town.place, "ecb", &bank.url());
    until_price(&town.place, "EUR", "1.08");
    assert_eq!(paylink(&town, &server).0, 201);
    let said = price(&town.place, "EUR");
    let mut strays = said["sources"].as_array().expect("a list").iter();
    let stray = strays.find(|said| said["strays"] == true).expect("a stray");
    assert_eq!(stray["source"], "bitstamp");
    // A currency that only the bank quotes.
    assert!(price(&town.place, "SEK")["usd"].is_string());
}

#[test]
fn the_command_refuses_a_sandbox_and_a_url_that_anyone_could_answer_for() {
    let place = Place::sqlite();
    place.organisation();
    let text = refused(&place.run(&["price", "connect", "kraken"]));
    assert!(text.contains("the database is a sandbox"), "{text}");
    let place = Place::live();
    place.organisation();
    for url in [
        "http://api.kraken.example",
        "ftp://127.0.0.1",
        "kraken",
        "https://user@kraken.example",
        "https://kraken.example/?key=1",
    ] {
        let text = refused(&place.run(&["price", "connect", "kraken", "--url", url]));
        assert!(text.contains("the URL of a price source"), "{url}: {text}");
    }
    let text = refused(&place.run(&["price", "disconnect", "kraken"]));
    assert!(text.contains("kraken is not connected"), "{text}");
    let shown = place.run(&["price", "list"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert_eq!(shown.trim(), "no price source is connected");
}

#[test]
fn of_two_servers_one_asks_a_source() {
    let town = Town::new(Place::live_postgres());
    town.connect();
    let host = PriceHost::start();
    host.answer_all(OK, &kraken("1.08"));
    let servers = [town.serve(), town.serve()];
    let since = Instant::now();
    connect(&town.place, "kraken", &host.url());
    until_price(&town.place, "EUR", "1.08");
    // Both have looked again by then.
    for server in &servers {
        let path = request(&town.shop.key, "GET", "/overview", &Value::Null);
        assert!(ask(&server.address, &path).is_some());
    }
    let asked = host.take_paths().len() as u64;
    assert!(asked <= 1 + since.elapsed().as_secs() / 15, "{asked}");
}
