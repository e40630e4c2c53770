//! Quotes of a real exchange on a real node, and the swaps that settle them.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_service::uniswap::{
    Call, Exact, NativeCoin, Pool, Route, Slippage, Swap, SwapAmounts,
};
use settlekit_tests::anvil::{Transaction, abi, number, word};
use settlekit_tests::liar::{Fault, Lie};

use crate::chainlink::feed;
use crate::place::{Place, Server, answer_of, call, now, request, sent, sign, wait_for};
use crate::prices::{price, until_price};
use crate::real_chain::text;
use crate::venue::Market;

/// A dollar, or a euro, in smallest units.
const WHOLE: u64 = 1_000_000;

/// What the exchange gives less at most.
const SLIPPAGE: u32 = 5_000;

/// A shop with money on a chain that has an exchange.
struct Shop {
    market: Market,
    server: Server,
}

impl Shop {
    fn new(place: Place) -> Self {
        let market = Market::new(place);
        let server = Server::live(&market.place);
        market.until_followed();
        market.connect(&market.exchange.uniswap_02);
        let shop = Self { market, server };
        let body = json!({
            "reference": "till", "chain_id": 31_337, "currencies": ["USDC", "EURC", "ETH"],
        });
        shop.call("POST", "/accounts", body);
        shop.market.until_read();
        shop
    }

    fn call(&self, method: &str, path: &str, body: Value) -> Value {
        call(
            &self.server.address,
            &self.market.shop.key,
            method,
            path,
            body,
        )
    }

    fn get(&self, path: &str) -> Value {
        self.call("GET", path, Value::Null)
    }

    /// Takes a payment of whole dollars.
    fn earn(&self, dollars: u64) {
        let body = json!({
            "amount": dollars.to_string(), "currency": "USDC", "chain_id": 31_337, "account": "till",
        });
        let payment = self.call("POST", "/payments", body);
        let to: Address = text(&payment, "deposit_address")
            .parse()
            .expect("an address");
        let exchange = &self.market.exchange;
        exchange.give(to, exchange.dollar, dollars * WHOLE);
        let path = format!("/payments/{}", text(&payment, "id"));
        self.mine_until("the payment is confirmed", || {
            self.get(&path)["status"] == "Confirmed"
        });
    }

    /// Waits, mining a block at each look.
    fn mine_until(&self, what: &str, is_so: impl Fn() -> bool) {
        wait_for(what, || {
            self.market.exchange.node.mine(1);
            is_so()
        });
    }

    fn quote(&self, query: &str) -> Value {
        self.get(&format!("/trade/quote?{query}&deposit_method=Balance"))
    }

    /// Why there is no quote, with the status.
    fn refusal(&self, query: &str) -> (u16, Value) {
        let path = format!("/trade/quote?{query}&deposit_method=Balance");
        let (address, key) = (&self.server.address, &self.market.shop.key);
        let (status, answer) = sent(address, key, "GET", &path, &Value::Null);
        (status, answer["error"]["errors"][0].clone())
    }

    fn has_no_price(&self, query: &str) {
        let (status, error) = self.refusal(query);
        assert_eq!(
            (status, &error["reason"]),
            (409, &json!("VENUE_UNAVAILABLE")),
            "{error}"
        );
    }

    fn has_no_size(&self, query: &str) {
        let (status, error) = self.refusal(query);
        let said = (status, &error["reason"], &error["field"]);
        assert_eq!(
            said,
            (422, &json!("SIZE_NOT_TRADED"), &json!("sell_amount[0]")),
            "{error}"
        );
    }

    /// Accepts a quote; the id of its order.
    fn accept(&self, quote: &Value) -> String {
        let path = format!("/trade/quote/{}/accept", text(quote, "id"));
        let mut request = request(&self.market.shop.key, "POST", &path, &json!({}));
        sign(&mut request, &self.market.shop);
        let answer = answer_of(&self.server.address, &request);
        assert_eq!(answer.status, 201, "{}", answer.body);
        text(&answer.body["data"], "order_id")
    }

