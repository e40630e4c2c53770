//! A merchant who trades on the exchange of the chain, and others who move its price.

use std::collections::BTreeMap;
use std::time::Duration;

use alloy_primitives::Address;
use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_service::node_calls::{NodeAnswers, NodeCalls};
use settlekit_service::uniswap::Slippage;
use settlekit_service::venue_operator::NewVenue;
use settlekit_service::{Seed, contract_calls::CallError};
use settlekit_tests::chain::{PAYER, USDC};
use settlekit_tests::world::{request, text};

use super::exchange::{EURC, Swapped, contracts, move_market};
use super::node::Transaction;
use super::run::{Run, units};

/// What the merchant has traded.
#[derive(Debug, Default)]
pub(super) struct Trader {
    /// The quotes that were not accepted.
    quotes: Vec<Value>,
    /// The orders' ids.
    orders: Vec<String>,
    is_connected: bool,
    /// With prices a quote may be refused, as swaps of the chain move the price.
    pub(super) sells_baskets: bool,
}

/// What an order has sold of each asset, and bought.
type Sold = (Vec<(Option<Address>, u128)>, (Option<Address>, u128));

/// The currencies with their contracts and decimal places.
const CURRENCIES: [(&str, Option<Address>, usize); 3] = [
    ("USDC", Some(USDC), 6),
    ("EURC", Some(EURC), 6),
    ("ETH", None, 18),
];

impl Run {
    pub(super) fn connect_exchange(&mut self) {
        self.trader.get_or_insert_default().is_connected = true;
        let (now, chain) = (self.connected.world.now, self.connected.chain.id);
        let new = NewVenue {
            name: "Uniswap".to_owned(),
            contracts: contracts(),
            slippage: Slippage::new(5_000).expect("a slippage"),
        };
        let (service, database) = self.connected.world.parts();
        let connected = service.connect_venue(database, chain, &new, now);
        connected.expect("an exchange");
        // The first round finds the pools, the second reads them.
        for _ in 0..2 {
            self.read_pools();
        }
        self.say("the exchange is connected".to_owned());
    }

    pub(super) fn sell_baskets(&mut self) {
        self.trader.get_or_insert_default().sells_baskets = true;
        self.connect_prices();
        // A token counts once its opening balances are known.
        for _ in 0..8 {
            self.answer(true);
            let executions = self.node.mine(self.seconds(), || true);
            self.record(executions);
            self.connected.world.pass(Duration::from_secs(2));
        }
        let till = self.addresses[0];
        for (token, units) in [
            (Some(USDC), 60_000_000),
            (Some(EURC), 60_000_000),
            (None, 50_000_000_000_000_000),
        ] {
            let hash = self.hash();
            let paid = Transaction::pay(hash, PAYER, token, till, units);
            self.node.mempool.push(paid);
        }
    }

    fn disconnect_exchange(&mut self) {
        let chain = self.connected.chain.id;
        let (service, database) = self.connected.world.parts();
        let disconnected = service.disconnect_venue(database, chain);
        disconnected.expect("an exchange");
        self.say("the exchange is disconnected".to_owned());
    }

    fn read_pools(&mut self) {
        let now = self.connected.world.now;
        let seed = Seed([7; 32]);
        let (service, database) = self.connected.world.parts();
        let rounds = service.pool_rounds(database, now, seed).expect("rounds");
        for round in rounds {
            let answers = self.node_answers()(&round.calls);
            let (service, database) = self.connected.world.parts();
            let failures = service.report_pools(database, &round, &answers, now, seed);
            assert_eq!(failures.expect("a report"), Vec::<String>::new());
        }
    }

    /// What the node answers now.
    pub(crate) fn node_answers(&self) -> impl Fn(&NodeCalls) -> Vec<NodeAnswers> + use<> {
        let (state, seconds) = (self.node.head().clone(), self.seconds());
        let block = self.connected.chain.head().hash;
        move |calls| vec![state.answers((block, seconds), calls)]
    }

    pub(super) fn trade(&mut self) {
        match self.dice.below(100) {
            0..40 => self.quote(),
            40..70 => self.accept(),
            70..90 => self.move_market(),
            90..95 => self.read_pools(),
            _ => match self.trader.as_mut().map(|trader| &mut trader.is_connected) {
                Some(is_connected @ true) => {
                    *is_connected = false;
                    self.disconnect_exchange();
                }
                _ => self.connect_exchange(),
            },
        }
    }

    /// The sold currencies with their amounts, and the bought currency.
    fn sale(&mut self) -> (String, String, &'static str) {
        let sold = self.dice.below(3);
        let bought = (sold + 1 + self.dice.below(2)) % 3;
        let is_basket = (self.trader.as_ref()).is_some_and(|trader| trader.sells_baskets);
        if !is_basket || self.dice.chance(30) {
            let amount = match CURRENCIES[sold].0 {
                "ETH" => format!("0.000{}", 1 + self.dice.below(9)),
                _ => format!("{}.5", self.dice.below(4)),
            };
            return (CURRENCIES[sold].0.to_owned(), amount, CURRENCIES[bought].0);
        }
        let other = match self.dice.chance(20) {
            true => sold,
            false => 3 - sold - bought,
        };
        let sold = [sold, other].map(|sold| CURRENCIES[sold].0);
        let amounts = sold.map(|sold| match sold {
            "ETH" => format!("0.00{}", 1 + self.dice.below(4)),
            _ => format!("{}.5", 1 + self.dice.below(4)),
        });
        (sold.join(","), amounts.join(","), CURRENCIES[bought].0)
    }

