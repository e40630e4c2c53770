//! Deposit shares: targets, fees, and the remainder.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::value::AccountId;
use settlekit_service::step::{Command, Reply};
use settlekit_tests::world::{OTHER_WALLET, Shop, WALLET, World, text};

use super::{chains, virtual_account};

#[test]
fn a_deposit_is_split_into_shares_and_a_share_that_cannot_be_sent_stays() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let taxes = world.account(&shop, "taxes", 8453, &["USDC"]);
        let far = world.account(&shop, "far", 137, &["USDC"]);
        let account = virtual_account(&mut world, &shop, "till").data().clone();
        let splits = json!({ "deposit_splits": [
            { "account_ref": "taxes", "pct": "19" },
            { "account_id": far, "pct": "10.5" },
            { "address": WALLET, "pct": "30" },
        ] });
        let set = world.signed(&shop, None, "PATCH", "/v1/accounts/virtual", splits);
        assert_eq!(set.status, 200, "{kind}: {}", set.body);
        world.deposit(&shop, chains(&account)[1].1, 8453, "USDC", "10.000001");
        for _ in 0..2 {
            world.work();
            world.pass(std::time::Duration::from_secs(10));
        }
        world.work();
        let held = |world: &mut World, reference: &str| {
            let path = format!("/v1/partners/accounts/{reference}/balances");
            let balances = world.signed(&shop, None, "GET", &path, Value::Null);
            let list = balances.data()["balances"]
                .as_array()
                .expect("balances")
                .clone();
            let usdc = list.into_iter().filter(|one| one["currency"] == "USDC");
            let amounts: Vec<String> = usdc.map(|one| text(&one, "amount")).collect();
            amounts
        };
        assert_eq!(held(&mut world, "taxes"), ["1.9"], "{kind}: rounded down");
        // Nothing goes to another chain; the wallet gets its share, and the network its fee.
        assert_eq!(held(&mut world, "far"), ["0"], "{kind}");
        assert_eq!(held(&mut world, "till"), ["0", "5.080001"], "{kind}");
        let ledger = format!("/v1/accounts/{taxes}/movement");
        let ledger = world.read(&shop, &ledger);
        assert_eq!(ledger["items"][0]["type"], "Transfer", "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

/// A shop with a virtual account on Base with deposit splits, and an account for taxes; returns the id of the account on Base.
fn shop_with_splits(world: &mut World, splits: &Value) -> (Shop, i64) {
    let shop = world.shop("Shop", None);
    world.account(&shop, "taxes", 8453, &["USDC"]);
    let body = json!({ "reference": "till", "chains": [{ "chain_id": 8453, "currencies": ["USDC", "ETH"] }],
        "deposit_splits": splits });
    let made = world.create(&shop, "/v1/accounts/virtual", body);
    let below = made.data()["sub_accounts"][0]["id"].as_i64();
    (shop, below.expect("an id"))
}

/// Deposits, and waits for all effects.
fn small_deposit(world: &mut World, shop: &Shop, account: i64, currency: &str, amount: &str) {
    world.deposit(shop, account, 8453, currency, amount);
    for _ in 0..2 {
        world.work();
        world.pass(Duration::from_secs(10));
    }
    world.work();
}

/// The withdrawals of an account with targets and fees, oldest first, and its remaining USDC.
fn withdrawals(world: &mut World, shop: &Shop, account: i64) -> (Vec<String>, String) {
    let path = format!("/v1/accounts/{account}/movement?sort=asc");
    let movements = world.read(shop, &path)["items"].clone();
    let field = |item: &Value, name: &str| item[name].as_str().unwrap_or("-").to_owned();
    let out = movements.as_array().expect("movements").iter();
    let out = out.filter(|item| item["direction"] == "OUT").map(|item| {
        let to = match item["to_address"].as_str() {
            Some(WALLET) => "wallet",
            Some(_) => "other",
            None => "account",
        };
        let fee = field(item, "fee");
        format!(
            "{} {} to {to}, fee {fee}",
            field(item, "type"),
            field(item, "amount")
        )
    });
    let out = out.collect();
    let held = world.read(shop, &format!("/v1/accounts/{account}/balances"));
    let held = held.as_array().expect("balances").iter();
    let usdc = held.clone().find(|held| held["currency"] == "USDC");
    (out, text(usdc.expect("the currency"), "posted"))
}

#[test]
fn a_shares_fees_are_never_paid_from_another_share() {
    let half = |to: Value| {
        let mut split = to;
        split["pct"] = json!("50");
        split
    };
    let (wallet, other, taxes) = (
        half(json!({ "address": WALLET })),
        half(json!({ "address": OTHER_WALLET })),
        half(json!({ "account_ref": "taxes" })),
    );
    World::each(|kind, mut world| {
        for (splits, expected) in [
            (
                json!([wallet, taxes]),
                [
                    "Withdraw 49.98 to wallet, fee 0.02",
                    "Transfer 50 to account, fee -",
                ],
            ),
            (
                json!([taxes, wallet]),
                [
                    "Transfer 50 to account, fee -",
                    "Withdraw 49.98 to wallet, fee 0.02",
                ],
            ),
            (
                json!([wallet, other]),
                [
                    "Withdraw 49.98 to wallet, fee 0.02",
                    "Withdraw 49.98 to other, fee 0.02",
                ],
            ),
        ] {
            let (shop, till) = shop_with_splits(&mut world, &splits);
            small_deposit(&mut world, &shop, till, "USDC", "100");
            let (out, left) = withdrawals(&mut world, &shop, till);
            assert_eq!(out.len(), 2, "{kind} {splits}: {out:?}");
            for one in expected {
                assert!(
                    out.iter().any(|sent| sent == one),
                    "{kind}: {one} in {out:?}"
                );
            }
            assert_eq!(left, "0", "{kind} {splits}");
        }
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_share_is_sent_in_full_if_the_account_covers_its_fees() {
    World::each(|kind, mut world| {
        let splits =
            json!([{ "address": WALLET, "pct": "60" }, { "account_ref": "taxes", "pct": "40" }]);
        let (shop, till) = shop_with_splits(&mut world, &splits);
        let agreed = Command::SetFees {
            organisation: shop.id,
            account: AccountId::new(till).expect("an id"),
            payin: None,
            payout: Some("1".to_owned()),
        };
        assert_eq!(world.call(agreed), Reply::Done, "{kind}");
        // Gas is covered, the service fee is not.
        let none = json!({ "reference": "till", "deposit_splits": [] });
        let set = world.signed(&shop, None, "PATCH", "/v1/accounts/virtual", none);
        assert_eq!(set.status, 200, "{kind}: {}", set.body);
        small_deposit(&mut world, &shop, till, "ETH", "1");
        let again = json!({ "reference": "till", "deposit_splits": splits });
        let set = world.signed(&shop, None, "PATCH", "/v1/accounts/virtual", again);
        assert_eq!(set.status, 200, "{kind}: {}", set.body);
        small_deposit(&mut world, &shop, till, "USDC", "100");
        let (out, left) = withdrawals(&mut world, &shop, till);
        // One percent of the sixty is kept back; the service fee is one percent of the withdrawal, rounded down.
        for one in [
            "Withdraw 59.4 to wallet, fee 0.00000625",
            "ServiceFee 0.594 to account, fee -",
            "Transfer 40 to account, fee -",
        ] {
            assert!(
                out.iter().any(|sent| sent == one),
                "{kind}: {one} in {out:?}"
            );
        }
        assert_eq!(left, "0.006", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_share_for_a_wallet_of_another_kind_of_chain_is_refused() {
    World::each(|kind, mut world| {
        let (shop, _) = shop_with_splits(&mut world, &json!([]));
        let tron = json!([{ "account_ref": "taxes", "pct": "10" },
            { "address": "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "pct": "10" }]);
        let refused = "422 ADDRESS_MALFORMED deposit_splits[1].address";
        let change = json!({ "reference": "till", "deposit_splits": tron });
        let changed = world.signed(&shop, None, "PATCH", "/v1/accounts/virtual", change);
        assert_eq!(changed.refusal(), refused, "{kind}");
        let new = json!({ "reference": "new", "chains": [{ "chain_id": 1, "currencies": ["USDC"] }],
            "deposit_splits": tron });
        let made = world.signed(&shop, None, "POST", "/v1/accounts/virtual", new);
        assert_eq!(made.refusal(), refused, "{kind}");
        let none = world.keyed(&shop, "GET", "/v1/accounts/new", Value::Null);
        assert_eq!(none.refusal(), "404 NOT_FOUND", "{kind}");
    });
}

#[test]
fn a_suspended_organisation_sends_no_share_to_an_outside_wallet() {
    World::each(|kind, mut world| {
        let splits =
            json!([{ "address": WALLET, "pct": "30" }, { "account_ref": "taxes", "pct": "20" }]);
        let (shop, till) = shop_with_splits(&mut world, &splits);
        let account = world.read(&shop, &format!("/v1/accounts/{till}"));
        let address = text(&account, "address");
        let mut suspend = |kind: Option<&str>, hash: &str| {
            let suspended = Command::Suspend {
                organisation: shop.id,
                kind: kind.map(str::to_owned),
            };
            assert_eq!(world.call(suspended), Reply::Done);
            world.observe_deposit(&address, hash, "10000000", 3);
            withdrawals(&mut world, &shop, till)
        };
        let (out, left) = suspend(Some("Compliance"), "0xd1");
        assert_eq!(out, ["Transfer 2 to account, fee -"], "{kind}");
        assert_eq!(left, "8", "{kind}: it is booked, and stays");
        let (out, _) = suspend(None, "0xd2");
        assert_eq!(out[1], "Withdraw 3 to wallet, fee 0.02", "{kind}: {out:?}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_share_never_returns_to_its_source() {
    World::each(|kind, mut world| {
        let (shop, till) = shop_with_splits(&mut world, &json!([]));
        let below = world.read(&shop, &format!("/v1/accounts/{till}"));
        let wallet = below["address"]
            .as_str()
            .expect("an address")
            .to_lowercase();
        let permanent = json!({ "chain_id": 8453 });
        let path = format!("/v1/accounts/{till}/pay-in-addresses");
        let permanent = world.signed(&shop, None, "POST", &path, permanent);
        let permanent = permanent.data()["address"].clone();
        let side = json!({ "parent_account_id": "till", "reference": "side", "chain_id": 10, "currencies": ["USDC"] });
        world.post(&shop, "/v1/accounts", side);
        for (name, own) in [
            ("account_id", below["parent_id"].clone()),
            ("account_id", json!(till)),
            ("account_ref", json!("till")),
            ("account_ref", json!("side")),
            ("address", json!(wallet)),
            ("address", permanent),
        ] {
            let splits =
                json!([{ "account_ref": "taxes", "pct": "10" }, { name: own, "pct": "10" }]);
            let change = json!({ "reference": "till", "deposit_splits": splits });
            let changed = world.signed(&shop, None, "PATCH", "/v1/accounts/virtual", change);
            let refused = format!("422 EXCLUDED deposit_splits[1].{name}");
            assert_eq!(changed.refusal(), refused, "{kind}: {splits}");
        }
        let unchanged = world.read(&shop, "/v1/accounts/till");
        assert_eq!(unchanged["deposit_splits"], json!([]), "{kind}");
        // A split to another account of the merchant is a valid target, by address too.
        let taxes = world.read(&shop, "/v1/accounts/taxes")["address"].clone();
        let splits = json!([{ "address": taxes, "pct": "10" }]);
        let change = json!({ "reference": "till", "deposit_splits": splits });
        let changed = world.signed(&shop, None, "PATCH", "/v1/accounts/virtual", change);
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
    });
}
