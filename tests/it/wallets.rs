//! One chain, one account: references that bundle accounts, virtual accounts that stand for theirs, wallets of one's own.

use serde_json::{Value, json};
use settlekit_core::value::AccountId;
use settlekit_service::step::{Command, Reply};
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World};

const WALLET: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// A virtual account `till` on Base; gives its id.
fn till(world: &mut World, shop: &Shop) -> i64 {
    let body =
        json!({ "reference": "till", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] });
    let made = world.keyed(shop, "POST", "/v1/accounts/virtual", body);
    assert_eq!(made.status, 201, "{}", made.body);
    made.data()["id"].as_i64().expect("an id")
}

fn add_chain(world: &mut World, shop: &Shop, chain: i64) {
    let body =
        json!({ "reference": "till", "chains": [{ "chain_id": chain, "currencies": ["USDC"] }] });
    let added = world.keyed(shop, "PATCH", "/v1/accounts/virtual", body);
    assert_eq!(added.status, 200, "{}", added.body);
}

#[test]
fn nothing_is_added_beside_a_virtual_account_under_its_reference_or_twice_below_it() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = till(&mut world, &shop);
        let beside = json!({ "reference": "till", "chain_id": 137, "currencies": ["USDC"] });
        let refused = world.keyed(&shop, "POST", "/v1/accounts", beside);
        assert_eq!(refused.refusal(), "409 ALREADY_EXISTS reference", "{kind}");
        let twice = json!({ "parent_account_id": till, "chain_id": 8453, "currencies": ["USDC"] });
        let refused = world.keyed(&shop, "POST", "/v1/accounts", twice);
        assert_eq!(refused.refusal(), "409 ALREADY_EXISTS chain_id", "{kind}");
        add_chain(&mut world, &shop, 137);
    });
}

#[test]
fn a_virtual_account_that_is_named_by_its_id_stands_for_its_chains() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = till(&mut world, &shop);
        let pay = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453, "account": till });
        let payment = world.keyed(&shop, "POST", "/v1/payments", pay);
        assert_eq!(payment.status, 201, "{kind}: {}", payment.body);
        assert_eq!(payment.data()["to_account"]["chain_id"], 8453, "{kind}");
        world.deposit(&shop, till, 8453, "USDC", "1");

        let body =
            json!({ "amount": "5", "currency": "USDC", "name": "Tea", "account_ids": [till] });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", body);
        let path = format!(
            "/v1/checkout/{}",
            link.data()["id"].as_str().expect("an id")
        );
        let offered = |world: &mut World| {
            let shown = world.public("GET", &path, Value::Null);
            let options = shown.data()["options"].as_array().expect("options").clone();
            let chains = options.iter().map(|option| option["chain"]["id"].as_i64());
            chains.collect::<Vec<_>>()
        };
        assert_eq!(offered(&mut world), [Some(8453)], "{kind}");
        add_chain(&mut world, &shop, 137);
        assert_eq!(
            offered(&mut world),
            [Some(8453), Some(137)],
            "{kind}: a chain that was added later"
        );
    });
}