    fn order(&self, id: &str) -> Value {
        self.get(&format!("/trade/orders/{id}"))
    }

    /// Waits for the end of an order.
    fn ended(&self, id: &str) -> Value {
        self.mine_until("the order has ended", || {
            ["Settled", "Failed", "Canceled"].contains(&text(&self.order(id), "status").as_str())
        });
        self.order(id)
    }

    /// What the account has of a currency, and what of that is reserved.
    fn balance(&self, currency: &str) -> (String, String) {
        let balances = self.get("/accounts/till/balances");
        let mut all = balances.as_array().expect("a list").iter();
        let found = all.find(|one| one["currency"] == currency);
        let found = found.expect("a balance");
        (text(found, "posted"), text(found, "reserved"))
    }

    /// What the router may still take of the dollars of the hot wallet.
    fn allowance(&self) -> U256 {
        let v3 = self.market.exchange.uniswap_02.v3.as_ref();
        let router = v3.expect("version 3").router.address();
        let words = [word(self.market.wallet), word(router)];
        let data = abi("allowance(address,address)", &words);
        self.market.exchange.word(self.market.exchange.dollar, data)
    }

    /// The calls of somebody who sells many dollars for euros in every pool of both, with the approvals before.
    fn front_run(&self) -> (Vec<Call>, Vec<Call>) {
        let exchange = &self.market.exchange;
        let uniswap = &exchange.uniswap_02;
        let owner = exchange.node.account(0);
        let sides = (Some(exchange.dollar), Some(exchange.euro));
        let quotes = exchange.quote(sides, Exact::Input(U256::from(WHOLE)));
        let quotes = quotes.expect("a quote");
        let others = quotes.others.iter().map(|(route, _)| route);
        let routes = others.chain([&quotes.best.route]);
        let direct: Vec<&Route> = routes.filter(|route| route.hops().len() == 1).collect();
        let (mut approvals, mut swaps) = (Vec::new(), Vec::new());
        for route in direct {
            let swap = Swap {
                uniswap,
                route,
                amounts: SwapAmounts::ExactInput {
                    input: U256::from(200_000 * WHOLE),
                    least_output: U256::from(1),
                },
                native: NativeCoin::None,
                recipient: owner,
                deadline: u32::MAX.into(),
            };
            let allowance = swap.allowance(owner).expect("a router").expect("a token");
            let returned = exchange.read(&[allowance]);
            let allowance = Swap::read_allowance(returned[0].as_ref().expect("an answer"));
            let needed = swap.approvals(allowance.expect("an amount"));
            approvals.extend(needed.expect("a router").into_iter().map(|mut call| {
                // For all pools of the router.
                if call.data[36..].iter().any(|byte| *byte != 0) {
                    let words = [&call.data[..36], &[0xff; 32]].concat();
                    call.data = words.into();
                }
                call
            }));
            swaps.push(swap.call().expect("a swap"));
        }
        approvals.dedup();
        (approvals, swaps)
    }

    /// Sends calls of somebody else, who pays more than anybody, into the next block.
    fn send_first(&self, calls: &[Call]) {
        let node = &self.market.exchange.node;
        for call in calls {
            let transaction = json!({
                "from": node.account(0).to_string(),
                "to": call.to.to_string(),
                "gas": "0x200000",
                "maxFeePerGas": "0x174876e8000",
                "maxPriorityFeePerGas": "0x174876e800",
                "data": call.data.to_string(),
            });
            node.call("eth_sendTransaction", json!([transaction]));
        }
    }

    /// The transactions that wait for a block.
    fn waiting(&self) -> u64 {
        let status = self.market.exchange.node.call("txpool_status", json!([]));
        let pending = text(&status, "pending");
        u64::from_str_radix(pending.trim_start_matches("0x"), 16).expect("a number")
    }

