//! The operator's exchange accounts: connected, read and disconnected.

mod orders;
mod recorded;
mod trades;
mod withdrawals;

use std::slice;
use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::value::Timestamp;
use settlekit_service::exchange::{
    Credentials, ExchangeAccount, ExchangeAccountError, ExchangeBalance, ExchangeError,
    ExchangeRound, NewAccount, parse_balances,
};
use settlekit_service::master_key::Rotated;
use settlekit_service::web_answer::{WebAnswer, WebError};
use settlekit_service::{Options, Seed, Service, StoreError};
use settlekit_tests::chain::Connected;
use settlekit_tests::world::World;

const SEED: Seed = Seed([7; 32]);

const URL: &str = "https://exchange.example";

fn new_account(secret: &str, nonce: u64) -> NewAccount {
    NewAccount {
        name: "Kraken".to_owned(),
        url: URL.to_owned(),
        credentials: Credentials::parse(&format!("key\n{secret}")).expect("credentials"),
        nonce,
        replaces: true,
        is_same_account: false,
    }
}

fn answer(status: u16, body: &str) -> WebAnswer {
    WebAnswer::Answer {
        status,
        body: body.as_bytes().to_vec(),
        retry_after: None,
    }
}

fn answered(result: &Value) -> WebAnswer {
    answer(200, &json!({ "error": [], "result": result }).to_string())
}

/// A live service with an exchange account.
struct ExchangeWorld {
    connected: Connected,
    failures: Vec<String>,
}

impl ExchangeWorld {
    fn each(test: impl Fn(&str, Self)) {
        Connected::each(|kind, connected| {
            let mut world = Self {
                connected,
                failures: Vec::new(),
            };
            assert_eq!(world.connect("c2VjcmV0", 1), Ok(()), "{kind}");
            test(kind, world);
        });
    }

    fn connect(&mut self, secret: &str, nonce: u64) -> Result<(), ExchangeAccountError> {
        let now = self.connected.world.now;
        let (service, database) = self.connected.world.parts();
        service.connect_exchange(database, &new_account(secret, nonce), now, SEED)
    }

    fn pass(&mut self, time: Duration) {
        self.connected.world.pass(time);
    }

    /// The rounds that are due.
    fn rounds(&mut self) -> Vec<ExchangeRound> {
        let now = self.connected.world.now;
        let (service, database) = self.connected.world.parts();
        let is_due = service.has_due_exchanges(database, now).expect("accounts");
        let rounds = service.exchange_rounds(database, now, SEED);
        let (rounds, failures) = rounds.expect("rounds");
        assert_eq!(is_due, !rounds.is_empty() || !failures.is_empty());
        self.failures.extend(failures);
        rounds
    }

    fn report(&mut self, round: &ExchangeRound, answer: &WebAnswer) {
        let now = self.connected.world.now;
        let (service, database) = self.connected.world.parts();
        let failures = service.report_exchange(database, round, slice::from_ref(answer), now, SEED);
        self.failures.extend(failures.expect("a report"));
    }

    /// Reads the balances of the only account.
    fn read(&mut self, answer: &WebAnswer) {
        let rounds = self.rounds();
        let [round] = rounds.as_slice() else {
            panic!("one is due: {rounds:?}");
        };
        self.report(round, answer);
    }

    fn account(&mut self) -> ExchangeAccount {
        let (service, database) = self.connected.world.parts();
        let accounts = service.connected_exchanges(database).expect("accounts");
        assert_eq!(accounts.len(), 1, "{accounts:?}");
        accounts.into_iter().next().expect("an account")
    }

    /// The balances: currency, total and reserved.
    fn balances(&mut self) -> Vec<String> {
        let all = self.account().balances.into_iter();
        let line =
            |one: ExchangeBalance| format!("{} {} {}", one.currency, one.total, one.reserved);
        all.map(line).collect()
    }
}

fn nonce(round: &ExchangeRound) -> u64 {
    let nonce = round.requests()[0].body.strip_prefix("nonce=");
    nonce.and_then(|nonce| nonce.parse().ok()).expect("a nonce")
}

