//! A live service with an exchange on its chain, an exchange account and prices, and a merchant with 100 EURC and 2 ETH.

use std::time::Duration;

use alloy_primitives::Address;
use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_service::exchange::{Credentials, ExchangeRound, NewAccount, NewMarket};
use settlekit_service::web_answer::WebAnswer;
use settlekit_service::{Database, Seed};
use settlekit_tests::chain::{CONFIRMATIONS, PAYER, USDC};
use settlekit_tests::database::{self, rows};
use settlekit_tests::world::{Answer, request, text};

use crate::chain::model::exchange::EURC;
use crate::chain::model::node::Transaction;
use crate::chain::model::run::{Kind, Run};
use crate::trade::{balance, order, status};

/// Euros that only the pools trade, and ether that the exchange account pays better.
pub(super) const BASKET: &str =
    "sell_currency=EURC,ETH&sell_amount=10,0.01&buy_currency=USDC&deposit_method=Balance";

/// The dollars that a swap of 10 EURC brings, in millionths.
pub(super) const SWAPPED: u128 = 10_956_405;

/// The dollars of an order that sells 0.01 ETH: 26, less 0.4 % and 0.5 %.
pub(super) const ORDERED: u128 = 25_766_000;

/// The part that ends first.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ends {
    Swap,
    Order,
}

pub(super) struct TraderWorld {
    pub(super) run: Run,
    seeds: u64,
}

impl TraderWorld {
    /// Runs a test on each engine, with the exchange of the chain alone.
    pub(super) fn each(test: impl Fn(&str, Self)) {
        database::each(|kind, database| test(kind, Self::new(database)));
    }

    /// As [`TraderWorld::each`], with an exchange account that trades ether for dollars.
    pub(super) fn with_exchange(test: impl Fn(&str, Self)) {
        Self::each(|kind, mut world| {
            world.connect_account();
            test(kind, world);
        });
    }

    pub(super) fn new(database: Box<dyn Database>) -> Self {
        let mut run = Run::new(1, Kind::Exchange, database);
        run.connect_prices();
        let (till, wallet) = (run.till, run.connected.wallet);
        let shop = run.shop.clone();
        let till = (run.connected.world).read(&shop, &format!("/v1/accounts/{till}"));
        let till: Address = text(&till, "address").parse().expect("an address");
        for (token, to, units) in [
            (Some(EURC), till, 100_000_000),
            (None, till, 2_000_000_000_000_000_000),
            (Some(USDC), wallet, 100_000_000_000),
            (None, wallet, 1_000_000_000_000_000_000),
        ] {
            let hash = run.hash();
            let paid = Transaction::pay(hash, PAYER, token, to, units);
            run.node.mempool.push(paid);
        }
        let mut world = Self { run, seeds: 0 };
        world.mine();
        // The money of the till goes on to the hot wallet.
        world.pass(Duration::from_secs(3_600));
        world.mine();
        world
    }

    fn seed(&mut self) -> Seed {
        self.seeds += 1;
        let mut seed = [0x55; 32];
        seed[..8].copy_from_slice(&self.seeds.to_be_bytes());
        Seed(seed)
    }

    pub(super) fn connect_account(&mut self) {
        self.connect_account_as("Kraken");
    }

    /// Connects an account by a name, which trades ether for dollars.
    pub(super) fn connect_account_as(&mut self, name: &str) {
        let now = self.run.connected.world.now;
        let new = NewAccount {
            name: name.to_owned(),
            url: "https://exchange.example".to_owned(),
            credentials: Credentials::parse(&format!("{name}\nc2VjcmV0")).expect("credentials"),
            nonce: 1,
            replaces: false,
            is_same_account: false,
        };
        let seed = self.seed();
        let (service, database) = self.run.connected.world.parts();
        let done = service.connect_exchange(database, &new, now, seed);
        assert_eq!(done, Ok(()));
        self.add_market(name, "ETH/USDC");
        let (service, database) = self.run.connected.world.parts();
        let on = service.set_exchange_trading(database, name, true);
        assert_eq!(on, Ok(()));
        self.read_exchange();
    }