    /// What becomes of an order that the venue refuses: nothing is sold.
    fn is_refused(&self, order: &str, before: &[(String, String)]) {
        let ended = self.ended(order);
        assert_eq!(ended["status"], "Failed", "{ended}");
        assert_eq!(ended["reason"], "VenueRefused", "{ended}");
        assert_eq!(self.balances(), before);
        self.mine_until("the allowance is taken back", || self.allowance().is_zero());
        self.until_compared();
        self.market.place.is_sound();
    }

    fn balances(&self) -> Vec<(String, String)> {
        vec![self.balance("USDC"), self.balance("EURC")]
    }

    /// A shop whose money lies in the hot wallet, by an order before.
    fn swept() -> Self {
        let shop = Self::new(Place::live());
        shop.earn(1_000);
        let ended = shop.ended(&shop.accept(&shop.quote(QUERY)));
        assert_eq!(ended["status"], "Settled", "{ended}");
        shop.until_compared();
        shop
    }

    fn until_compared(&self) {
        self.mine_until("the books agree with the chain", || {
            let found = self.market.place.run(&["verify", "--chain", "--json"]);
            let said = String::from_utf8_lossy(&found.stderr).into_owned();
            let found: Value = serde_json::from_slice(&found.stdout).expect(&said);
            found["differences"].as_array().expect("a list").is_empty()
        });
    }
}

/// Units of a quote's amount.
fn units(amount: &Value) -> U256 {
    let text = amount.as_str().map_or(amount.to_string(), str::to_owned);
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{part:0<6}").parse().expect("an amount")
}

fn a_quote_is_settled(shop: &Shop) {
    shop.earn(1_000);
    let exchange = &shop.market.exchange;
    let sides = (Some(exchange.dollar), Some(exchange.euro));
    let quoted = exchange.quote(sides, Exact::Input(U256::from(100 * WHOLE)));
    let quoted = quoted.expect("a quote").best;
    let quote = shop.quote("sell_currency=USDC&sell_amount=100&buy_currency=EURC");
    assert_eq!(
        units(&quote["properties"]["expected_amount"]),
        quoted.output,
        "{quote}"
    );
    let least = Slippage::new(SLIPPAGE)
        .expect("a slippage")
        .least_output(quoted.output);
    assert_eq!(units(&quote["buy_asset"]["amount"]), least, "{quote}");

    let order = shop.accept(&quote);
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    // Nobody traded in between: the merchant has all that the swap brought.
    assert_eq!(units(&ended["to_amount"]), quoted.output, "{ended}");
    assert_eq!(shop.balance("USDC"), ("900".to_owned(), "0".to_owned()));
    assert_eq!(units(&json!(shop.balance("EURC").0)), quoted.output);
    assert_eq!(shop.allowance(), U256::ZERO);
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn a_quote_of_an_exchange_is_settled_by_a_swap_with_sqlite() {
    a_quote_is_settled(&Shop::new(Place::live()));
}

#[test]
fn a_quote_of_an_exchange_is_settled_by_a_swap_with_postgresql() {
    a_quote_is_settled(&Shop::new(Place::live_postgres()));
}

const QUERY: &str = "sell_currency=USDC&sell_amount=100&buy_currency=EURC";

#[test]
fn a_market_that_moved_before_the_swap_is_sent_sells_nothing() {
    let shop = Shop::swept();
    let before = shop.balances();
    let order = shop.accept(&shop.quote(QUERY));
    let (approvals, swaps) = shop.front_run();
    // Into the block of the approval: no node lets the swap pass.
    wait_for("the approval waits for a block", || shop.waiting() > 0);
    shop.send_first(&[approvals, swaps].concat());
    shop.is_refused(&order, &before);
}

#[test]
fn a_market_that_moves_in_the_block_of_the_swap_sells_nothing() {
    let shop = Shop::swept();
    let before = shop.balances();
    let order = shop.accept(&shop.quote(QUERY));
    let (approvals, swaps) = shop.front_run();
    wait_for("the approval waits for a block", || shop.waiting() > 0);
    shop.send_first(&approvals);
    shop.market.exchange.node.mine(1);
    wait_for("the swap waits for a block", || shop.waiting() > 0);
    shop.send_first(&swaps);
    shop.is_refused(&order, &before);
    // The next one finds the allowance taken back.
    let quote = shop.quote(QUERY);
    let ended = shop.ended(&shop.accept(&quote));
    assert_eq!(ended["status"], "Settled", "{ended}");
}

#[test]
fn orders_of_the_same_currency_wait_for_each_other() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let orders: Vec<String> = (0..3).map(|_| shop.accept(&shop.quote(QUERY))).collect();
    for order in &orders {
        let ended = shop.ended(order);
        assert_eq!(ended["status"], "Settled", "{ended}");
    }
    assert_eq!(shop.balance("USDC"), ("700".to_owned(), "0".to_owned()));
    assert_eq!(shop.allowance(), U256::ZERO);
    shop.until_compared();
}

