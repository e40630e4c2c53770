//! Orders at exchange accounts: sent at most once, and their outcome is asked for until it is known.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::Seed;
use settlekit_service::exchange::{
    ExchangeAccountError, ExchangeError, ExchangeOrder, ExchangeOrderError, ExchangeOrderStatus,
    ExchangeRound, NewAccount, NewExchangeOrder, Side,
};
use settlekit_service::web_answer::{WebAnswer, WebError};
use settlekit_tests::world::{World, amount};

use super::{ExchangeWorld, SEED, answer, answered, new_account};

fn sale() -> NewExchangeOrder {
    NewExchangeOrder {
        account: "Kraken".to_owned(),
        market: "BTC/EUR".to_owned(),
        side: Side::Sell,
        volume: amount("0.5"),
        price: amount("60000"),
    }
}

const TIMED_OUT: WebAnswer = WebAnswer::Failed(WebError::TimedOut);

/// What a request says in a field of its form.
fn field<'a>(body: &'a str, name: &str) -> &'a str {
    let mut pairs = body.split('&').filter_map(|pair| pair.split_once('='));
    let found = pairs.find(|(field, _)| *field == name);
    found.map_or("", |(_, value)| value)
}

/// The nonces of a round's requests.
fn nonces(round: &ExchangeRound) -> Vec<u64> {
    let requests = round.requests().iter();
    requests
        .map(|request| field(&request.body, "nonce").parse().expect("a nonce"))
        .collect()
}

fn failed(error: &str) -> WebAnswer {
    answer(200, &json!({ "error": [error] }).to_string())
}

fn taken() -> WebAnswer {
    answered(&json!({ "txid": ["OABC-1"], "descr": { "order": "sell" } }))
}

/// An order as the exchange lists it: sold at 60000.01 each.
fn listed(id: &str, status: &str, executed: &str) -> Value {
    let cost = match executed {
        "0" => "0.00000",
        "0.20000000" => "12000.00200",
        _ => "30000.00500",
    };
    json!({
        "status": status, "cl_ord_id": id, "vol": "0.50000000", "vol_exec": executed,
        "cost": cost, "fee": "78.00000",
    })
}

/// The answers of an exchange that lists the order nowhere.
fn nothing() -> [WebAnswer; 2] {
    lists(json!({}), json!({}))
}

/// The answers of `ClosedOrders` and `OpenOrders`.
fn lists(closed: Value, open: Value) -> [WebAnswer; 2] {
    [
        answered(&json!({ "closed": closed, "count": 1 })),
        answered(&json!({ "open": open })),
    ]
}

/// An account on which trading is on.
struct OrderWorld {
    world: ExchangeWorld,
    seeds: u8,
}

impl OrderWorld {
    fn each(test: impl Fn(&str, Self)) {
        ExchangeWorld::each(|kind, mut world| {
            let (service, database) = world.connected.world.parts();
            let on = service.set_exchange_trading(database, "Kraken", true);
            assert_eq!(on, Ok(()), "{kind}");
            test(kind, Self { world, seeds: 0 });
        });
    }

    fn order(&mut self, new: &NewExchangeOrder) -> Result<String, ExchangeOrderError> {
        self.seeds += 1;
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        service.order_at_exchange(database, new, now, Seed([self.seeds; 32]))
    }

    /// The rounds about orders that are due. Those of balances are answered.
    fn rounds(&mut self) -> Vec<ExchangeRound> {
        let mut of_orders = Vec::new();
        loop {
            let now = self.world.connected.world.now;
            let (service, database) = self.world.connected.world.parts();
            let rounds = service.exchange_rounds(database, now, SEED);
            let (rounds, failures) = rounds.expect("rounds");
            self.world.failures.extend(failures);
            let (orders, balances): (Vec<_>, Vec<_>) = rounds
                .into_iter()
                .partition(|round| round.order().is_some());
            of_orders.extend(orders);
            if balances.is_empty() {
                return of_orders;
            }
            for round in balances {
                self.report(&round, &[answered(&json!({}))]);
            }
        }
    }

    /// The only round that is due.
    fn round(&mut self) -> ExchangeRound {
        let mut rounds = self.rounds();
        assert_eq!(rounds.len(), 1, "{rounds:?}");
        rounds.remove(0)
    }

