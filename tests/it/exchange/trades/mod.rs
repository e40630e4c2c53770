//! Quotes of merchants that an order at an exchange account covers.

mod balances;
mod fees;
mod limits;
mod markets;
mod positions;
mod waiting;

use std::time::Duration;

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_service::block::Transfer;
use settlekit_service::exchange::{
    ExchangeMarketError, ExchangeOrderError, ExchangeOrderStatus, ExchangeRound, Execution,
    NewMarket,
};
use settlekit_service::web_answer::{WebAnswer, WebError};
use settlekit_service::{Seed, TransferIndex};
use settlekit_tests::chain::{CONFIRMATIONS, USDC};
use settlekit_tests::world::{Shop, amount, text};

use super::{ExchangeWorld, SEED, answer, answered};
use crate::trade::{accept, balance, order, quote, status};

const SALE: &str = "sell_currency=ETH&sell_amount=2&buy_currency=USDC&deposit_method=Balance";
const PURCHASE: &str =
    "sell_currency=USDC&sell_amount=4000&buy_currency=ETH&deposit_method=Balance";

fn eth_usdc() -> NewMarket {
    NewMarket {
        account: "Kraken".to_owned(),
        market: "ETH/USDC".to_owned(),
        margin: 5_000,
    }
}

/// The market as the exchange describes it: a fee of 0.4 %.
fn described() -> Value {
    json!({ "ETHUSDC": {
        "wsname": "ETH/USDC", "status": "online", "lot_decimals": 8, "pair_decimals": 2, "tick_size": "0.01",
        "ordermin": "0.002", "costmin": "0.5", "fees": [[0, 0.4], [10000, 0.35]],
    } })
}

fn book(bids: &[[&str; 2]], asks: &[[&str; 2]]) -> Value {
    let side = |levels: &[[&str; 2]]| {
        let levels = levels
            .iter()
            .map(|[price, volume]| json!([price, volume, 1_790_000_000]));
        levels.collect::<Vec<Value>>()
    };
    json!({ "ETHUSDC": { "asks": side(asks), "bids": side(bids) } })
}

/// The balances of the account at the exchange.
fn balances() -> Value {
    json!({ "XETH": { "balance": "100" }, "USDC": { "balance": "1000000" } })
}

/// Buyers at 2 000, sellers at 2 001.
fn usual() -> Value {
    book(
        &[["2000.00000", "5.000"], ["1990.00000", "50.000"]],
        &[["2001.00000", "5.000"], ["2010.00000", "50.000"]],
    )
}

/// An operator with 100 000 USDC in the hot wallet who trades in ETH/USDC, and a merchant with 10 ETH and 10 000 USDC.
struct TradeWorld {
    world: ExchangeWorld,
    shop: Shop,
    till: Address,
    /// The exchange's fee for each order, in dollars.
    fee: &'static str,
}

impl TradeWorld {
    fn each(test: impl Fn(&str, Self)) {
        ExchangeWorld::each(|kind, mut world| {
            let shop = world.connected.world.otc_shop("Trader");
            let till = world
                .connected
                .world
                .account(&shop, "till", 8453, &["USDC", "ETH"]);
            let till = world
                .connected
                .world
                .read(&shop, &format!("/v1/accounts/{till}"));
            let till: Address = text(&till, "address").parse().expect("an address");
            let wallet = world.connected.wallet;
            let chain = &mut world.connected.chain;
            chain.transfer(Some(USDC), wallet, 100_000_000_000);
            chain.transfer(Some(USDC), till, 10_000_000_000);
            chain.transfer(None, till, 10_000_000_000_000_000_000);
            world.connected.blocks(CONFIRMATIONS);
            let mut world = Self {
                world,
                shop,
                till,
                fee: "0",
            };
            assert_eq!(world.add(&eth_usdc(), &answered(&described())), Ok(()));
            let (service, database) = world.world.connected.world.parts();
            let on = service.set_exchange_trading(database, "Kraken", true);
            assert_eq!(on, Ok(()), "{kind}");
            world.world.read(&answered(&balances()));
            world.read_book(&answered(&usual()));
            test(kind, world);
        });
    }