    fn quote(&mut self) {
        let (sold, amount, bought) = self.sale();
        let till = self.till;
        let target = format!(
            "/v1/trade/quote?sell_currency={sold}&sell_amount={amount}&account_id={till}&buy_currency={bought}&deposit_method=Balance"
        );
        let key = vec![(header::API_KEY.to_owned(), self.shop.key.clone())];
        let asked = request("GET", &target, &Value::Null, key);
        let is_silent = self.dice.chance(5);
        let answers = self.node_answers();
        let answer = self
            .connected
            .world
            .send_with_nodes(&asked, |calls| match is_silent {
                true => vec![vec![Err(CallError::Unreachable); calls.batches.len()]],
                false => answers(calls),
            });
        self.say(format!(
            "quote of {amount} {sold} in {bought}: {}",
            answer.body
        ));
        let trader = self.trader.as_mut().expect("a trader");
        match answer.status {
            200 => trader.quotes.push(answer.data().clone()),
            _ if is_silent || !trader.is_connected => {
                assert_eq!(answer.refusal(), "409 VENUE_UNAVAILABLE");
            }
            409 | 422 if trader.sells_baskets => {
                let refusal = answer.refusal();
                let is_of_size = refusal.starts_with("422 SIZE_NOT_TRADED sell_amount[");
                assert!(
                    is_of_size || refusal == "409 VENUE_UNAVAILABLE",
                    "{refusal}"
                );
            }
            _ => panic!("no quote: {}", answer.body),
        }
    }

    /// Accepts a quote, at times twice.
    fn accept(&mut self) {
        let trader = self.trader.as_mut().expect("a trader");
        let Some(quote) = trader.quotes.pop() else {
            return;
        };
        let path = format!("/v1/trade/quote/{}/accept", text(&quote, "id"));
        let count = 1 + self.dice.below(2);
        for _ in 0..count {
            let world = &mut self.connected.world;
            let made = world.signed(&self.shop, None, "POST", &path, json!({}));
            self.say(format!("{path}: {}", made.body));
            if made.status == 201 {
                let order = text(made.data(), "order_id");
                let trader = self.trader.as_mut().expect("a trader");
                assert!(!trader.orders.contains(&order), "{order} twice");
                trader.orders.push(order);
            }
        }
        self.connected.world.work();
    }

    /// Somebody trades.
    fn move_market(&mut self) {
        let hash = self.hash();
        let is_sold = self.dice.chance(50);
        let units = 1_000_000 * (1 + self.dice.below(8)) as u128;
        self.say(format!("{hash} trades {units}, sells dollars: {is_sold}"));
        self.node.mempool.push(move_market(hash, is_sold, units));
    }

    /// Every order has ended, the settled ones by one swap each, and the router may take nothing, unless an alarm was raised.
    pub(super) fn trades_have_ended(&mut self) {
        let Some(trader) = self.trader.take() else {
            return;
        };
        let token = |symbol: &str| {
            let mut currencies = CURRENCIES.iter();
            let found = currencies.find(|(currency, ..)| *currency == symbol);
            let (_, token, scale) = *found.expect("a currency");
            (token, scale)
        };
        let mut settled = Vec::new();
        for order in &trader.orders {
            let path = format!("/v1/trade/orders/{order}");
            let order = self.connected.world.read(&self.shop, &path);
            let amount = |side: &str| {
                let (token, scale) = token(&text(&order, &format!("{side}_currency")));
                let amount = text(&order, &format!("{side}_amount"));
                (token, units(&amount, scale))
            };
            let assets = order["deposit_instruction"]["sell_assets"].as_array();
            match text(&order, "status").as_str() {
                "Settled" => settled.push((
                    match assets {
                        None => vec![amount("from")],
                        Some(assets) => (assets.iter())
                            .map(|asset| {
                                let (token, scale) = token(&text(asset, "symbol"));
                                (token, units(&asset["amount"].to_string(), scale))
                            })
                            .filter(|(_, units)| *units > 0)
                            .collect(),
                    },
                    amount("to"),
                )),
                "Failed" => {}
                _ => panic!("{order}"),
            }
        }
        let head = self.node.head();
        let swapped = head.swapped.clone();
        self.orders = [settled.len(), trader.orders.len() - settled.len()];
        are_swapped(settled, swapped);
        let left: Vec<_> = (head.allowances.iter())
            .filter(|(_, units)| **units > 0)
            .collect();
        assert!(left.is_empty() || self.has_kept_allowance, "{left:?}");
    }
}

/// Asserts that what orders have sold and bought is what the swaps moved.
fn are_swapped(orders: Vec<Sold>, mut swapped: Vec<Swapped>) {
    let (baskets, single): (Vec<Sold>, Vec<Sold>) =
        orders.into_iter().partition(|(sold, _)| sold.len() != 1);
    for (sold, bought) in single {
        let sold = sold[0];
        let swap = Swapped { sold, bought };
        let place = swapped.iter().position(|one| *one == swap);
        swapped.remove(place.unwrap_or_else(|| panic!("{swap:?} is none of {swapped:?}")));
    }
    // What a part of a basket bought is not shown.
    let mut bought: BTreeMap<Option<Address>, i128> = BTreeMap::new();
    let small = |units: u128| i128::try_from(units).expect("small");
    for (sold, (token, units)) in baskets {
        *bought.entry(token).or_default() += small(units);
        for sold in sold {
            let place = (swapped.iter()).position(|one| one.sold == sold && one.bought.0 == token);
            let place = place.unwrap_or_else(|| panic!("{sold:?} is none of {swapped:?}"));
            let (token, units) = swapped.remove(place).bought;
            *bought.entry(token).or_default() -= small(units);
        }
    }
    assert_eq!(swapped, []);
    assert!(bought.values().all(|left| *left == 0), "{bought:?}");
}