    fn report(&mut self, round: &ExchangeRound, answers: &[WebAnswer]) {
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        let failures = service.report_exchange(database, round, answers, now, SEED);
        self.world.failures.extend(failures.expect("a report"));
    }

    /// Sends the order that is due, which is answered so.
    fn send(&mut self, answer: WebAnswer) {
        let round = self.round();
        assert_eq!(round.requests().len(), 1, "{round:?}");
        self.report(&round, &[answer]);
    }

    /// Connects another API key of the same account.
    fn replace_key(&mut self) -> Result<(), ExchangeAccountError> {
        let new = NewAccount {
            is_same_account: true,
            ..new_account("b3RoZXI=", 1)
        };
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        service.connect_exchange(database, &new, now, SEED)
    }

    fn pass(&mut self, seconds: u64) {
        self.world.pass(Duration::from_secs(seconds));
    }

    fn orders(&mut self) -> Vec<ExchangeOrder> {
        let (service, database) = self.world.connected.world.parts();
        service.exchange_orders(database).expect("orders")
    }

    fn latest(&mut self) -> ExchangeOrder {
        self.orders().remove(0)
    }

    /// Status and last error of the latest order.
    fn outcome(&mut self) -> (ExchangeOrderStatus, Option<String>) {
        let latest = self.latest();
        (latest.status, latest.last_error)
    }
}