    /// Adds a market of an account with a fee of 0.4 % and a margin of 0.5 %.
    pub(super) fn add_market(&mut self, account: &str, market: &str) {
        let now = self.run.connected.world.now;
        let new = NewMarket {
            account: account.to_owned(),
            market: market.to_owned(),
            margin: 5_000,
        };
        let described = json!({ market.replace('/', ""): {
            "wsname": market, "status": "online", "lot_decimals": 8, "pair_decimals": 4, "tick_size": "0.0001",
            "ordermin": "0.002", "costmin": "0.5", "fees": [[0, 0.4]],
        } });
        let (service, database) = self.run.connected.world.parts();
        let added = service.add_exchange_market(database, &new, &answered(&described), now);
        assert_eq!(added, Ok(()));
    }

    /// Reads the balances and order books that are due: buyers pay 2 600 for ether, and 1.15 for euros.
    pub(super) fn read_exchange(&mut self) {
        for round in self.rounds() {
            assert!(round.order().is_none(), "an order is due");
            self.report_balances(&round);
        }
        let now = self.run.connected.world.now;
        let seed = self.seed();
        let (service, database) = self.run.connected.world.parts();
        let rounds = service.market_rounds(database, now).expect("rounds");
        for round in rounds {
            let (pair, bid) = match round.url.contains("ETHUSDC") {
                true => ("ETHUSDC", "2600"),
                false => ("EURCUSDC", "1.15"),
            };
            let book = json!({ pair: {
                "bids": [[bid, "5000", 1_790_000_000]], "asks": [["9999", "1", 1_790_000_000]],
            } });
            let (service, database) = self.run.connected.world.parts();
            let told = service.report_market(database, &round, &answered(&book), now, seed);
            assert_eq!(told.expect("a report"), Vec::<String>::new());
        }
    }

    fn report_balances(&mut self, round: &ExchangeRound) {
        let balances = json!({
            "XETH": { "balance": "100" }, "EURC": { "balance": "1000" }, "USDC": { "balance": "1000000" },
        });
        self.report(round, &[answered(&balances)]);
    }

    pub(super) fn rounds(&mut self) -> Vec<ExchangeRound> {
        let now = self.run.connected.world.now;
        let seed = self.seed();
        let (service, database) = self.run.connected.world.parts();
        let rounds = service.exchange_rounds(database, now, seed);
        rounds.expect("rounds").0
    }

    pub(super) fn report(&mut self, round: &ExchangeRound, answers: &[WebAnswer]) {
        let now = self.run.connected.world.now;
        let seed = self.seed();
        let (service, database) = self.run.connected.world.parts();
        let told = service.report_exchange(database, round, answers, now, seed);
        assert_eq!(told.expect("a report"), Vec::<String>::new());
    }

    /// The next round about an order.
    fn round(&mut self) -> ExchangeRound {
        for _ in 0..20 {
            for round in self.rounds() {
                if round.order().is_some() {
                    return round;
                }
                self.report_balances(&round);
            }
            self.pass(Duration::from_secs(1));
        }
        panic!("no order is due");
    }

    /// The exchange takes the next order; its id.
    pub(super) fn placed(&mut self) -> String {
        let round = self.round();
        let id = round.order().expect("about an order").to_owned();
        self.report(&round, &[answered(&json!({ "txid": [exchange_id(&id)] }))]);
        id
    }

    /// The exchange closes an order: its volume, the executed volume and the cost.
    pub(super) fn close(&mut self, id: &str, [volume, executed, cost]: [&str; 3]) {
        self.report_closed(id, [volume, executed, cost]);
        self.work();
    }

    /// The exchange closes the order that is asked for next.
    pub(super) fn close_next(&mut self, parts: [&str; 3]) {
        let round = self.round();
        let id = round.order().expect("about an order").to_owned();
        self.answer_closed(&round, &id, parts);
        self.work();
    }

    /// As [`TraderWorld::close`], before the merchant's order goes on.
    pub(super) fn report_closed(&mut self, id: &str, parts: [&str; 3]) {
        loop {
            let round = self.round();
            if round.order() == Some(id) {
                return self.answer_closed(&round, id, parts);
            }
        }
    }

    fn answer_closed(
        &mut self,
        round: &ExchangeRound,
        id: &str,
        [volume, executed, cost]: [&str; 3],
    ) {
        let closed = json!({ exchange_id(id): {
            "status": "closed", "cl_ord_id": id, "vol": volume, "vol_exec": executed, "cost": cost, "fee": "0",
        } });
        let closed = answered(&json!({ "closed": closed }));
        self.report(round, &[closed, answered(&json!({ "open": {} }))]);
    }

