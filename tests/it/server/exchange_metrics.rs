//! Exchange accounts in metrics and health, read from the database.

use serde_json::json;
use settlekit_service::Seed;
use settlekit_service::exchange::{
    Credentials, NewAccount, NewExchangeOrder, NewExchangeWithdrawal, NewMarket, Side,
};
use settlekit_service::web_answer::WebAnswer;
use settlekit_tests::chain::Connected;
use settlekit_tests::world::{amount, currency};

use super::monitored::Monitored;

#[test]
fn an_exchange_account_that_cannot_be_read_is_in_the_metrics_and_in_the_health_check() {
    let monitored = Monitored::after(fill);
    monitored.has_lines(&[
        "settlekit_exchange_failures{account=\"Kraken\"} 0",
        "settlekit_exchange_failures{account=\"Treasury\"} 1",
        "settlekit_exchange_balance{account=\"Kraken\",currency=\"USDC\"} 150.5",
        "settlekit_exchange_orders{account=\"Kraken\",status=\"Sent\"} 1",
        "settlekit_exchange_withdrawals{account=\"Kraken\",status=\"Queued\"} 1",
        "# TYPE settlekit_exchange_success_age_seconds gauge",
        "settlekit_exchange_book_failures{account=\"Kraken\",market=\"USDC/EUR\"} 0",
        "settlekit_exchange_book_failures{account=\"Treasury\",market=\"USDC/EUR\"} 1",
    ]);
    let is_aged = |name: &str| {
        let [balances, book] = [
            format!("settlekit_exchange_success_age_seconds{{account=\"{name}\"}}"),
            format!("settlekit_exchange_book_age_seconds{{account=\"{name}\""),
        ];
        (
            monitored.has_line_from(&balances),
            monitored.has_line_from(&book),
        )
    };
    assert_eq!(is_aged("Kraken"), (true, true));
    assert_eq!(is_aged("Treasury"), (false, false));
    let failing = "\"failing_exchanges\":1";
    assert!(monitored.health.contains(failing), "{}", monitored.health);
}

fn fill(connected: &mut Connected) {
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
    let described = answer(200, &json!({ "error": [], "result": { "USDCEUR": {
        "wsname": "USDC/EUR", "status": "online", "lot_decimals": 8, "tick_size": "0.0001", "ordermin": "5", "costmin": "0.5",
        "fees": [[0, 0.4]],
    } } }).to_string());
    let book = json!({ "error": [], "result": { "USDCEUR": { "asks": [["0.9201", "10", 1]], "bids": [["0.92", "10", 1]] } } });
    for (name, answer) in [
        ("Kraken", answer(200, &book.to_string())),
        ("Treasury", answer(502, "")),
    ] {
        let new = NewMarket {
            account: name.to_owned(),
            market: "USDC/EUR".to_owned(),
            margin: 0,
        };
        let added = service.add_exchange_market(database, &new, &described, now);
        assert_eq!(added, Ok(()), "{name}");
        let rounds = service.market_rounds(database, now).expect("rounds");
        assert_eq!(rounds.len(), 1, "{name}");
        let reported = service.report_market(database, &rounds[0], &answer, now, seed);
        assert!(reported.is_ok(), "{name}: {reported:?}");
    }
    // Sent, and its outcome is asked for.
    let on = service.set_exchange_trading(database, "Kraken", true);
    assert_eq!(on, Ok(()));
    let order = NewExchangeOrder {
        account: "Kraken".to_owned(),
        market: "USDC/EUR".to_owned(),
        side: Side::Sell,
        volume: amount("100"),
        price: amount("0.92"),
    };
    let stored = service.order_at_exchange(database, &order, now, seed);
    assert!(stored.is_ok(), "{stored:?}");
    let (rounds, _) = service
        .exchange_rounds(database, now, seed)
        .expect("rounds");
    assert_eq!(rounds.len(), 1);
    let withdrawal = NewExchangeWithdrawal {
        account: "Kraken".to_owned(),
        currency: currency("USDC"),
        chain: "8453".parse().expect("a chain"),
        amount: amount("50"),
        key: "hot".to_owned(),
    };
    let queued = service.withdraw_from_exchange(database, &withdrawal, now, seed);
    assert!(queued.is_ok(), "{queued:?}");
}
