//! Conversions on a chain, whose quotes need answers of nodes: what happens between asking and the report.

use std::time::Duration;

use alloy_primitives::Address;
use serde_json::{Value, json};
use settlekit_service::Seed;
use settlekit_service::contract_calls::CallError;
use settlekit_service::conversion_calls::Conversion;
use settlekit_service::node_calls::NodeAnswers;
use settlekit_service::price_sources::PriceSource;
use settlekit_service::step::{Command, Reply};
use settlekit_service::uniswap::Slippage;
use settlekit_service::venue_operator::NewVenue;
use settlekit_tests::chain::USDC;
use settlekit_tests::world::{Shop, text, texts};

use crate::chain::model::exchange::{self, EURC};
use crate::chain::model::node::State;
use crate::prices::feed::Feed;

/// How long an asked conversion waits for its report.
const LEASE: u64 = 61;

/// How long a refused conversion is paused.
const PAUSE: u64 = 15 * 60;

/// A shop with 10 USDC on a chain with an exchange, and an automation that converts them to EURC.
struct Desk {
    feed: Feed,
    /// The chain's latest state.
    state: State,
    shop: Shop,
    automation: i64,
    seeds: u8,
}

impl Desk {
    fn each(test: impl Fn(&str, Self)) {
        Feed::each(&[PriceSource::Kraken], |kind, feed| {
            test(kind, Self::new(feed))
        });
    }

    fn new(mut feed: Feed) -> Self {
        feed.connected.eurc = Some(EURC);
        feed.connected.connect();
        for (symbol, price) in [
            ("ETH", "2500"),
            ("USDC", "1"),
            ("EURC", "1.1"),
            ("EUR", "1.1"),
            ("GBP", "1.27"),
            ("CAD", "1.37"),
            ("CHF", "0.9"),
        ] {
            feed.say(PriceSource::Kraken, symbol, price);
        }
        feed.answer();
        let mut state = State::default();
        exchange::fill(&mut state);
        let connected = &mut feed.connected;
        let shop = connected.world.shop("Shop", None);
        let till = connected
            .world
            .account(&shop, "till", 8453, &["USDC", "EURC"]);
        let till = connected.world.read(&shop, &format!("/v1/accounts/{till}"));
        let address: Address = text(&till, "address").parse().expect("an address");
        let mut desk = Self {
            feed,
            state,
            shop,
            automation: 0,
            seeds: 0,
        };
        desk.connect_exchange();
        let body = json!({
            "currency": "USDC", "to_currency": "EURC", "threshold_amount": 5, "max_cost_bps": 1000,
        });
        let path = "/v1/partners/accounts/id/till/automations/convert-balance";
        let world = &mut desk.feed.connected.world;
        let made = world.signed(&desk.shop, None, "POST", path, body);
        assert_eq!(made.status, 201, "{}", made.body);
        desk.automation = made.data()["id"].as_i64().expect("an id");
        desk.feed
            .connected
            .chain
            .transfer(Some(USDC), address, 10_000_000);
        desk.feed.connected.blocks(4);
        desk.work();
        desk
    }

    fn seed(&mut self) -> Seed {
        self.seeds += 1;
        Seed([self.seeds; 32])
    }

    fn connect_exchange(&mut self) {
        let new = NewVenue {
            name: "Uniswap".to_owned(),
            contracts: exchange::contracts(),
            slippage: Slippage::new(5_000).expect("a slippage"),
        };
        let (now, chain) = (self.feed.now(), self.feed.connected.chain.id);
        let (service, database) = self.feed.connected.world.parts();
        let connected = service.connect_venue(database, chain, &new, now);
        connected.expect("an exchange");
        for _ in 0..2 {
            let seed = self.seed();
            let (service, database) = self.feed.connected.world.parts();
            let rounds = service.pool_rounds(database, now, seed).expect("rounds");
            let head = self.feed.connected.chain.head().hash;
            for round in rounds {
                let answers = self
                    .state
                    .answers((head, now.seconds().unsigned_abs()), &round.calls);
                let (service, database) = self.feed.connected.world.parts();
                let reported = service.report_pools(database, &round, &[answers], now, seed);
                reported.expect("a report");
            }
        }
    }