    fn ask(&mut self, query: &str) -> Answer {
        let target = format!("/v1/trade/quote?{query}");
        let key = vec![(header::API_KEY.to_owned(), self.run.shop.key.clone())];
        let asked = request("GET", &target, &Value::Null, key);
        let answers = self.run.node_answers();
        (self.run.connected.world).send_with_nodes(&asked, answers)
    }

    pub(super) fn quote(&mut self, query: &str) -> Value {
        let answer = self.ask(query);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.data().clone()
    }

    pub(super) fn refusal(&mut self, query: &str) -> String {
        self.ask(query).refusal()
    }

    /// What the first error of a quote says.
    pub(super) fn message(&mut self, query: &str) -> String {
        text(&self.ask(query).body["error"]["errors"][0], "message")
    }

    pub(super) fn try_accept(&mut self, quote: &Value) -> Result<Value, String> {
        let path = format!("/v1/trade/quote/{}/accept", text(quote, "id"));
        let shop = self.run.shop.clone();
        let world = &mut self.run.connected.world;
        let answer = world.signed(&shop, None, "POST", &path, json!({}));
        match answer.status {
            201 => Ok(answer.data().clone()),
            _ => Err(answer.refusal()),
        }
    }

    /// The order of an accepted quote, once its parts are started.
    pub(super) fn accept(&mut self, quote: &Value) -> Value {
        let made = self.try_accept(quote).expect("an order");
        self.work();
        self.work();
        made
    }

    pub(super) fn work(&mut self) {
        self.run.connected.world.work();
    }

    pub(super) fn pass(&mut self, time: Duration) {
        self.run.connected.world.pass(time);
        self.work();
    }

    /// Mines sent transactions until they are settled.
    pub(super) fn mine(&mut self) {
        for _ in 0..12 + CONFIRMATIONS {
            self.block();
        }
    }

    /// A block with all that is sent.
    pub(super) fn block(&mut self) {
        self.run.answer(true);
        let executions = self.run.node.mine(self.run.seconds(), || true);
        self.run.record(executions);
        self.pass(Duration::from_secs(2));
    }

    pub(super) fn order(&mut self, made: &Value) -> Value {
        let shop = self.run.shop.clone();
        order(&mut self.run.connected.world, &shop, made)
    }

    pub(super) fn status(&mut self, made: &Value) -> String {
        let shop = self.run.shop.clone();
        status(&mut self.run.connected.world, &shop, made)
    }

    pub(super) fn balance(&mut self, currency: &str) -> (String, String) {
        let shop = self.run.shop.clone();
        balance(&mut self.run.connected.world, &shop, 8453, currency)
    }

    /// The merchant's dollars, in millionths.
    pub(super) fn bought(&mut self) -> u128 {
        let (posted, _) = self.balance("USDC");
        self.units(&json!(posted))
    }

    /// Millionths of an amount, as text or as a number.
    pub(super) fn units(&self, amount: &Value) -> u128 {
        let text = amount.as_str().map_or(amount.to_string(), str::to_owned);
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        format!("{whole}{part:0<6}").parse().expect("an amount")
    }

    /// The transactions of orders: purpose, currency and part.
    pub(super) fn swaps(&mut self) -> Vec<String> {
        let (_, database) = self.run.connected.world.parts();
        let swaps = "SELECT purpose, currency, part FROM outgoing_transactions WHERE order_id IS NOT NULL ORDER BY id";
        rows(database, swaps)
    }

    /// Whether an order's transaction of a purpose has a status.
    pub(super) fn has(&mut self, purpose: &str, status: &str) -> bool {
        let (_, database) = self.run.connected.world.parts();
        let found = "SELECT purpose, status FROM outgoing_transactions WHERE order_id IS NOT NULL";
        rows(database, found).contains(&format!("{purpose} {status}"))
    }

    /// The books balance, and agree with the chain and the exchange account.
    pub(super) fn is_sound(&mut self) {
        self.run.check();
    }
}

/// The exchange's id of an order.
fn exchange_id(id: &str) -> String {
    format!("O{}", &id[..8])
}

fn answered(result: &Value) -> WebAnswer {
    WebAnswer::Answer {
        status: 200,
        body: (json!({ "error": [], "result": result }).to_string()).into_bytes(),
        retry_after: None,
    }
}
