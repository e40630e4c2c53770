//! Quotes of a real exchange on a real node, and the swaps that settle them.

mod at_exchange;
mod baskets;
mod conversions;
mod faults;
mod kills;
mod moved;
mod quotes;
mod settled;

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_service::uniswap::{Call, Exact, NativeCoin, Route, Swap, SwapAmounts};
use settlekit_tests::anvil::{abi, number, word};

use crate::chainlink::feed;
use crate::place::{Place, Server, answer_of, call, now, request, sent, sign, wait_for};
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
        text(&self.signed("POST", &path, &json!({})), "order_id")
    }

    /// Sends a signed request, which must succeed.
    fn signed(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut request = request(&self.market.shop.key, method, path, body);
        sign(&mut request, &self.market.shop);
        let answer = answer_of(&self.server.address, &request);
        assert!(answer.status < 300, "{}", answer.body);
        answer.body["data"].clone()
    }

    /// Deploys price feeds with an answer of eight decimal places each; the words that connect them.
    fn feeds(&self, prices: &[(&str, u64)]) -> Vec<String> {
        let node = &self.market.exchange.node;
        let feeds = prices.iter().map(|(symbol, answer)| {
            let feed = feed(node, &format!("{symbol} / USD"));
            let at = now().seconds().unsigned_abs();
            let words = [number(*answer), number(at), number(at)];
            let update = abi("update(int256,uint256,uint256)", &words);
            self.market.exchange.send(node.account(1), feed, update);
            format!("{symbol}={feed}")
        });
        let feeds = feeds.collect();
        node.mine(1);
        self.market.until_followed();
        feeds
    }

    /// Connects price feeds in the place of those before.
    fn connect_feeds(&self, feeds: &[&String]) {
        let chain = crate::venue::CHAIN;
        let words = ["price", "connect", "chainlink", "--chain", chain];
        let feeds = feeds.iter().flat_map(|feed| ["--feed", feed.as_str()]);
        let words: Vec<&str> = words.into_iter().chain(feeds).collect();
        let output = self.market.place.run(&words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
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

    /// A quick trade of dollars for another currency, or its dry run.
    fn quick_trade(&self, dollars: &str, bought: &str, is_dry: bool) -> Value {
        let body = json!({
            "amount": dollars, "currency": "USDC", "to_currency": bought, "dry_run": is_dry,
        });
        self.signed("POST", "/trade/quicktrade", &body)
    }

    /// The movements of an order: direction, amount and currency.
    fn movements(&self, order: &str) -> Vec<String> {
        let list = self.get("/accounts/till/movement?sort=asc&limit=100");
        let of_order = list["items"].as_array().expect("a list").iter();
        let of_order = of_order.filter(|movement| movement["entity_id"] == order);
        let lines = of_order.map(|movement| {
            assert_eq!(movement["type"], "Swap", "{movement}");
            assert_eq!(movement["status"], "Confirmed", "{movement}");
            ["direction", "amount", "currency"]
                .map(|name| text(movement, name))
                .join(" ")
        });
        lines.collect()
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
        self.sale((exchange.dollar, exchange.euro), 200_000 * WHOLE)
    }

    /// The calls of somebody who sells so much of a token for another in every pool of both, with the approvals before.
    fn sale(&self, (sold, bought): (Address, Address), input: u64) -> (Vec<Call>, Vec<Call>) {
        let exchange = &self.market.exchange;
        let uniswap = &exchange.uniswap_02;
        let owner = exchange.node.account(0);
        let sides = (Some(sold), Some(bought));
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
                    input: U256::from(input),
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
        self.send(calls, ("0x174876e8000", "0x174876e800"));
    }

    /// Sends calls of somebody else, who pays hardly more than the base fee, into the next block.
    fn send_last(&self, calls: &[Call]) {
        let node = &self.market.exchange.node;
        let header = node.call("eth_getBlockByNumber", json!(["latest", false]));
        let base: U256 = text(&header, "baseFeePerGas").parse().expect("a fee");
        // The base fee rises by an eighth of itself at most.
        let most = base + base / U256::from(8) + U256::from(2);
        self.send(calls, (&format!("{most:#x}"), "0x1"));
    }

    fn send(&self, calls: &[Call], (fee, priority_fee): (&str, &str)) {
        let node = &self.market.exchange.node;
        for call in calls {
            let transaction = json!({
                "from": node.account(0).to_string(),
                "to": call.to.to_string(),
                "gas": "0x200000",
                "maxFeePerGas": fee,
                "maxPriorityFeePerGas": priority_fee,
                "data": call.data.to_string(),
            });
            node.call("eth_sendTransaction", json!([transaction]));
        }
    }

    fn routers(&self) -> Vec<Address> {
        let uniswap = &self.market.exchange.uniswap_02;
        let (v2, v3) = (uniswap.v2.as_ref(), uniswap.v3.as_ref());
        let v3 = v3.map(|v3| v3.router.address());
        v2.map(|v2| v2.router).into_iter().chain(v3).collect()
    }

    /// The receipts of the swaps of the hot wallet, oldest first.
    fn swaps(&self) -> Vec<Value> {
        let node = &self.market.exchange.node;
        let routers = self.routers();
        let is_swap = |sent: &Value| {
            let address = |name: &str| sent[name].as_str().and_then(|text| text.parse().ok());
            let to: Option<Address> = address("to");
            address("from") == Some(self.market.wallet)
                && to.is_some_and(|to| routers.contains(&to))
        };
        let mut receipts = Vec::new();
        for height in 0..=node.height() {
            let params = json!([format!("{height:#x}"), true]);
            let block = node.call("eth_getBlockByNumber", params);
            let sent = block["transactions"].as_array().expect("a list").iter();
            for swap in sent.filter(|sent| is_swap(sent)) {
                let hash = json!([swap["hash"]]);
                let mut receipt = node.call("eth_getTransactionReceipt", hash);
                receipt["gas"] = swap["gas"].clone();
                receipts.push(receipt);
            }
        }
        receipts
    }

    /// What the network took for the approvals and swaps of the hot wallet after a block, in wei.
    fn fees_after(&self, height: u64) -> U256 {
        let node = &self.market.exchange.node;
        let routers = self.routers();
        let mut fees = U256::ZERO;
        for height in height + 1..=node.height() {
            let params = json!([format!("{height:#x}"), true]);
            let block = node.call("eth_getBlockByNumber", params);
            for sent in block["transactions"].as_array().expect("a list") {
                let address = |name: &str| sent[name].as_str().and_then(|text| text.parse().ok());
                let to: Option<Address> = address("to");
                let is_swap = to.is_some_and(|to| routers.contains(&to));
                // `approve(address,uint256)`.
                let is_approval = text(sent, "input").starts_with("0x095ea7b3");
                if address("from") == Some(self.market.wallet) && (is_swap || is_approval) {
                    let receipt = node.call("eth_getTransactionReceipt", json!([sent["hash"]]));
                    let number = |name: &str| -> U256 { text(&receipt, name).parse().expect("it") };
                    fees += number("gasUsed") * number("effectiveGasPrice");
                }
            }
        }
        fees
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
    units_of(amount, 6)
}

/// Units of an amount with at most so many decimal places.
fn units_of(amount: &Value, scale: usize) -> U256 {
    let text = amount.as_str().map_or(amount.to_string(), str::to_owned);
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    assert!(part.len() <= scale, "{text}");
    format!("{whole}{part:0<scale$}")
        .parse()
        .expect("an amount")
}

/// The network's fee that a quote shows, in wei.
fn shown_fee(quote: &Value) -> U256 {
    let fee = &quote["properties"]["network_fee"];
    assert_eq!(
        quote["properties"]["network_fee_currency"], "ETH",
        "{quote}"
    );
    units_of(fee, 18)
}

/// A hundred dollars for euros.
const QUERY: &str = "sell_currency=USDC&sell_amount=100&buy_currency=EURC";