    fn disconnect_exchange(&mut self) {
        let chain = self.feed.connected.chain.id;
        let (service, database) = self.feed.connected.world.parts();
        let gone = service.disconnect_venue(database, chain);
        gone.expect("an exchange");
    }

    /// Updates the prices and runs due jobs.
    fn work(&mut self) {
        self.feed.answer();
        self.feed.connected.world.work();
    }

    /// Lets time pass, with a block and prices of then.
    fn pass(&mut self, seconds: u64) {
        self.feed.pass(seconds);
        self.feed.connected.blocks(1);
        self.work();
    }

    fn claim(&mut self) -> Vec<Conversion> {
        let (now, seed) = (self.feed.now(), self.seed());
        let (service, database) = self.feed.connected.world.parts();
        let is_due = service
            .has_due_conversions(database, now)
            .expect("an answer");
        let claimed = service.claim_conversions(database, now, seed);
        let (conversions, failures) = claimed.expect("conversions");
        assert_eq!(failures, Vec::<String>::new());
        assert!(is_due || conversions.is_empty());
        conversions
    }

    /// Claims the only conversion.
    fn claim_one(&mut self) -> Conversion {
        let mut claimed = self.claim();
        assert_eq!(claimed.len(), 1);
        claimed.remove(0)
    }

    fn report(&mut self, conversion: &Conversion) {
        let now = self.feed.now();
        // At the block of the calls, whenever the report comes.
        let answers = conversion.calls.iter().map(|calls| {
            let block = calls.batches[0].block;
            let at = (block, now.seconds().unsigned_abs());
            vec![self.state.answers(at, calls)]
        });
        let answers: Vec<_> = answers.collect();
        self.report_answers(conversion, &answers);
    }

    /// Reports answers of the nodes of each chain.
    fn report_answers(&mut self, conversion: &Conversion, answers: &[Vec<NodeAnswers>]) {
        let (now, seed) = (self.feed.now(), self.seed());
        let (service, database) = self.feed.connected.world.parts();
        let reported = service.report_conversion(database, conversion, answers, now, seed);
        assert_eq!(reported.expect("a report"), Vec::<String>::new());
    }

    fn orders(&mut self) -> Vec<String> {
        let world = &mut self.feed.connected.world;
        texts(&world.list(&self.shop, "/v1/trade/orders"), "status")
    }

    fn shown(&mut self) -> Value {
        let path = "/v1/partners/accounts/till/automations";
        let world = &mut self.feed.connected.world;
        let list = world.signed(&self.shop, None, "GET", path, Value::Null);
        list.data()["items"][0].clone()
    }

    /// Waits for a retry of what was refused, and converts.
    fn converts_after_the_pause(&mut self, kind: &str) {
        // Longer than any.
        self.pass(4 * PAUSE);
        let conversion = self.claim_one();
        self.report(&conversion);
        assert_eq!(self.orders().len(), 1, "{kind}");
    }
}

#[test]
fn a_conversion_is_asked_for_again_until_it_is_reported_and_converts_once() {
    Desk::each(|kind, mut desk| {
        let lost = desk.claim_one();
        assert!(desk.claim().is_empty(), "{kind}: it is claimed");
        desk.pass(LEASE);
        let first = desk.claim_one();
        desk.report(&first);
        assert_eq!(desk.orders(), ["Open"], "{kind}");
        // A report that comes late, and one that comes twice.
        desk.report(&lost);
        desk.report(&first);
        assert_eq!(desk.orders(), ["Open"], "{kind}");
        desk.pass(LEASE);
        assert!(
            desk.claim().is_empty(),
            "{kind}: nothing is left to convert"
        );
        assert_eq!(desk.shown()["reason"], Value::Null, "{kind}");
    });
}