    fn add(&mut self, new: &NewMarket, answer: &WebAnswer) -> Result<(), ExchangeMarketError> {
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        service.add_exchange_market(database, new, answer, now)
    }

    /// Reads the order book of the only market.
    fn read_book(&mut self, answer: &WebAnswer) {
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        assert!(service.has_due_markets(database, now).expect("markets"));
        let rounds = service.market_rounds(database, now).expect("rounds");
        let [round] = rounds.as_slice() else {
            panic!("one is due: {rounds:?}");
        };
        assert_eq!(
            round.url,
            "https://exchange.example/0/public/Depth?pair=ETHUSDC&count=100"
        );
        let failures = service.report_market(database, round, answer, now, SEED);
        self.world.failures.extend(failures.expect("a report"));
    }

    /// A later time, with the usual order book.
    fn pass(&mut self, time: Duration) {
        self.world.pass(time);
        self.read_book(&answered(&usual()));
    }

    fn quote(&mut self, query: &str) -> Value {
        quote(&mut self.world.connected.world, &self.shop, query)
    }

    fn refusal(&mut self, query: &str) -> String {
        let path = format!("/v1/trade/quote?{query}");
        let world = &mut self.world.connected.world;
        world.keyed(&self.shop, "GET", &path, Value::Null).refusal()
    }

    /// The order of an accepted quote, once it is funded and the order at the exchange is stored.
    fn accept(&mut self, quote: &Value) -> Value {
        let made = accept(&mut self.world.connected.world, &self.shop, quote);
        self.work();
        self.work();
        made.expect("an order")
    }

    fn work(&mut self) {
        self.world.connected.world.work();
    }

    fn status(&mut self, order: &Value) -> String {
        status(&mut self.world.connected.world, &self.shop, order)
    }

    fn balance(&mut self, currency: &str) -> (String, String) {
        balance(&mut self.world.connected.world, &self.shop, 8453, currency)
    }

    /// The id, volume, limit and side of the order that is sent to the exchange now.
    fn placed(&mut self) -> (String, [String; 3]) {
        let round = self.round();
        let id = round.order().expect("about an order").to_owned();
        let body = round.requests()[0].body.clone();
        let field = |name: &str| {
            let mut pairs = body.split('&').filter_map(|pair| pair.split_once('='));
            let found = pairs.find(|(field, _)| *field == name);
            found.map_or(String::new(), |(_, value)| value.to_owned())
        };
        let shown = ["type", "volume", "price"].map(field);
        self.report(&round, &[answered(&json!({ "txid": ["OABC-1"] }))]);
        (id, shown)
    }

    /// The next round about an order.
    fn round(&mut self) -> ExchangeRound {
        loop {
            let mut rounds = self.world.rounds();
            assert_eq!(rounds.len(), 1, "{rounds:?}");
            let round = rounds.remove(0);
            if round.order().is_some() {
                return round;
            }
            self.report(&round, &[answered(&balances())]);
        }
    }

    fn report(&mut self, round: &ExchangeRound, answers: &[WebAnswer]) {
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        let failures = service.report_exchange(database, round, answers, now, Seed([9; 32]));
        self.world.failures.extend(failures.expect("a report"));
    }

    /// The exchange closes the order: its volume, the executed volume and the cost.
    fn close(&mut self, id: &str, parts: [&str; 3]) {
        let round = self.round();
        self.close_asked(&round, id, parts);
    }

    fn close_asked(
        &mut self,
        round: &ExchangeRound,
        id: &str,
        [volume, executed, cost]: [&str; 3],
    ) {
        let closed = json!({ "OABC-1": {
            "status": "closed", "cl_ord_id": id, "vol": volume, "vol_exec": executed, "cost": cost, "fee": self.fee,
        } });
        let closed = answered(&json!({ "closed": closed }));
        self.report(round, &[closed, answered(&json!({ "open": {} }))]);
        self.work();
    }