#[test]
fn native_coins_are_bought_and_sold() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let bought = shop.quote("sell_currency=USDC&sell_amount=100&buy_currency=ETH");
    let ended = shop.ended(&shop.accept(&bought));
    assert_eq!(ended["status"], "Settled", "{ended}");
    let (coins, _) = shop.balance("ETH");
    assert_eq!(json!(coins), ended["to_amount"]);
    shop.until_compared();
    let query = format!("sell_currency=ETH&sell_amount={coins}&buy_currency=EURC");
    let ended = shop.ended(&shop.accept(&shop.quote(&query)));
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert_eq!(shop.balance("ETH"), ("0".to_owned(), "0".to_owned()));
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn a_server_that_is_killed_at_any_point_swaps_once() {
    let mut shop = Shop::new(Place::live());
    shop.earn(1_000);
    let order = shop.accept(&shop.quote(QUERY));
    for _ in 0..12 {
        shop.server.signal("KILL");
        shop.server = Server::live(&shop.market.place);
        shop.market.exchange.node.mine(1);
    }
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert_eq!(shop.balance("USDC"), ("900".to_owned(), "0".to_owned()));
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn without_providers_that_agree_there_is_no_quote() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    shop.market.liar.tamper(|method, params, result| {
        if method == "eth_call" && params[1]["blockHash"].is_string() {
            *result = "0x01".into();
        }
    });
    shop.has_no_price(QUERY);
}

#[test]
fn a_provider_alone_hides_no_route_by_a_revert() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let exchange = &shop.market.exchange;
    let sides = (Some(exchange.dollar), Some(exchange.euro));
    let best = exchange.quote(sides, Exact::Input(U256::from(100 * WHOLE)));
    let best = best.expect("a quote").best;
    let v3 = exchange.v3().quoter.to_string();
    shop.market.liar.fail(move |method, params| {
        let is_quoted = method == "eth_call" && params[0]["to"] == v3.as_str();
        is_quoted.then_some(Fault::Error(3, "execution reverted"))
    });
    shop.has_no_price(QUERY);
    shop.market.liar.tell(Lie::None);
    let quote = shop.quote(QUERY);
    assert_eq!(
        units(&quote["properties"]["expected_amount"]),
        best.output,
        "{quote}"
    );
}

#[test]
fn a_size_that_moves_the_price_too_far_is_not_traded() {
    let shop = Shop::new(Place::live());
    shop.earn(10);
    let exchange = &shop.market.exchange;
    let sides = (Some(exchange.dollar), Some(exchange.euro));
    let quotes = exchange.quote(sides, Exact::Input(U256::from(900_000 * WHOLE)));
    let best = quotes.expect("a quote").best;
    assert!(best.price_impact > 50_000, "{}", best.price_impact);
    shop.has_no_size("sell_currency=USDC&sell_amount=900000&buy_currency=EURC");
}