#[test]
fn an_automation_that_was_disabled_or_deleted_meanwhile_converts_nothing() {
    Desk::each(|kind, mut desk| {
        let conversion = desk.claim_one();
        let path = format!("/v1/partners/automations/{}", desk.automation);
        let off = json!({ "enabled": false });
        let world = &mut desk.feed.connected.world;
        let disabled = world.signed(&desk.shop, None, "PATCH", &path, off);
        assert_eq!(disabled.status, 200, "{kind}: {}", disabled.body);
        desk.report(&conversion);
        desk.pass(LEASE);
        assert!(desk.claim().is_empty(), "{kind}");
        let on = json!({ "enabled": true });
        let world = &mut desk.feed.connected.world;
        world.signed(&desk.shop, None, "PATCH", &path, on);
        desk.work();
        let conversion = desk.claim_one();
        let world = &mut desk.feed.connected.world;
        let deleted = world.signed(&desk.shop, None, "DELETE", &path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        desk.report(&conversion);
        assert_eq!(desk.orders(), Vec::<String>::new(), "{kind}");
        desk.pass(LEASE);
        assert!(desk.claim().is_empty(), "{kind}");
    });
}

#[test]
fn a_suspended_organisation_converts_nothing_until_its_suspension_ends() {
    Desk::each(|kind, mut desk| {
        let conversion = desk.claim_one();
        let mut suspend = |kind: Option<&str>| {
            let command = Command::Suspend {
                organisation: desk.shop.id,
                kind: kind.map(str::to_owned),
            };
            assert_eq!(desk.feed.connected.world.call(command), Reply::Done);
        };
        suspend(Some("Compliance"));
        desk.report(&conversion);
        desk.pass(LEASE);
        assert!(desk.claim().is_empty(), "{kind}: nobody is asked");
        let mut suspend = |kind: Option<&str>| {
            let command = Command::Suspend {
                organisation: desk.shop.id,
                kind: kind.map(str::to_owned),
            };
            assert_eq!(desk.feed.connected.world.call(command), Reply::Done);
        };
        suspend(None);
        desk.work();
        let conversion = desk.claim_one();
        desk.report(&conversion);
        assert_eq!(desk.orders().len(), 1, "{kind}");
    });
}

#[test]
fn a_conversion_whose_exchange_is_gone_says_so_and_is_tried_again() {
    Desk::each(|kind, mut desk| {
        // Before the nodes are asked.
        desk.disconnect_exchange();
        assert!(desk.claim().is_empty(), "{kind}");
        assert_eq!(desk.shown()["reason"], "NoQuote", "{kind}");
        desk.connect_exchange();
        desk.pass(PAUSE);
        // Before the report.
        let conversion = desk.claim_one();
        desk.disconnect_exchange();
        desk.report(&conversion);
        assert_eq!(desk.shown()["reason"], "NoQuote", "{kind}");
        assert_eq!(desk.orders(), Vec::<String>::new(), "{kind}");
        desk.connect_exchange();
        desk.converts_after_the_pause(kind);
    });
}

#[test]
fn without_a_price_nothing_is_converted() {
    Desk::each(|kind, mut desk| {
        let conversion = desk.claim_one();
        // The prices are too old.
        desk.feed.connected.world.pass(Duration::from_secs(3_600));
        desk.feed.connected.blocks(1);
        desk.report(&conversion);
        assert_eq!(desk.orders(), Vec::<String>::new(), "{kind}");
        assert_eq!(desk.shown()["reason"], "NoQuote", "{kind}");
        desk.converts_after_the_pause(kind);
    });
}

#[test]
fn a_price_that_moved_before_the_report_converts_nothing_until_it_is_back() {
    Desk::each(|kind, mut desk| {
        let conversion = desk.claim_one();
        let before = desk.state.clone();
        exchange::take_euros(&mut desk.state);
        desk.report(&conversion);
        assert_eq!(desk.orders(), Vec::<String>::new(), "{kind}");
        assert!(desk.shown()["reason"].is_string(), "{kind}");
        desk.state = before;
        desk.converts_after_the_pause(kind);
    });
}

#[test]
fn nodes_that_are_away_or_answer_too_little_convert_nothing() {
    Desk::each(|kind, mut desk| {
        for answers in [
            vec![vec![vec![Err(CallError::Unreachable)]]],
            vec![vec![Vec::new()]],
            vec![Vec::new()],
            Vec::new(),
        ] {
            let conversion = desk.claim_one();
            desk.report_answers(&conversion, &answers);
            assert_eq!(desk.orders(), Vec::<String>::new(), "{kind} {answers:?}");
            // Longer than any pause.
            desk.pass(4 * PAUSE);
        }
        desk.converts_after_the_pause(kind);
    });
}