    fn move_ether(&mut self, from: Address, to: Address, ether: u64) {
        let chain = &mut self.world.connected.chain;
        let hash = chain.hash();
        chain.include(Transfer {
            hash,
            index: TransferIndex::Value,
            token: None,
            from,
            to,
            units: U256::from(ether) * U256::from(10_u64.pow(18)),
        });
        self.world.connected.blocks(CONFIRMATIONS);
    }

    fn is_sound(&mut self, kind: &str) {
        assert_eq!(self.world.connected.differences(), [""; 0], "{kind}");
    }
}

#[test]
fn a_sale_settles_as_quoted_once_the_exchange_has_executed() {
    TradeWorld::each(|kind, mut world| {
        let quoted = world.quote(SALE);
        // 2 × 2 000, less 0.4 % and 0.5 %.
        assert_eq!(quoted["buy_asset"]["amount"], 3964, "{kind}");
        assert_eq!(quoted["fees"]["total_fee"], 36, "{kind}");
        assert_eq!(
            quoted["properties"]["offers"][0]["venue"], "Kraken",
            "{kind}"
        );
        let made = world.accept(&quoted);
        assert_eq!(world.status(&made), "Processing", "{kind}");
        assert_eq!(world.balance("ETH"), ("10".into(), "8".into()), "{kind}");
        let (id, sent) = world.placed();
        // The limit: 1 989.96 each bring 3 964 after the fee.
        assert_eq!(sent, ["sell", "2", "1989.96"], "{kind}");
        assert_eq!(
            world.balance("USDC").0,
            "10000",
            "{kind}: nothing is given yet"
        );
        world.is_sound(kind);
        world.close(&id, ["2", "2", "4000"]);
        assert_eq!(world.status(&made), "Settled", "{kind}");
        assert_eq!(world.balance("ETH"), ("8".into(), "8".into()), "{kind}");
        assert_eq!(
            world.balance("USDC"),
            ("13964".into(), "13964".into()),
            "{kind}"
        );
        world.is_sound(kind);
        assert_eq!(world.world.failures, [""; 0], "{kind}");
        // It has ended, whatever comes.
        world.pass(Duration::from_secs(3_600));
        world.work();
        assert_eq!(world.balance("USDC").0, "13964", "{kind}");
    });
}