#[test]
fn a_wallet_of_ones_own_can_be_given_to_another_account_once_its_account_is_deleted() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let own = json!({ "address": WALLET, "chain_id": 8453, "currencies": ["USDC"] });
        let first = world.keyed(&shop, "POST", "/v1/accounts", own.clone());
        assert_eq!(first.status, 201, "{kind}: {}", first.body);
        let again = world.keyed(&shop, "POST", "/v1/accounts", own.clone());
        assert_eq!(again.refusal(), "409 ALREADY_EXISTS address", "{kind}");
        let path = format!("/v1/accounts/{}", first.data()["id"]);
        assert_eq!(world.keyed(&shop, "DELETE", &path, Value::Null).status, 200);

        let other = world.shop("Other", None);
        let others = world.keyed(&other, "POST", "/v1/accounts", own.clone());
        assert_eq!(
            others.status, 201,
            "{kind}: who else watches it nobody learns: {}",
            others.body
        );
        let second = world.keyed(&shop, "POST", "/v1/accounts", own);
        assert_eq!(second.status, 201, "{kind}: {}", second.body);
        let second = second.data()["id"].as_i64().expect("an id");
        world.deposit(&shop, second, 8453, "USDC", "3");
        let path = format!("/v1/accounts/{second}/movement");
        let booked = world.keyed(&shop, "GET", &path, Value::Null);
        assert_eq!(booked.data()["total"], 1, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn what_was_seen_for_an_account_is_its_own_though_its_wallet_is_given_to_another_meanwhile() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let own = json!({ "address": WALLET, "chain_id": 8453, "currencies": ["USDC"] });
        let add = |world: &mut World| {
            let made = world.keyed(&shop, "POST", "/v1/accounts", own.clone());
            assert_eq!(made.status, 201, "{kind}: {}", made.body);
            made.data()["id"].as_i64().expect("an id")
        };
        let first = add(&mut world);
        let path = format!("/v1/accounts/{first}");
        assert_eq!(world.keyed(&shop, "DELETE", &path, Value::Null).status, 200);
        world.see(WALLET, "0xab", "2000000", 1);
        let second = add(&mut world);
        let agreed = Command::SetFees {
            organisation: shop.id,
            account: AccountId::new(second).expect("an id"),
            payin: Some("50".to_owned()),
            payout: None,
        };
        assert_eq!(world.call(agreed), Reply::Done, "{kind}");
        world.see(WALLET, "0xab", "2000000", 3);
        for (account, expected) in [(first, json!(["Confirmed"])), (second, json!([]))] {
            let path = format!("/v1/accounts/{account}/movement");
            let movements = world.read(&shop, &path)["items"].clone();
            let movements = movements.as_array().expect("movements");
            let statuses: Vec<&Value> = movements.iter().map(|one| &one["status"]).collect();
            assert_eq!(json!(statuses), expected, "{kind}: {account}");
        }
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn an_account_that_is_added_below_a_virtual_one_is_one_of_its_chains_by_its_reference_too() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = till(&mut world, &shop);
        let body =
            json!({ "parent_account_id": "till", "chain_id": 137, "currencies": ["USDT", "POL"] });
        let added = world.keyed(&shop, "POST", "/v1/accounts", body);
        assert_eq!(added.status, 201, "{kind}: {}", added.body);
        let added = added.data()["id"].as_i64().expect("an id");
        let whole = world.read(&shop, "/v1/accounts/till");
        assert_eq!(
            whole["currencies"],
            json!(["POL", "USDC", "USDT"]),
            "{kind}"
        );
        let told = format!("/v1/events?type=Account&action=Updated&document_id={till}");
        let told = world.read(&shop, &told);
        assert_eq!(told["items"][0]["data"], whole, "{kind}");

        world.deposit(&shop, added, 137, "USDT", "50");
        let pay = json!({ "amount": "1", "currency": "USDT", "chain_id": 137, "account": "till" });
        let payment = world.keyed(&shop, "POST", "/v1/payments", pay);
        assert_eq!(payment.data()["to_account"]["id"], added, "{kind}");
        let out = json!({ "account": "till", "amount": "5", "currency": "USDT", "chain_id": 137, "address": WALLET });
        let payout = world.signed(&shop, None, "POST", "/v1/payouts", out);
        assert_eq!(payout.data()["from_account"]["id"], added, "{kind}");
        let trade = json!({ "account_reference": "till", "currency": "USDT", "amount": "20", "to_currency": "USDC", "dry_run": true });
        let trade = world.keyed(&shop, "POST", "/v1/trade/quicktrade", trade);
        assert_eq!(trade.data()["from_chain_id"], 137, "{kind}");
        let link =
            json!({ "amount": "5", "currency": "POL", "name": "Tea", "account_ids": [till] });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", link);
        assert_eq!(link.status, 201, "{kind}: {}", link.body);
    });
}

#[test]
fn a_wallet_that_an_account_pays_out_to_is_not_added_below_it() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let (shares, swept) = (
            WALLET.to_lowercase(),
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        );
        let till = till(&mut world, &shop);
        let change =
            json!({ "reference": "till", "deposit_splits": [{ "address": shares, "pct": "10" }] });
        let changed = world.signed(&shop, None, "PATCH", "/v1/accounts/virtual", change);
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
        let path = format!("/v1/partners/accounts/id/{till}/automations/maintain-balance");
        let sweep = json!({ "currency": "USDC", "minimum_threshold_amount": 0, "payout_threshold_amount": 5, "payout_address": swept });
        let sweep = world.signed(&shop, None, "POST", &path, sweep);
        assert_eq!(sweep.status, 201, "{kind}: {}", sweep.body);
        for address in [WALLET, swept] {
            let own = json!({ "address": address, "chain_id": 137, "currencies": ["USDC"] });
            let mut below = own.clone();
            below["parent_account_id"] = till.into();
            let refused = world.keyed(&shop, "POST", "/v1/accounts", below);
            assert_eq!(refused.refusal(), "422 EXCLUDED address", "{kind}");
            let beside = world.keyed(&shop, "POST", "/v1/accounts", own);
            assert_eq!(beside.status, 201, "{kind}: {}", beside.body);
        }
    });
}

#[test]
fn an_account_is_told_anew_when_one_below_it_is_added_or_deleted() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let safe = world.account(&shop, "safe", 8453, &["USDC"]);
        let told = |world: &mut World| {
            let log = format!("/v1/events?type=Account&document_id={safe}");
            let told = world.read(&shop, &log)["items"][0]["data"].clone();
            assert_eq!(told, world.read(&shop, "/v1/accounts/safe"), "{kind}");
            told["sub_accounts"].as_array().expect("accounts").len()
        };
        assert_eq!(told(&mut world), 0, "{kind}");
        let body = json!({ "parent_account_id": safe, "chain_id": 137, "currencies": ["USDT"] });
        let added = world.keyed(&shop, "POST", "/v1/accounts", body);
        assert_eq!(told(&mut world), 1, "{kind}");
        let path = format!("/v1/accounts/{}", added.data()["id"]);
        world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(told(&mut world), 0, "{kind}");
    });
}
