//! `POST /accounts`.

use serde_json::{Value, json};
use settlekit_tests::world::{OTHER_WALLET, WALLET, World};

use super::{account_with_wallet, add_chain, sweep, virtual_till};

#[test]
fn a_virtual_accounts_reference_and_chains_are_unique() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = virtual_till(&mut world, &shop);
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
fn a_sub_account_of_a_virtual_account_becomes_one_of_its_chains() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = virtual_till(&mut world, &shop);
        let body =
            json!({ "parent_account_id": "till", "chain_id": 137, "currencies": ["USDT", "POL"] });
        let added = world.post(&shop, "/v1/accounts", body).id_number();
        let whole = world.read(&shop, "/v1/accounts/till");
        assert_eq!(
            whole["currencies"],
            json!(["POL", "USDC", "USDT"]),
            "{kind}"
        );
        let event = format!("/v1/events?type=Account&action=Updated&document_id={till}");
        let event = world.read(&shop, &event);
        assert_eq!(event["items"][0]["data"], whole, "{kind}");

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
        world.post(&shop, "/v1/paylinks", link);
    });
}

#[test]
fn a_payout_target_is_not_added_as_sub_account() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let (shares, swept) = (WALLET.to_lowercase(), OTHER_WALLET);
        let till = virtual_till(&mut world, &shop);
        let change =
            json!({ "reference": "till", "deposit_splits": [{ "address": shares, "pct": "10" }] });
        let changed = world.signed(&shop, None, "PATCH", "/v1/accounts/virtual", change);
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
        let path = format!("/v1/partners/accounts/id/{till}/automations/maintain-balance");
        let sweep = json!({ "currency": "USDC", "minimum_threshold_amount": 0, "payout_threshold_amount": 5, "payout_address": swept });
        world.create(&shop, &path, sweep);
        for address in [WALLET, swept] {
            let own = json!({ "address": address, "chain_id": 137, "currencies": ["USDC"] });
            let mut below = own.clone();
            below["parent_account_id"] = till.into();
            let refused = world.keyed(&shop, "POST", "/v1/accounts", below);
            assert_eq!(refused.refusal(), "422 EXCLUDED address", "{kind}");
            world.post(&shop, "/v1/accounts", own);
        }
    });
}

#[test]
fn adding_or_deleting_a_sub_account_sends_an_event_of_its_parent() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let safe = world.account(&shop, "safe", 8453, &["USDC"]);
        let event = |world: &mut World| {
            let log = format!("/v1/events?type=Account&document_id={safe}");
            let event = world.read(&shop, &log)["items"][0]["data"].clone();
            assert_eq!(event, world.read(&shop, "/v1/accounts/safe"), "{kind}");
            event["sub_accounts"].as_array().expect("accounts").len()
        };
        assert_eq!(event(&mut world), 0, "{kind}");
        let body = json!({ "parent_account_id": safe, "chain_id": 137, "currencies": ["USDT"] });
        let added = world.keyed(&shop, "POST", "/v1/accounts", body);
        assert_eq!(event(&mut world), 1, "{kind}");
        let path = format!("/v1/accounts/{}", added.data()["id"]);
        world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(event(&mut world), 0, "{kind}");
    });
}

#[test]
fn a_sub_account_has_no_sub_accounts() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let (till, _) = account_with_wallet(&mut world, &shop, "till");
        let swept = sweep(&mut world, &shop, till, "USDC", &json!(OTHER_WALLET));
        assert_eq!(swept.status, 201, "{kind}: {}", swept.body);
        let chain = world.read(&shop, "/v1/accounts/till")["sub_accounts"][0]["id"].clone();
        let below = json!({ "address": OTHER_WALLET, "chain_id": 8453, "currencies": ["USDC"], "parent_account_id": chain });
        let refused = world.keyed(&shop, "POST", "/v1/accounts", below);
        let expected = "409 STATE_FORBIDS parent_account_id";
        assert_eq!(refused.refusal(), expected, "{kind}");
    });
}