#[test]
fn an_order_is_sent_with_its_id_and_a_deadline_and_keeps_what_the_exchange_executed() {
    OrderWorld::each(|kind, mut world| {
        let id = world.order(&sale()).expect("an order");
        let since = world.world.connected.world.now;
        let round = world.round();
        let requests = round.requests();
        let body = requests[0].body.clone();
        assert!(requests[0].url.ends_with("/0/private/AddOrder"), "{kind}");
        let deadline = since.plus(Duration::from_secs(30)).to_string();
        for (name, value) in [
            ("pair", "XBTEUR"),
            ("type", "sell"),
            ("ordertype", "limit"),
            ("timeinforce", "IOC"),
            ("oflags", "fciq"),
            ("volume", "0.5"),
            ("price", "60000"),
            ("cl_ord_id", &id),
            ("deadline", &deadline.replace(':', "%3A")),
        ] {
            assert_eq!(field(&body, name), value, "{kind} {name}");
        }
        assert!(world.rounds().is_empty(), "{kind}: it is sent once");
        world.report(&round, &[taken()]);
        assert_eq!(world.outcome(), (ExchangeOrderStatus::Sent, None), "{kind}");
        let round = world.round();
        let [closed, open] = round.requests() else {
            panic!("{kind}: two requests");
        };
        assert!(closed.url.ends_with("/0/private/ClosedOrders"), "{kind}");
        assert!(open.url.ends_with("/0/private/OpenOrders"), "{kind}");
        assert_eq!(field(&closed.body, "cl_ord_id"), id, "{kind}");
        assert_eq!(field(&open.body, "cl_ord_id"), id, "{kind}");
        // The exchange still works on it.
        world.report(
            &round,
            &lists(json!({}), json!({ "OABC-1": listed(&id, "open", "0") })),
        );
        assert!(world.rounds().is_empty(), "{kind}");
        world.pass(5);
        let round = world.round();
        let partly = listed(&id, "canceled", "0.20000000");
        world.report(&round, &lists(json!({ "OABC-1": partly }), json!({})));
        let order = world.latest();
        assert_eq!(order.status, ExchangeOrderStatus::Closed, "{kind}");
        assert_eq!(order.exchange_id.as_deref(), Some("OABC-1"), "{kind}");
        let execution = order.execution.expect("an execution");
        let shown = [execution.volume, execution.cost, execution.fee].map(|one| one.to_string());
        assert_eq!(shown, ["0.2", "12000.002", "78"], "{kind}");
        world.pass(3_600);
        assert!(world.rounds().is_empty(), "{kind}: it is final");
        assert_eq!(world.world.failures, Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_refused_order_that_the_exchange_does_not_list_is_refused() {
    OrderWorld::each(|kind, mut world| {
        for (error, shown) in [
            (
                "EOrder:Insufficient funds",
                "the account has too little for the order",
            ),
            (
                "EOrder:Order minimum not met",
                "the order is smaller than the exchange takes",
            ),
            (
                "EOrder:Cost minimum not met",
                "the order is smaller than the exchange takes",
            ),
            (
                "EOrder:Invalid price",
                "the exchange does not take this price",
            ),
            (
                "EQuery:Unknown asset pair",
                "the exchange has no such market",
            ),
            (
                "EService:Market in cancel_only mode",
                "the market takes no such orders now",
            ),
            (
                "EService:Deadline elapsed",
                "the order reached the exchange too late",
            ),
            (
                "EGeneral:Invalid arguments:volume",
                "the exchange does not take a field of the request",
            ),
            (
                "EGeneral:Permission denied",
                "the API key lacks a permission",
            ),
        ] {
            world.order(&sale()).expect("an order");
            world.send(failed(error));
            assert_eq!(
                world.latest().status,
                ExchangeOrderStatus::Sent,
                "{kind} {error}"
            );
            world.pass(5);
            let round = world.round();
            world.report(&round, &nothing());
            let refused = (ExchangeOrderStatus::Refused, Some(shown.to_owned()));
            assert_eq!(world.outcome(), refused, "{kind} {error}");
            world.pass(3_600);
            assert!(world.rounds().is_empty(), "{kind} {error}");
        }
    });
}

#[test]
fn an_order_without_a_clear_answer_is_asked_for_and_never_sent_again() {
    OrderWorld::each(|kind, mut world| {
        for unclear in [
            TIMED_OUT,
            answer(502, "<html>"),
            answer(200, "<html>"),
            failed("EService:Unavailable"),
            failed("EGeneral:Internal error"),
            failed("EOrder:Something new"),
            failed("EAPI:Invalid nonce"),
            // What a repeated request may be told.
            failed("EOrder:Insufficient funds"),
            answer(
                200,
                r#"{"error":["EOrder:Insufficient funds","EService:Timeout"]}"#,
            ),
            answered(&json!({ "txid": [] })),
            answered(&json!({ "txid": ["A", "B"] })),
            answered(&json!({ "txid": ["a/b"] })),
        ] {
            let id = world.order(&sale()).expect("an order");
            world.send(unclear.clone());
            let (status, error) = world.outcome();
            assert_eq!(status, ExchangeOrderStatus::Sent, "{kind} {unclear:?}");
            let is_refusal = unclear == failed("EOrder:Insufficient funds");
            assert_eq!(error.is_some(), !is_refusal, "{kind} {unclear:?}");
            world.pass(600);
            let round = world.round();
            let filled = listed(&id, "closed", "0.50000000");
            world.report(&round, &lists(json!({ "OABC-1": filled }), json!({})));
            let (status, error) = world.outcome();
            assert_eq!(status, ExchangeOrderStatus::Closed, "{kind} {unclear:?}");
            assert_eq!(error, None, "{kind} {unclear:?}");
        }
        assert_eq!(
            world.world.failures.len(),
            11,
            "{kind}: each but the refusal"
        );
    });
}

#[test]
fn an_order_that_the_exchange_does_not_know_long_after_its_deadline_was_never_placed() {
    OrderWorld::each(|kind, mut world| {
        world.order(&sale()).expect("an order");
        world.send(TIMED_OUT);
        world.pass(15);
        // The intervals between the questions: 330 seconds after the order was sent have not passed.
        for wait in [5, 10, 20, 40, 60, 60, 60, 60] {
            let round = world.round();
            world.report(&round, &nothing());
            assert_eq!(world.latest().status, ExchangeOrderStatus::Sent, "{kind}");
            world.pass(wait - 1);
            assert!(world.rounds().is_empty(), "{kind} {wait}");
            world.pass(1);
        }
        // At exactly 330 seconds it is still Sent.
        let round = world.round();
        world.report(&round, &nothing());
        assert_eq!(world.latest().status, ExchangeOrderStatus::Sent, "{kind}");
        world.pass(60);
        let round = world.round();
        world.report(&round, &nothing());
        let never = (
            ExchangeOrderStatus::NotPlaced,
            Some("no answer in time".to_owned()),
        );
        assert_eq!(world.outcome(), never, "{kind}");
        world.pass(3_600);
        assert!(world.rounds().is_empty(), "{kind}");
    });
}

#[test]
fn no_clock_and_no_single_answer_makes_an_order_not_placed() {
    OrderWorld::each(|kind, mut world| {
        world.order(&sale()).expect("an order");
        world.send(TIMED_OUT);
        // A clock is hours ahead, or the exchange was away for hours.
        world.pass(7_200);
        for wait in [5, 10, 20] {
            let round = world.round();
            world.report(&round, &nothing());
            world.pass(wait);
        }
        let round = world.round();
        world.report(&round, &[nothing()[0].clone(), TIMED_OUT]);
        world.pass(15);
        for wait in [5, 10, 20, 40, 60] {
            let round = world.round();
            world.report(&round, &nothing());
            assert_eq!(
                world.latest().status,
                ExchangeOrderStatus::Sent,
                "{kind} {wait}"
            );
            world.pass(wait);
        }
        let round = world.round();
        world.report(&round, &nothing());
        assert_eq!(
            world.latest().status,
            ExchangeOrderStatus::NotPlaced,
            "{kind}"
        );
    });
}

#[test]
fn a_late_report_tells_of_the_time_of_its_question() {
    OrderWorld::each(|kind, mut world| {
        world.order(&sale()).expect("an order");
        world.send(TIMED_OUT);
        world.pass(15);
        for wait in [5, 10, 20, 40, 60] {
            let round = world.round();
            world.report(&round, &nothing());
            world.pass(wait);
        }
        let round = world.round();
        world.pass(3_600);
        world.report(&round, &nothing());
        assert_eq!(world.latest().status, ExchangeOrderStatus::Sent, "{kind}");
    });
}

#[test]
fn the_exchange_is_asked_before_an_outcome_is_given_up() {
    OrderWorld::each(|kind, mut world| {
        for is_listed in [true, false] {
            let id = world.order(&sale()).expect("an order");
            world.send(TIMED_OUT);
            // All servers were away for two days.
            world.pass(2 * 24 * 3_600);
            let round = world.round();
            let filled = listed(&id, "closed", "0.5");
            let (answers, status) = match is_listed {
                true => (
                    lists(json!({ "OABC-1": filled }), json!({})),
                    ExchangeOrderStatus::Closed,
                ),
                false => ([TIMED_OUT, TIMED_OUT], ExchangeOrderStatus::Unknown),
            };
            world.report(&round, &answers);
            assert_eq!(world.latest().status, status, "{kind}");
        }
    });
}

#[test]
fn an_order_from_a_clock_that_was_ahead_is_not_sent_later() {
    OrderWorld::each(|kind, mut world| {
        world.order(&sale()).expect("an order");
        let now = world.world.connected.world.now;
        let before = now.minus(Duration::from_secs(7_200));
        world.world.connected.world.now = before;
        assert!(world.rounds().is_empty(), "{kind}");
        assert_eq!(
            world.latest().status,
            ExchangeOrderStatus::Refused,
            "{kind}"
        );
        // One that was sent is asked for, by whichever clock.
        world.world.connected.world.now = now;
        world.order(&sale()).expect("an order");
        let _lost = world.round();
        world.world.connected.world.now = before;
        assert_eq!(world.round().requests().len(), 2, "{kind}");
    });
}

#[test]
fn an_order_that_the_exchange_confirmed_is_never_called_not_placed_and_given_up_after_a_day() {
    OrderWorld::each(|kind, mut world| {
        world.order(&sale()).expect("an order");
        world.send(taken());
        for _ in 0..25 {
            let round = world.round();
            world.report(&round, &nothing());
            assert_eq!(world.latest().status, ExchangeOrderStatus::Sent, "{kind}");
            world.pass(3_600);
        }
        let round = world.round();
        world.report(&round, &nothing());
        assert_eq!(
            world.latest().status,
            ExchangeOrderStatus::Unknown,
            "{kind}"
        );
        let [failure] = world.world.failures.as_slice() else {
            panic!("{kind}: {:?}", world.world.failures);
        };
        assert!(
            failure.ends_with("look for it at the exchange"),
            "{kind}: {failure}"
        );
    });
}

#[test]
fn a_server_that_stops_between_storing_and_sending_leaves_an_order_that_is_asked_for() {
    OrderWorld::each(|kind, mut world| {
        let id = world.order(&sale()).expect("an order");
        let lost = world.round();
        world.pass(59);
        assert!(
            world.rounds().is_empty(),
            "{kind}: it may still be under way"
        );
        world.pass(1);
        let round = world.round();
        assert_eq!(round.requests().len(), 2, "{kind}: it is not sent again");
        // The answer of before is late: it does not count.
        world.report(&lost, &[failed("EOrder:Insufficient funds")]);
        assert_eq!(world.latest().status, ExchangeOrderStatus::Sent, "{kind}");
        let filled = listed(&id, "closed", "0.5");
        let answers = lists(json!({ "OABC-1": filled }), json!({}));
        world.report(&round, &answers);
        world.report(
            &round,
            &lists(json!({ "OABC-1": listed(&id, "canceled", "0") }), json!({})),
        );
        let execution = world.latest().execution.expect("an execution");
        assert_eq!(
            execution.volume,
            amount("0.5"),
            "{kind}: an answer counts once"
        );
    });
}

#[test]
fn a_list_that_is_not_of_the_order_is_no_answer() {
    OrderWorld::each(|kind, mut world| {
        let id = world.order(&sale()).expect("an order");
        world.send(taken());
        let with = |name: &str, value: Value| {
            let mut order = listed(&id, "closed", "0.5");
            order[name] = value;
            lists(json!({ "OABC-1": order }), json!({}))
        };
        let fine = listed(&id, "closed", "0.5");
        for answers in [
            lists(
                json!({ "OABC-1": listed("another", "closed", "0.5") }),
                json!({}),
            ),
            lists(json!({ "OABC-1": fine, "OABC-2": fine }), json!({})),
            lists(json!({ "a/b": fine }), json!({})),
            lists(json!({ "OABC-2": fine }), json!({})),
            lists(json!([fine]), json!({})),
            lists(
                json!({}),
                json!({ "OABC-1": listed("another", "open", "0") }),
            ),
            with("status", json!("open")),
            with("vol", json!("5")),
            with("vol_exec", json!("0.6")),
            with("vol_exec", json!("-0.1")),
            with("vol_exec", json!("much")),
            with("cost", json!("-1")),
            // Below the limit, or nothing for something.
            with("cost", json!("29960")),
            with("cost", json!("0")),
            with("vol_exec", json!("0")),
            with("fee", json!(78)),
        ] {
            let round = world.round();
            world.report(&round, &answers);
            let (status, error) = world.outcome();
            assert_eq!(status, ExchangeOrderStatus::Sent, "{kind} {answers:?}");
            let malformed = Some("the answer is malformed".to_owned());
            assert_eq!(error, malformed, "{kind} {answers:?}");
            world.pass(600);
        }
    });
}

#[test]
fn orders_of_an_account_are_asked_about_one_after_the_other() {
    OrderWorld::each(|kind, mut world| {
        world.order(&sale()).expect("an order");
        world.order(&sale()).expect("an order");
        let first = world.round();
        assert!(
            world.rounds().is_empty(),
            "{kind}: nonces could overtake each other"
        );
        world.report(&first, &[failed("EOrder:Insufficient funds")]);
        let second = world.round();
        assert_ne!(first.order(), second.order(), "{kind}");
        assert!(nonces(&second)[0] > nonces(&first)[0], "{kind}");
    });
}

#[test]
fn requests_for_balances_and_about_orders_never_overtake_each_other() {
    OrderWorld::each(|kind, mut world| {
        // The order first: its price is soon out of date. The balances are due since the account was connected.
        world.pass(1);
        world.order(&sale()).expect("an order");
        let mut last = 0;
        for (is_order, answers) in [
            (true, vec![taken()]),
            (false, vec![answered(&json!({}))]),
            (true, nothing().to_vec()),
        ] {
            let rounds = world.world.rounds();
            let [round] = rounds.as_slice() else {
                panic!("{kind}: one at a time: {rounds:?}");
            };
            assert_eq!(round.order().is_some(), is_order, "{kind}");
            assert_eq!(world.world.rounds().len(), 0, "{kind}: it is under way");
            for nonce in nonces(round) {
                assert!(nonce > last, "{kind}");
                last = nonce;
            }
            world.report(round, &answers);
        }
    });
}

#[test]
fn a_server_whose_clock_is_behind_sees_the_request_of_another() {
    OrderWorld::each(|kind, mut world| {
        world.order(&sale()).expect("an order");
        assert_eq!(world.world.rounds().len(), 1, "{kind}");
        let now = world.world.connected.world.now;
        world.world.connected.world.now = now.minus(Duration::from_secs(2));
        assert_eq!(world.world.rounds().len(), 0, "{kind}: it is under way");
        // A clock that was two hours ahead holds nothing up.
        world.world.connected.world.now = now.minus(Duration::from_secs(7_200));
        assert_eq!(world.world.rounds().len(), 1, "{kind}");
    });
}

#[test]
fn an_exchange_that_asks_for_fewer_requests_gets_none_about_anything_for_ten_minutes() {
    OrderWorld::each(|kind, mut world| {
        let first = world.order(&sale()).expect("an order");
        world.send(failed("EAPI:Rate limit exceeded"));
        let second = world.order(&sale()).expect("an order");
        assert_eq!(world.world.rounds().len(), 0, "{kind}");
        world.pass(61);
        assert_eq!(world.rounds().len(), 0, "{kind}");
        let late = Some("no server sent it within a minute of its time".to_owned());
        let of_second = world.orders().into_iter().find(|order| order.id == second);
        let of_second = of_second.map(|order| (order.status, order.last_error));
        let refused = (ExchangeOrderStatus::Refused, late);
        assert_eq!(of_second, Some(refused), "{kind}: its price is out of date");
        world.pass(538);
        assert_eq!(world.world.rounds().len(), 0, "{kind}");
        world.pass(1);
        let round = world.round();
        assert_eq!(round.order(), Some(first.as_str()), "{kind}");
        world.report(&round, &nothing());
    });
}

#[test]
fn balances_are_read_while_orders_are_asked_about_again_and_again() {
    OrderWorld::each(|kind, mut world| {
        let mut ids = Vec::new();
        for _ in 0..20 {
            ids.push(world.order(&sale()).expect("an order"));
            world.send(TIMED_OUT);
        }
        let mut reads = 0;
        for _ in 0..600 {
            world.pass(1);
            let rounds = world.world.rounds();
            for round in rounds {
                match round.order().map(str::to_owned) {
                    None => {
                        reads += 1;
                        world.report(&round, &[answered(&json!({}))]);
                    }
                    Some(id) => {
                        let open = json!({ "OABC-1": listed(&id, "open", "0") });
                        world.report(&round, &lists(json!({}), open));
                    }
                }
            }
        }
        assert!(reads >= 7, "{kind}: {reads} reads in ten minutes");
    });
}

#[test]
fn damaged_credentials_refuse_a_new_order_and_leave_a_sent_one_in_doubt() {
    OrderWorld::each(|kind, mut world| {
        let sent = world.order(&sale()).expect("an order");
        world.send(TIMED_OUT);
        let new = world.order(&sale()).expect("an order");
        let (_, database) = world.world.connected.world.parts();
        let damage = "UPDATE exchange_accounts SET credentials = ?1";
        let damaged = database.execute(damage, &[b"damaged".as_slice().into()]);
        damaged.expect("an update");
        world.pass(30);
        assert_eq!(world.world.rounds().len(), 0, "{kind}");
        let outcome = |world: &mut OrderWorld, id: &str| {
            let order = world.orders().into_iter().find(|order| order.id == id);
            order.map(|order| (order.status, order.last_error))
        };
        let error = Some(ExchangeError::CredentialsDamaged.to_string());
        let refused = (ExchangeOrderStatus::Refused, error.clone());
        assert_eq!(outcome(&mut world, &new), Some(refused), "{kind}");
        let in_doubt = (ExchangeOrderStatus::Sent, error);
        assert_eq!(outcome(&mut world, &sent), Some(in_doubt), "{kind}");
        // Connected again, the order is found.
        assert_eq!(world.replace_key(), Ok(()), "{kind}");
        world.pass(60);
        let round = world.round();
        assert_eq!(round.order(), Some(sent.as_str()), "{kind}");
        let filled = json!({ "OABC-1": listed(&sent, "closed", "0.5") });
        world.report(&round, &lists(filled, json!({})));
        let closed = outcome(&mut world, &sent).map(|(status, _)| status);
        assert_eq!(closed, Some(ExchangeOrderStatus::Closed), "{kind}");
    });
}

#[test]
fn an_order_that_no_server_sends_within_a_minute_is_not_sent() {
    OrderWorld::each(|kind, mut world| {
        world.order(&sale()).expect("an order");
        world.pass(61);
        assert!(world.rounds().is_empty(), "{kind}");
        let late = "no server sent it within a minute of its time".to_owned();
        let refused = (ExchangeOrderStatus::Refused, Some(late));
        assert_eq!(world.outcome(), refused, "{kind}");
    });
}

#[test]
fn trading_is_off_until_it_is_switched_on_and_off_again_for_a_replaced_account() {
    OrderWorld::each(|kind, mut world| {
        let off = || Err(ExchangeOrderError::TradingOff("Kraken".to_owned()));
        assert_eq!(world.world.connect("b3RoZXI=", 1), Ok(()), "{kind}");
        assert_eq!(world.order(&sale()), off(), "{kind}");
        let switch = |world: &mut OrderWorld, is_on: bool| {
            let (service, database) = world.world.connected.world.parts();
            service.set_exchange_trading(database, "Kraken", is_on)
        };
        assert_eq!(switch(&mut world, true), Ok(()), "{kind}");
        world.order(&sale()).expect("an order");
        assert_eq!(switch(&mut world, false), Ok(()), "{kind}");
        assert!(world.rounds().is_empty(), "{kind}");
        let refused = (
            ExchangeOrderStatus::Refused,
            Some("trading was switched off".to_owned()),
        );
        assert_eq!(world.outcome(), refused, "{kind}");
        let (service, database) = world.world.connected.world.parts();
        let gone = service.set_exchange_trading(database, "Treasury", true);
        let not_connected = ExchangeAccountError::NotConnected("Treasury".to_owned());
        assert_eq!(gone, Err(not_connected), "{kind}");
    });
}

#[test]
fn an_account_with_an_order_under_way_stays_as_it_is() {
    OrderWorld::each(|kind, mut world| {
        let id = world.order(&sale()).expect("an order");
        let under_way = || Err(ExchangeAccountError::OrderUnderWay("Kraken".to_owned()));
        let disconnect = |world: &mut OrderWorld| {
            let (service, database) = world.world.connected.world.parts();
            service.disconnect_exchange(database, "Kraken")
        };
        assert_eq!(disconnect(&mut world), under_way(), "{kind}");
        world.send(TIMED_OUT);
        assert_eq!(disconnect(&mut world), under_way(), "{kind}");
        assert_eq!(world.world.connect("b3RoZXI=", 1), under_way(), "{kind}");
        // Another key of the same account knows the order.
        assert_eq!(world.replace_key(), Ok(()), "{kind}");
        world.pass(600);
        let round = world.round();
        let filled = listed(&id, "closed", "0.5");
        world.report(&round, &lists(json!({ "OABC-1": filled }), json!({})));
        assert_eq!(world.latest().status, ExchangeOrderStatus::Closed, "{kind}");
        assert_eq!(disconnect(&mut world), Ok(()), "{kind}");
        assert_eq!(world.orders().len(), 1, "{kind}: the order is still listed");
    });
}

#[test]
fn an_order_of_no_market_volume_or_price_is_refused() {
    OrderWorld::each(|kind, mut world| {
        let with = |change: &dyn Fn(&mut NewExchangeOrder)| {
            let mut new = sale();
            change(&mut new);
            new
        };
        for market in [
            "",
            "BTC",
            "BTC/",
            "/EUR",
            "BTC/BTC",
            "btc/EUR",
            "BTC/EUR/USD",
            "B/EUR",
            "BTC/E&R",
        ] {
            let new = with(&|new| new.market = market.to_owned());
            assert_eq!(
                world.order(&new),
                Err(ExchangeOrderError::Market),
                "{kind} {market}"
            );
        }
        for volume in ["0", "-1"] {
            let new = with(&|new| new.volume = amount(volume));
            assert_eq!(world.order(&new), Err(ExchangeOrderError::Volume), "{kind}");
        }
        let new = with(&|new| new.price = amount("0"));
        assert_eq!(world.order(&new), Err(ExchangeOrderError::Price), "{kind}");
        let new = with(&|new| new.account = "Treasury".to_owned());
        let gone = ExchangeOrderError::NotConnected("Treasury".to_owned());
        assert_eq!(world.order(&new), Err(gone), "{kind}");
        assert_eq!(world.orders(), Vec::new(), "{kind}");
    });
    World::each(|kind, mut world| {
        let now = world.now;
        let (service, database) = world.parts();
        let refused = service.order_at_exchange(database, &sale(), now, SEED);
        assert_eq!(refused, Err(ExchangeOrderError::Sandbox), "{kind}");
    });
}
