//! Money of a test network beside real money of the same symbol: it is worth nothing, and prices are converted for it all the same.

use serde_json::{Value, json};
use settlekit_service::price_sources::PriceSource;
use settlekit_service::step::Reply;
use settlekit_tests::chain::{MemoryChain, USDC};
use settlekit_tests::world::{Shop, text};

use super::booked::shop;
use super::feed::Feed;
use crate::organisation::set_fees;

/// The test network; the real one is Base.
const TEST: i64 = 10;

/// Connects a test network, and gives the shop an account there, which takes a fee of 1 %.
fn connect_test_network(feed: &mut Feed, shop: &Shop) -> i64 {
    let connected = &mut feed.connected;
    let base = std::mem::replace(&mut connected.chain, MemoryChain::optimism());
    connected.is_test = true;
    connected.connect();
    connected.chain = base;
    let world = &mut connected.world;
    let trial = world.account(shop, "trial", TEST, &["USDC"]);
    assert_eq!(set_fees(world, shop, trial, "1", "0"), Reply::Done);
    trial
}

/// 10 USDC arrive at the address of an account on a chain.
fn earn(feed: &mut Feed, shop: &Shop, account: &str, chain: &mut MemoryChain) {
    let path = format!("/v1/accounts/{account}");
    let account = feed.connected.world.read(shop, &path);
    let address = text(&account, "address").parse().expect("an address");
    std::mem::swap(&mut feed.connected.chain, chain);
    feed.connected.look_for_tokens();
    feed.connected
        .chain
        .transfer(Some(USDC), address, 10_000_000);
    feed.connected.blocks(3);
    std::mem::swap(&mut feed.connected.chain, chain);
}

/// Account, type and worth of each movement, in the order of the list's text.
fn worths(feed: &mut Feed, shop: &Shop) -> Vec<String> {
    let movements = feed.connected.world.list(shop, "/v1/movements");
    let line = |one: &Value| {
        let worth = one["amount_usd"].as_str().unwrap_or("-");
        let own = one["reporting_amount"].as_str().unwrap_or("-");
        format!(
            "{} {} {worth} {own}",
            text(one, "account_reference"),
            text(one, "type")
        )
    };
    let mut lines: Vec<String> = movements.iter().map(line).collect();
    lines.sort();
    lines
}

#[test]
fn money_of_a_test_network_counts_in_no_sum() {
    Feed::each(&[PriceSource::Kraken], |kind, mut feed| {
        let shop = shop(&mut feed);
        feed.answer();
        let in_euros = json!({ "currency": "EUR" });
        let world = &mut feed.connected.world;
        assert_eq!(world.keyed(&shop, "PUT", "/v1/orgs", in_euros).status, 200);
        connect_test_network(&mut feed, &shop);
        let (mut base, mut optimism) = (feed.connected.chain.clone(), MemoryChain::optimism());
        earn(&mut feed, &shop, "trial", &mut optimism);
        let only_test = feed.connected.world.read(&shop, "/v1/overview");
        assert_eq!(only_test["total_usd"], "0.00", "{kind}: {only_test}");
        earn(&mut feed, &shop, "till", &mut base);
        // 10 * 0.9998, and 10 * 0.9998 / 1.08
        let expected = [
            "till Deposit 9.998 9.257407",
            "trial Deposit - -",
            "trial ServiceFee - -",
        ];
        assert_eq!(worths(&mut feed, &shop), expected, "{kind}");
        let world = &mut feed.connected.world;
        let overview = world.read(&shop, "/v1/overview");
        assert_eq!(overview["total_usd"], "10.00", "{kind}: {overview}");
        let accounts = overview["accounts"].as_array().expect("accounts");
        assert_eq!(accounts.len(), 1, "{kind}: {overview}");
        assert_eq!(accounts[0]["reference"], "till", "{kind}");
        assert_eq!(overview["volume"][29]["in_usd"], "10.00", "{kind}");
        for balance in overview["balances"].as_array().expect("balances") {
            let is_real = balance["chain"]["id"] == 8453;
            let worth = balance.get("amount_usd");
            assert_eq!(worth.is_some(), is_real, "{kind}: {balance}");
        }
        let listed = world.list(&shop, "/v1/accounts");
        let worth = |reference: &str| {
            let mut listed = listed.iter();
            let one = listed.find(|one| one["reference"] == reference);
            one.expect("an account").get("balance_usd").cloned()
        };
        assert_eq!(worth("till"), Some(json!("10.00")), "{kind}");
        assert_eq!(worth("trial"), None, "{kind}");
        let balances = world.read(&shop, "/v1/accounts/trial/balances");
        assert_eq!(balances[0]["posted"], "9.9", "{kind}");
        assert!(balances[0].get("amount_usd").is_none(), "{kind}");
        // An hour later no price is fresh: a total of test money needs none.
        let other = world.shop("Trial", None);
        world.account(&other, "only", TEST, &["USDC"]);
        earn(&mut feed, &other, "only", &mut optimism);
        feed.pass(3_600);
        let only_test = feed.connected.world.read(&other, "/v1/overview");
        assert_eq!(only_test["total_usd"], "0.00", "{kind}: {only_test}");
        assert!(only_test.get("last_total_usd").is_none(), "{kind}");
        let both = feed.connected.world.read(&shop, "/v1/overview");
        assert!(both.get("total_usd").is_none(), "{kind}: {both}");
        assert_eq!(both["last_total_usd"], "10.00", "{kind}: {both}");
    });
}

#[test]
fn a_price_in_euros_is_converted_on_a_test_network_whose_payment_has_no_worth() {
    Feed::each(&[PriceSource::Kraken], |kind, mut feed| {
        let shop = shop(&mut feed);
        feed.answer();
        let trial = connect_test_network(&mut feed, &shop);
        let link =
            json!({ "amount": "5", "currency": "EUR", "name": "Tea", "account_ids": [trial] });
        let world = &mut feed.connected.world;
        let link = world.create(&shop, "/v1/paylinks", link).id();
        let start = format!("/v1/checkout/{link}/payments");
        let chosen = json!({ "chain_id": TEST, "currency": "USDC" });
        let started = world.public("POST", &start, chosen);
        // 5 * 1.08 / 0.9998, rounded up to the last of six places.
        assert_eq!(text(started.data(), "amount"), "5.401081", "{kind}");
        let id = text(started.data(), "payment_id");
        let payment = world.read(&shop, &format!("/v1/payments/{id}"));
        assert!(payment.get("amount_usd").is_none(), "{kind}: {payment}");
        assert_eq!(payment["test_network"], true, "{kind}");
    });
}