#[test]
fn balances_are_read_at_once_and_every_minute_and_shown_by_their_usual_symbols() {
    ExchangeWorld::each(|kind, mut world| {
        assert_eq!(world.account().succeeded_at, None, "{kind}");
        let first = json!({
            "ZUSD": { "balance": "25435.2100", "hold_trade": "8249.7600" },
            "XXBT": { "balance": "1.2435", "hold_trade": "0" },
            "USDC": { "balance": "100.50000000" },
            "USDC.F": { "balance": "7.50000000", "hold_trade": "0" },
            "ETH2.S": { "balance": "9", "hold_trade": "0" },
            "ZEUR": { "balance": "-2.50", "hold_trade": "0" },
            "XETH": { "balance": "0.0000000000", "hold_trade": "0" },
            "XXDG": { "balance": "3", "hold_trade": "0" },
        });
        world.read(&answered(&first));
        assert_eq!(
            world.balances(),
            [
                "BTC 1.2435 0",
                "DOGE 3 0",
                "EUR -2.5 0",
                "USD 25435.21 8249.76",
                "USDC 108 0"
            ],
            "{kind}"
        );
        assert!(world.rounds().is_empty(), "{kind}");
        world.pass(Duration::from_secs(60));
        world.read(&answered(&json!({ "XETH": { "balance": "2" } })));
        assert_eq!(world.balances(), ["ETH 2 0"], "{kind}");
        assert_eq!(world.failures, Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_failure_keeps_the_balances_is_named_once_and_is_retried_less_and_less_often() {
    ExchangeWorld::each(|kind, mut world| {
        world.read(&answered(&json!({ "XETH": { "balance": "2" } })));
        world.pass(Duration::from_secs(60));
        let since = world.connected.world.now;
        for wait in [15, 30, 60, 120, 240, 480, 600, 600] {
            world.read(&answer(200, r#"{"error":["EService:Unavailable"]}"#));
            world.pass(Duration::from_secs(wait - 1));
            assert!(world.rounds().is_empty(), "{kind} {wait}");
            world.pass(Duration::from_secs(1));
        }
        let account = world.account();
        assert_eq!(
            (account.failures, account.failing_since),
            (8, Some(since)),
            "{kind}"
        );
        let error = "the exchange is temporarily unavailable";
        assert_eq!(account.last_error.as_deref(), Some(error), "{kind}");
        assert_eq!(world.balances(), ["ETH 2 0"], "{kind}");
        let failures = format!("the balances of Kraken cannot be read: {error}");
        assert_eq!(world.failures, [failures], "{kind}");
        world.read(&answered(&json!({})));
        assert_eq!(world.account().failures, 0, "{kind}");
        assert_eq!(world.balances(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn no_two_requests_have_one_nonce_whatever_the_clock_says() {
    ExchangeWorld::each(|kind, mut world| {
        let micros = |world: &ExchangeWorld| world.connected.world.now.micros().unsigned_abs();
        let rounds = world.rounds();
        let mut last = nonce(&rounds[0]);
        assert_eq!(last, micros(&world), "{kind}");
        // Connected again, and again, while the clock stands still.
        for _ in 0..2 {
            assert_eq!(world.connect("c2VjcmV0", 1), Ok(()), "{kind}");
            let rounds = world.rounds();
            assert_eq!(nonce(&rounds[0]), last + 1, "{kind}");
            last += 1;
        }
        // The clock goes back.
        let now = world.connected.world.now;
        world.connected.world.now = Timestamp::from_micros(now.micros() - 5_000_000);
        assert_eq!(world.connect("c2VjcmV0", 1), Ok(()), "{kind}");
        let rounds = world.rounds();
        assert_eq!(nonce(&rounds[0]), last + 1, "{kind}");
        last += 1;
        world.connected.world.now = now;
        // The command's clock was ahead.
        let ahead = last + 1_000_000_000;
        assert_eq!(world.connect("c2VjcmV0", ahead), Ok(()), "{kind}");
        assert_eq!(nonce(&world.rounds()[0]), ahead + 1, "{kind}");
        let (service, database) = world.connected.world.parts();
        let next = service.exchange_nonce(database, ("Kraken", true), now);
        assert_eq!(next, Ok(ahead + 2), "{kind}");
    });
}

#[test]
fn an_answer_counts_once_and_only_for_the_latest_round() {
    ExchangeWorld::each(|kind, mut world| {
        let rounds = world.rounds();
        // Nobody reported: another server asks after a minute.
        world.pass(Duration::from_secs(60));
        let again = world.rounds();
        world.report(
            &rounds[0],
            &answered(&json!({ "XETH": { "balance": "1" } })),
        );
        assert_eq!(world.balances(), Vec::<String>::new(), "{kind}");
        world.report(&again[0], &answered(&json!({ "XETH": { "balance": "2" } })));
        world.report(&again[0], &answered(&json!({ "XETH": { "balance": "3" } })));
        assert_eq!(world.balances(), ["ETH 2 0"], "{kind}");
        // One that is replaced asks again.
        world.pass(Duration::from_secs(60));
        let rounds = world.rounds();
        assert_eq!(world.connect("b3RoZXI=", 1), Ok(()), "{kind}");
        world.report(
            &rounds[0],
            &answered(&json!({ "XETH": { "balance": "4" } })),
        );
        assert_eq!(world.balances(), Vec::<String>::new(), "{kind}");
        // Nobody asks for one that is disconnected.
        let rounds = world.rounds();
        let (service, database) = world.connected.world.parts();
        assert_eq!(
            service.disconnect_exchange(database, "Kraken"),
            Ok(()),
            "{kind}"
        );
        world.report(
            &rounds[0],
            &answered(&json!({ "XETH": { "balance": "5" } })),
        );
        let (service, database) = world.connected.world.parts();
        assert_eq!(
            service.connected_exchanges(database),
            Ok(Vec::new()),
            "{kind}"
        );
        let gone = ExchangeAccountError::NotConnected("Kraken".to_owned());
        assert_eq!(
            service.disconnect_exchange(database, "Kraken"),
            Err(gone),
            "{kind}"
        );
    });
}

#[test]
fn an_answer_that_is_not_of_balances_is_an_error_of_its_own() {
    let error = |error: &str| answer(200, &json!({ "error": [error] }).to_string());
    let of = |asset: &str, balance: &str| answered(&json!({ asset: { "balance": balance } }));
    let many = (0..2_001).map(|one| (format!("A{one}"), json!({ "balance": "1" })));
    let many = Value::Object(many.collect());
    let held = json!({ "XETH": { "balance": "1", "hold_trade": "-1" } });
    for (answer, expected) in [
        (
            WebAnswer::Failed(WebError::TimedOut),
            ExchangeError::Web(WebError::TimedOut),
        ),
        (answer(429, ""), ExchangeError::RateLimited),
        (answer(502, "<html>"), ExchangeError::Status(502)),
        (answer(200, "<html>"), ExchangeError::Malformed),
        (answer(200, ""), ExchangeError::Malformed),
        (answer(200, "[]"), ExchangeError::Malformed),
        (answer(200, r#"{"error":[]}"#), ExchangeError::Malformed),
        (answered(&json!([1])), ExchangeError::Malformed),
        (answered(&json!({ "XETH": "1" })), ExchangeError::Malformed),
        (of("XETH", "much"), ExchangeError::Malformed),
        (of("XETH", ""), ExchangeError::Malformed),
        (of("XETH", &"9".repeat(60)), ExchangeError::Malformed),
        (of("E\"TH", "1"), ExchangeError::Malformed),
        (answered(&many), ExchangeError::Malformed),
        (answered(&held), ExchangeError::Malformed),
        (of(&"A".repeat(33), "1"), ExchangeError::Malformed),
        (error("EAPI:Invalid key"), ExchangeError::KeyUnknown),
        (
            error("EAPI:Invalid signature"),
            ExchangeError::SignatureWrong,
        ),
        (error("EAPI:Invalid nonce"), ExchangeError::NonceUsed),
        (
            error("EAPI:Rate limit exceeded"),
            ExchangeError::RateLimited,
        ),
        (
            error("EGeneral:Permission denied"),
            ExchangeError::PermissionMissing,
        ),
        (error("EService:Busy"), ExchangeError::Unavailable),
        (error("EGeneral:Unknown method"), ExchangeError::Refused),
    ] {
        assert_eq!(parse_balances(&answer), Err(expected), "{answer:?}");
    }
    let warned = json!({ "error": ["WGeneral:Danger"], "result": {} }).to_string();
    assert_eq!(parse_balances(&answer(200, &warned)), Ok(Vec::new()));
}

#[test]
fn credentials_are_sealed_follow_the_master_key_and_fail_without_it() {
    ExchangeWorld::each(|kind, mut world| {
        let (service, database) = world.connected.world.parts();
        let stored = database
            .query("SELECT credentials FROM exchange_accounts", &[])
            .expect("accounts");
        let stored = stored[0].blob(0).expect("a blob").to_vec();
        let text = String::from_utf8_lossy(&stored);
        assert!(
            !text.contains("key") && !text.contains("c2VjcmV0"),
            "{kind}"
        );
        let new_key = [9; 32];
        let rotated = service.rotate_master_key(database, &new_key, SEED);
        assert!(
            matches!(rotated, Ok(Rotated::Done(_))),
            "{kind}: {rotated:?}"
        );
        let other = Service::new(Options {
            master_key: new_key,
            ..service.options().clone()
        });
        let now = world.connected.world.now;
        let (service, database) = world.connected.world.parts();
        let (rounds, _) = other.exchange_rounds(database, now, SEED).expect("rounds");
        assert_eq!(rounds[0].requests()[0].headers[0].1, "key", "{kind}");
        // A server with the old key asks nothing, and says nothing of the account.
        let later = now.plus(Duration::from_secs(60));
        let refused = service.exchange_rounds(database, later, SEED);
        assert!(matches!(refused, Err(StoreError::Broken(_))), "{kind}");
        assert_eq!(service.failing_exchanges(database), Ok(0), "{kind}");
    });
}

#[test]
fn an_exchange_that_limits_or_refuses_the_key_is_left_alone_for_ten_minutes() {
    ExchangeWorld::each(|kind, mut world| {
        for error in [
            "EAPI:Rate limit exceeded",
            "EAPI:Invalid key",
            "EAPI:Invalid signature",
            "EGeneral:Permission denied",
            "EGeneral:Temporary lockout",
        ] {
            world.read(&answer(200, &json!({ "error": [error] }).to_string()));
            world.pass(Duration::from_secs(599));
            assert!(world.rounds().is_empty(), "{kind} {error}");
            world.pass(Duration::from_secs(1));
        }
        world.read(&WebAnswer::Answer {
            status: 503,
            body: Vec::new(),
            retry_after: Some(Duration::from_secs(1_000_000)),
        });
        world.pass(Duration::from_secs(600));
        // Also HTTP has a word for it.
        world.read(&answer(429, ""));
        world.pass(Duration::from_secs(599));
        assert!(world.rounds().is_empty(), "{kind}");
        world.pass(Duration::from_secs(1));
        world.read(&answered(&json!({})));
        // A shorter pause counts if the back-off is shorter still.
        world.pass(Duration::from_secs(60));
        world.read(&WebAnswer::Answer {
            status: 503,
            body: Vec::new(),
            retry_after: Some(Duration::from_secs(100)),
        });
        world.pass(Duration::from_secs(99));
        assert!(world.rounds().is_empty(), "{kind}");
        world.pass(Duration::from_secs(1));
        world.read(&answered(&json!({})));
        assert_eq!(world.account().failures, 0, "{kind}");
    });
}

#[test]
fn an_account_whose_credentials_are_damaged_stops_no_other() {
    ExchangeWorld::each(|kind, mut world| {
        let now = world.connected.world.now;
        let other = NewAccount {
            name: "Treasury".to_owned(),
            credentials: Credentials::parse("other\nb3RoZXI=").expect("credentials"),
            ..new_account("b3RoZXI=", 1)
        };
        let (service, database) = world.connected.world.parts();
        let done = service.connect_exchange(database, &other, now, SEED);
        assert_eq!(done, Ok(()), "{kind}");
        // Those of the other account: they are bound to its name.
        let swap = "UPDATE exchange_accounts SET credentials = \
             (SELECT other.credentials FROM exchange_accounts other WHERE other.name = 'Treasury') WHERE name = 'Kraken'";
        let (_, database) = world.connected.world.parts();
        database.execute(swap, &[]).expect("an update");
        let rounds = world.rounds();
        assert_eq!(rounds.len(), 1, "{kind}");
        assert_eq!(rounds[0].account, "Treasury", "{kind}");
        let failures = "the balances of Kraken cannot be read: the stored credentials cannot be unsealed: connect the account again";
        assert_eq!(world.failures, [failures], "{kind}");
        assert_eq!(world.connect("c2VjcmV0", 1), Ok(()), "{kind}");
        assert_eq!(world.rounds().len(), 1, "{kind}");
    });
}

#[test]
fn a_connected_account_is_replaced_only_on_request() {
    ExchangeWorld::each(|kind, mut world| {
        let now = world.connected.world.now;
        let new = NewAccount {
            replaces: false,
            ..new_account("b3RoZXI=", 1)
        };
        let (service, database) = world.connected.world.parts();
        let refused = service.connect_exchange(database, &new, now, SEED);
        let connected = ExchangeAccountError::Connected("Kraken".to_owned());
        assert_eq!(refused, Err(connected), "{kind}");
    });
}

#[test]
fn an_api_key_is_connected_under_one_name() {
    ExchangeWorld::each(|kind, mut world| {
        let now = world.connected.world.now;
        let second = NewAccount {
            name: "Treasury".to_owned(),
            ..new_account("b3RoZXI=", 1)
        };
        let (service, database) = world.connected.world.parts();
        let refused = service.connect_exchange(database, &second, now, SEED);
        let connected = ExchangeAccountError::KeyConnected("Kraken".to_owned());
        assert_eq!(refused, Err(connected), "{kind}");
        let other = NewAccount {
            credentials: Credentials::parse("other\nb3RoZXI=").expect("credentials"),
            ..second
        };
        let done = service.connect_exchange(database, &other, now, SEED);
        assert_eq!(done, Ok(()), "{kind}");
        assert_eq!(world.rounds().len(), 2, "{kind}");
    });
}

#[test]
fn a_sandbox_and_a_name_that_no_metric_can_show_are_refused() {
    World::each(|kind, mut world| {
        let now = world.now;
        let (service, database) = world.parts();
        let refused = service.connect_exchange(database, &new_account("c2VjcmV0", 1), now, SEED);
        assert_eq!(refused, Err(ExchangeAccountError::Sandbox), "{kind}");
        assert_eq!(
            service.has_due_exchanges(database, now),
            Ok(false),
            "{kind}"
        );
    });
    ExchangeWorld::each(|kind, mut world| {
        let now = world.connected.world.now;
        for name in ["", " ", " a", "a\"b", "a\nb", "ü", &"a".repeat(51)] {
            let new = NewAccount {
                name: name.to_owned(),
                ..new_account("c2VjcmV0", 1)
            };
            let (service, database) = world.connected.world.parts();
            let refused = service.connect_exchange(database, &new, now, SEED);
            assert_eq!(refused, Err(ExchangeAccountError::Name), "{kind} {name:?}");
        }
        assert_eq!(world.account().name, "Kraken", "{kind}");
    });
}