#[test]
fn a_purchase_settles_as_quoted_once_the_exchange_has_executed() {
    TradeWorld::each(|kind, mut world| {
        // The operator's coins for fees are the only ones: 1 ETH.
        let refusal = world.refusal(PURCHASE);
        assert_eq!(refusal, "422 SIZE_NOT_TRADED sell_amount[0]", "{kind}");
        let quoted = world.quote(&PURCHASE.replace("4000", "400"));
        // 400 × 0.995 / (2 001 × 1.004).
        assert_eq!(
            quoted["buy_asset"]["amount"].to_string(),
            "0.19810811",
            "{kind}"
        );
        let made = world.accept(&quoted);
        let (id, sent) = world.placed();
        assert_eq!(sent, ["buy", "0.19810811", "2011.05"], "{kind}");
        world.close(&id, ["0.19810811", "0.19810811", "396.41432811"]);
        assert_eq!(world.status(&made), "Settled", "{kind}");
        assert_eq!(world.balance("USDC").0, "9600", "{kind}");
        assert_eq!(world.balance("ETH").0, "10.19810811", "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn an_order_that_the_exchange_does_not_execute_gives_the_money_back() {
    TradeWorld::each(|kind, mut world| {
        for ending in ["nothing", "refused", "expired", "removed", "trading off"] {
            let quoted = world.quote(SALE);
            let made = match ending {
                "removed" => {
                    let world = &mut world;
                    let made = accept(&mut world.world.connected.world, &world.shop, &quoted);
                    let (service, database) = world.world.connected.world.parts();
                    let removed = service.remove_exchange_market(database, "Kraken", "ETH/USDC");
                    assert_eq!(removed, Ok(()), "{kind}");
                    world.work();
                    world.work();
                    made.expect("an order")
                }
                _ => world.accept(&quoted),
            };
            match ending {
                "removed" => {
                    assert_eq!(world.add(&eth_usdc(), &answered(&described())), Ok(()));
                }
                "nothing" => {
                    let (id, _) = world.placed();
                    world.close(&id, ["2", "0", "0"]);
                }
                "refused" => {
                    let round = world.round();
                    let refused = answer(200, r#"{"error":["EOrder:Insufficient funds"]}"#);
                    world.report(&round, &[refused]);
                    world.pass(Duration::from_secs(10));
                    let round = world.round();
                    let empty = [json!({ "closed": {} }), json!({ "open": {} })];
                    world.report(&round, &empty.map(|list| answered(&list)));
                }
                "expired" => {
                    world.pass(Duration::from_secs(61));
                    assert_eq!(world.world.rounds().len(), 1, "{kind}: balances only");
                }
                _ => {
                    let (service, database) = world.world.connected.world.parts();
                    let off = service.set_exchange_trading(database, "Kraken", false);
                    assert_eq!(off, Ok(()), "{kind}");
                    world.pass(Duration::from_secs(10));
                    let rounds = world.world.rounds();
                    assert!(rounds.iter().all(|round| round.order().is_none()), "{kind}");
                }
            }
            world.work();
            let ended = order(&mut world.world.connected.world, &world.shop, &made);
            assert_eq!(ended["status"], "Failed", "{kind} {ending}");
            assert_eq!(ended["reason"], "VenueRefused", "{kind} {ending}");
            let service = &mut world.world.connected.world;
            let failed =
                service.read(&world.shop, "/v1/movements?status=Failed")["items"][0].take();
            assert_eq!(failed["failure"], "NotExecuted", "{kind} {ending}");
            assert_eq!(
                world.balance("ETH"),
                ("10".into(), "10".into()),
                "{kind} {ending}"
            );
            assert_eq!(world.balance("USDC").0, "10000", "{kind} {ending}");
            world.is_sound(kind);
            world.pass(Duration::from_secs(60));
        }
    });
}

#[test]
fn a_merchant_gets_the_part_that_the_exchange_has_executed_and_no_more() {
    TradeWorld::each(|kind, mut world| {
        let quoted = world.quote(SALE);
        let made = world.accept(&quoted);
        let (id, _) = world.placed();
        // The market has moved, and somebody takes a little at the old price.
        world.close(&id, ["2", "0.00000300", "0.006"]);
        let ended = order(&mut world.world.connected.world, &world.shop, &made);
        assert_eq!(ended["status"], "Settled", "{kind}");
        assert_eq!(ended["from_amount"], "0.000003", "{kind}");
        assert_eq!(ended["to_amount"], "0.005946", "{kind}");
        assert_eq!(world.balance("ETH").0, "9.999997", "{kind}");
        assert_eq!(
            world.balance("ETH").1,
            "9.999997",
            "{kind}: the rest is available"
        );
        assert_eq!(world.balance("USDC").0, "10000.005946", "{kind}");
        world.is_sound(kind);
        // A part that is worth nothing is none.
        let quoted = world.quote(SALE);
        let made = world.accept(&quoted);
        let (id, _) = world.placed();
        world.close(&id, ["2", "0.0000000001", "0.0000002"]);
        assert_eq!(world.status(&made), "Failed", "{kind}");
        assert_eq!(world.balance("ETH").1, "9.999997", "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn a_merchant_gets_and_pays_the_executed_part_of_a_purchase() {
    TradeWorld::each(|kind, mut world| {
        let quoted = world.quote(&PURCHASE.replace("4000", "400"));
        let made = world.accept(&quoted);
        let (id, _) = world.placed();
        world.close(&id, ["0.19810811", "0.1", "200.1"]);
        let ended = order(&mut world.world.connected.world, &world.shop, &made);
        assert_eq!(ended["status"], "Settled", "{kind}");
        // 400 × 0.1 / 0.19810811, rounded up.
        assert_eq!(ended["from_amount"], "201.909958", "{kind}");
        assert_eq!(ended["to_amount"], "0.1", "{kind}");
        let rest = "9798.090042".to_owned();
        assert_eq!(world.balance("USDC"), (rest.clone(), rest), "{kind}");
        assert_eq!(world.balance("ETH").0, "10.1", "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn an_unknown_outcome_keeps_the_money_reserved() {
    TradeWorld::each(|kind, mut world| {
        let quoted = world.quote(SALE);
        let made = world.accept(&quoted);
        let round = world.round();
        let timed_out = WebAnswer::Failed(WebError::TimedOut);
        world.report(&round, &[timed_out]);
        for _ in 0..30 {
            world.pass(Duration::from_secs(3_600));
            let rounds = world.world.rounds();
            for round in rounds.iter().filter(|round| round.order().is_some()) {
                let unavailable = answer(200, r#"{"error":["EService:Unavailable"]}"#);
                world.report(round, &[unavailable.clone(), unavailable]);
            }
            world.work();
        }
        let (service, database) = world.world.connected.world.parts();
        let orders = service.exchange_orders(database).expect("orders");
        assert_eq!(orders[0].status, ExchangeOrderStatus::Unknown, "{kind}");
        assert_eq!(world.status(&made), "Processing", "{kind}");
        assert_eq!(world.balance("ETH"), ("10".into(), "8".into()), "{kind}");
        world.is_sound(kind);
        let id = orders[0].id.clone();
        let execution = |volume: &str, cost: &str| Execution {
            volume: amount(volume),
            cost: amount(cost),
            fee: amount("16"),
        };
        let now = world.world.connected.world.now;
        let (service, database) = world.world.connected.world.parts();
        for (volume, cost) in [("3", "6000"), ("2", "100"), ("0", "1")] {
            let refused =
                service.resolve_exchange_order(database, &id, execution(volume, cost), now);
            assert_eq!(
                refused,
                Err(ExchangeOrderError::Execution),
                "{kind} {volume}"
            );
        }
        let seen = execution("2", "4000");
        let done = service.resolve_exchange_order(database, &id, seen, now);
        assert_eq!(done, Ok(()), "{kind}");
        let again = service.resolve_exchange_order(database, &id, seen, now);
        assert_eq!(again, Err(ExchangeOrderError::NotInDoubt(id)), "{kind}");
        world.work();
        assert_eq!(world.status(&made), "Settled", "{kind}");
        assert_eq!(world.balance("USDC").0, "13964", "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn the_audit_names_a_position_that_the_books_and_the_orders_under_way_contradict() {
    TradeWorld::each(|kind, mut world| {
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        let (id, _) = world.placed();
        world.close(&id, ["2", "2", "4000"]);
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        world.is_sound(kind);
        let (_, database) = world.world.connected.world.parts();
        let wrong = "UPDATE exchange_positions SET posted = posted + 1, reserved = reserved - 1 WHERE currency = 'USDC'";
        let changed = database.execute(wrong, &[]);
        assert_eq!(changed.expect("an update"), 1, "{kind}");
        let position = "position at exchange accounts, chain 8453 USDC";
        let differences = world.world.connected.world.differences();
        let expected = [
            format!("{position}: the balance is -3963999999, its postings add up to -3964000000"),
            format!(
                "{position}, hot wallet {}: 3963999999 is reserved, open work needs 3964000000",
                world.world.connected.wallet
            ),
        ];
        assert_eq!(differences, expected, "{kind}");
    });
}