#[test]
fn what_the_price_sources_contradict_is_not_traded() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let node = &shop.market.exchange.node;
    let feeds = [
        ("EURC", 90_000_000_u64),
        ("USDC", 100_000_000),
        ("ETH", 100_000_000_000_000),
    ];
    let feeds = feeds.map(|(symbol, answer)| {
        let feed = feed(node, &format!("{symbol} / USD"));
        let at = now().seconds().unsigned_abs();
        let words = [number(answer), number(at), number(at)];
        shop.market.exchange.send(
            node.account(1),
            feed,
            abi("update(int256,uint256,uint256)", &words),
        );
        format!("{symbol}={feed}")
    });
    node.mine(1);
    shop.market.until_followed();
    let place = &shop.market.place;
    let connect = |feeds: &[&String]| {
        let words = [
            "price",
            "connect",
            "chainlink",
            "--chain",
            crate::venue::CHAIN,
        ];
        let feeds = feeds.iter().flat_map(|feed| ["--feed", feed.as_str()]);
        let words: Vec<&str> = words.into_iter().chain(feeds).collect();
        let output = place.run(&words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
    };
    // The exchange gives 91 euros for 100 dollars, which are worth 82 dollars.
    connect(&[&feeds[0], &feeds[1]]);
    until_price(place, "EURC", "0.9");
    until_price(place, "USDC", "1");
    shop.has_no_price(QUERY);
    let best = "sell_currency=EURC&sell_amount=100&buy_currency=USDC";
    let bought = units(&shop.quote(best)["buy_asset"]["amount"]);
    assert!(bought > U256::from(100 * WHOLE), "{bought}");
    // What has no price is not compared.
    connect(&[&feeds[1]]);
    wait_for("the euro has no price", || price(place, "EURC").is_null());
    let quote = shop.quote(QUERY);
    // The network takes more than a dollar.
    connect(&[&feeds[1], &feeds[2]]);
    until_price(place, "ETH", "1000000");
    shop.has_no_size("sell_currency=USDC&sell_amount=1&buy_currency=EURC");
    // An accepted quote stays.
    let ended = shop.ended(&shop.accept(&quote));
    assert_eq!(ended["status"], "Settled", "{ended}");
}

#[test]
fn an_order_waits_for_the_swap_before_it_and_not_for_its_confirmations() {
    let shop = Shop::swept();
    let first = shop.accept(&shop.quote(QUERY));
    let second = shop.accept(&shop.quote(QUERY));
    for what in ["approval", "swap"] {
        wait_for(&format!("the {what} waits for a block"), || {
            shop.waiting() == 1
        });
        shop.market.exchange.node.mine(1);
    }
    // With one block the first has less than its confirmations.
    wait_for("the approval of the second waits for a block", || {
        shop.waiting() == 1
    });
    assert_eq!(shop.order(&first)["status"], "Processing");
    for order in [&first, &second] {
        let ended = shop.ended(order);
        assert_eq!(ended["status"], "Settled", "{ended}");
    }
    assert_eq!(shop.allowance(), U256::ZERO);
    shop.until_compared();
}

