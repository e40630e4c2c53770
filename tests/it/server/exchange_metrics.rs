//! Exchange accounts in metrics and health, read from the database.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use settlekit_server::{Setup, build};
use settlekit_service::exchange::{Credentials, NewAccount, NewExchangeOrder, Side};
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::web_answer::WebAnswer;
use settlekit_service::{Database, Mode, Seed};
use settlekit_tests::chain::Connected;

use super::{metrics, send, setup_on};

#[test]
fn an_exchange_account_that_cannot_be_read_is_in_the_metrics_and_in_the_health_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.db");
    let database: Box<dyn Database> = Box::new(Sqlite::open(&file).expect("a database"));
    let mut connected = Connected::live(database);
    let (now, seed) = (connected.world.now, Seed([3; 32]));
    let (service, database) = connected.world.parts();
    let answer = |status: u16, body: &str| WebAnswer::Answer {
        status,
        body: body.as_bytes().to_vec(),
        retry_after: None,
    };
    let balances = json!({ "error": [], "result": {
        "USDC": { "balance": "250.50", "hold_trade": "100" },
    }});
    let answers = [
        ("Kraken", answer(200, &balances.to_string())),
        ("Treasury", answer(502, "")),
    ];
    for (name, answer) in answers {
        let new = NewAccount {
            name: name.to_owned(),
            url: "https://exchange.example".to_owned(),
            credentials: Credentials::parse(&format!("{name}\nc2VjcmV0")).expect("credentials"),
            nonce: 1,
            replaces: false,
            is_same_account: false,
        };
        let done = service.connect_exchange(database, &new, now, seed);
        assert_eq!(done, Ok(()), "{name}");
        let (rounds, _) = service
            .exchange_rounds(database, now, seed)
            .expect("rounds");
        assert_eq!(rounds.len(), 1, "{name}");
        let failures = service.report_exchange(database, &rounds[0], &[answer], now, seed);
        assert!(failures.is_ok(), "{name}: {failures:?}");
    }
    // Sent, and its outcome is asked for.
    let on = service.set_exchange_trading(database, "Kraken", true);
    assert_eq!(on, Ok(()));
    let order = NewExchangeOrder {
        account: "Kraken".to_owned(),
        market: "USDC/EUR".to_owned(),
        side: Side::Sell,
        volume: "100".parse().expect("an amount"),
        price: "0.92".parse().expect("an amount"),
    };
    let stored = service.order_at_exchange(database, &order, now, seed);
    assert!(stored.is_ok(), "{stored:?}");
    let (rounds, _) = service
        .exchange_rounds(database, now, seed)
        .expect("rounds");
    assert_eq!(rounds.len(), 1);
    drop(connected);

    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let setup = Setup {
            mode: Mode::Live,
            ..setup_on(&file)
        };
        let server = build(&setup).expect("a server");
        let answer = metrics(&server.router()).await;
        let text = answer.text();
        for line in [
            "settlekit_exchange_failures{account=\"Kraken\"} 0",
            "settlekit_exchange_failures{account=\"Treasury\"} 1",
            "settlekit_exchange_balance{account=\"Kraken\",currency=\"USDC\"} 150.5",
            "settlekit_exchange_orders{account=\"Kraken\",status=\"Sent\"} 1",
            "# TYPE settlekit_exchange_success_age_seconds gauge",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        let aged = |name: &str| {
            text.contains(&format!(
                "settlekit_exchange_success_age_seconds{{account=\"{name}\"}}"
            ))
        };
        assert!(aged("Kraken") && !aged("Treasury"), "{text}");
        let request = Request::get("/healthz");
        let health = send(&server.router(), request, Body::empty()).await;
        let text = health.text();
        assert!(text.contains("\"status\":\"ok\""), "{text}");
        assert!(text.contains("\"failing_exchanges\":1"), "{text}");
        server.close().await;
    });
}