#[test]
fn what_others_leave_at_the_router_is_the_merchants_and_holds_up_nothing() {
    let shop = Shop::new(Place::live());
    shop.earn(1_000);
    let exchange = &shop.market.exchange;
    let v3 = exchange.uniswap_02.v3.as_ref();
    let router = v3.expect("version 3").router.address();
    let from = exchange.node.account(0);
    let left = 1_000_u64;
    let wrap = Transaction::call(from, exchange.coin(), left, abi("deposit()", &[]));
    exchange.node.send(&wrap);
    exchange.node.mine(1);
    exchange.give(router, exchange.coin(), left);
    let quote = shop.quote("sell_currency=USDC&sell_amount=100&buy_currency=ETH");
    let ended = shop.ended(&shop.accept(&quote));
    assert_eq!(ended["status"], "Settled", "{ended}");
    let swapped = exchange.balance(exchange.coin(), router);
    assert_eq!(swapped, U256::ZERO);
    assert_eq!(json!(shop.balance("ETH").0), ended["to_amount"]);
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn what_an_exchange_trades_is_listed_and_the_rest_is_refused() {
    let shop = Shop::new(Place::live());
    shop.earn(10);
    let currencies = shop.get("/trade/currencies");
    let symbols = currencies["currencies"].as_array().expect("a list").iter();
    let symbols: Vec<String> = symbols.map(|one| text(one, "symbol")).collect();
    assert_eq!(symbols, ["ETH", "EURC", "USDC"]);
    let assets = shop.get("/trade/tradable-assets?currency=USDC");
    let assets = assets.as_array().expect("a list").iter();
    let assets: Vec<String> = assets.map(|one| text(one, "currency")).collect();
    assert_eq!(assets, ["ETH", "EURC"]);

    // One instrument for each pool, priced as the pool was filled: in dollars, at 11 to 10 or 25 to 16.
    let listed = shop.get("/trade/instruments?venue_id=31337&base=EURC");
    let listed = listed.as_array().expect("a list").iter();
    let listed: Vec<_> = listed
        .map(|one| {
            let names = ["venue_name", "base", "quote"].map(|name| text(one, name));
            let numbers = ["last_price", "estimated_cost_bps"].map(|name| one[name].to_string());
            (names.join(" "), numbers.join(" "))
        })
        .collect();
    let (pools, _) = shop.market.exchange.discover();
    let euro = shop.market.exchange.euro;
    let dollar = shop.market.exchange.dollar;
    let has_both = |pool: &&Pool| {
        let key = &pool.at.key;
        (key.token0, key.token1) == (euro.min(dollar), euro.max(dollar))
    };
    assert_eq!(
        listed.len(),
        pools.iter().filter(has_both).count(),
        "{listed:?}"
    );
    assert!(
        listed.contains(&("Uniswap EURC USDC".to_owned(), "1.1 30".to_owned())),
        "{listed:?}"
    );

    for (query, reason, field) in [
        (
            "sell_currency=USDC&sell_amount=5&buy_currency=USDC",
            "NOT_SUPPORTED",
            "buy_currency",
        ),
        (
            "sell_currency=USDC,EURC&sell_amount=5,5&buy_currency=ETH",
            "NOT_SUPPORTED",
            "sell_currency",
        ),
        (
            "sell_currency=USDC&buy_amount=90000000&buy_currency=EURC",
            "SIZE_NOT_TRADED",
            "buy_amount",
        ),
    ] {
        let (status, error) = shop.refusal(query);
        let said = (status, &error["reason"], &error["field"]);
        assert_eq!(
            said,
            (422, &json!(reason), &json!(field)),
            "{query}: {error}"
        );
    }
    // What is bought exactly comes to at least that.
    let quote = shop.quote("sell_currency=USDC&buy_amount=5&buy_currency=EURC");
    assert_eq!(quote["buy_asset"]["amount"], json!(5), "{quote}");
    let ended = shop.ended(&shop.accept(&quote));
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert!(
        units(&ended["to_amount"]) >= U256::from(5 * WHOLE),
        "{ended}"
    );
    assert_eq!(
        units(&json!(shop.balance("EURC").0)),
        units(&ended["to_amount"])
    );
    shop.until_compared();
}

#[test]
fn an_exchange_that_was_disconnected_fails_the_orders_that_it_has() {
    let shop = Shop::swept();
    let before = shop.balances();
    let order = shop.accept(&shop.quote(QUERY));
    wait_for("the approval waits for a block", || shop.waiting() > 0);
    let place = &shop.market.place;
    let done = place.run(&["venue", "disconnect", "--chain", crate::venue::CHAIN]);
    assert!(done.status.success());
    shop.is_refused(&order, &before);
    shop.has_no_price(QUERY);
}
