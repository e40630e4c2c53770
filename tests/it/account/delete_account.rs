//! `DELETE /accounts/{account}`.

use serde_json::{Value, json};
use settlekit_tests::world::{WALLET, World, text};

use super::{chains, virtual_account};

#[test]
fn only_an_empty_and_idle_account_is_deleted() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let account = virtual_account(&mut world, &shop, "till").data().clone();
        let below = chains(&account)[1].1;
        let delete =
            |world: &mut World| world.keyed(&shop, "DELETE", "/v1/accounts/till", Value::Null);

        let pay = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453, "account": "till" });
        let payment = world.keyed(&shop, "POST", "/v1/payments", pay).id();
        assert_eq!(delete(&mut world).refusal(), "409 WORK_UNDER_WAY", "{kind}");
        let cancel = format!("/v1/payments/{payment}");
        assert_eq!(
            world.keyed(&shop, "DELETE", &cancel, Value::Null).status,
            200,
            "{kind}"
        );

        let deposit =
            json!({ "account": below, "chain_id": 8453, "currency": "USDC", "amount": "1" });
        world.keyed(&shop, "POST", "/v1/sandbox/deposits", deposit);
        assert_eq!(
            delete(&mut world).refusal(),
            "409 WORK_UNDER_WAY",
            "{kind}: money is on its way"
        );
        world.pass_and_work(std::time::Duration::from_secs(60));
        assert_eq!(
            delete(&mut world).refusal(),
            "409 ACCOUNT_NOT_EMPTY",
            "{kind}"
        );

        let other = world.account(&shop, "spare", 1, &["USDC"]);
        let gone = world.keyed(
            &shop,
            "DELETE",
            &format!("/v1/accounts/{other}"),
            Value::Null,
        );
        assert_eq!(gone.data()["state"], "Deleted", "{kind}");
        let again = world.keyed(&shop, "DELETE", "/v1/accounts/spare", Value::Null);
        assert_eq!(again.refusal(), "404 NOT_FOUND", "{kind}");
        // The reference is free again.
        world.account(&shop, "spare", 1, &["USDC"]);
    });
}

#[test]
fn a_virtual_account_stops_accepting_the_currencies_of_a_deleted_chain() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let made = virtual_account(&mut world, &shop, "till");
        let ethereum = chains(made.data())[0].1;
        let path = format!("/v1/accounts/{ethereum}");
        let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        let till = world.read(&shop, "/v1/accounts/till");
        assert_eq!(till["currencies"], json!(["USDC"]), "{kind}");
        let log = "/v1/events?type=Account&action=Updated&limit=1";
        let event = world.keyed(&shop, "GET", log, Value::Null);
        let event = &event.data()["items"][0]["data"];
        assert_eq!(event["id"], made.data()["id"], "{kind}");
    });
}

#[test]
fn an_account_is_not_deleted_while_an_order_settles_to_it() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let savings = world.account(&shop, "savings", 8453, &["ETH"]);
        world.deposit(&shop, till, 8453, "USDC", "50");
        let order = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453, "account_id": till,
            "to_currency": "ETH", "to_chain_id": 8453, "settlement_account_id": savings });
        let order = world.post(&shop, "/v1/trade/quicktrade", order);
        let path = format!("/v1/accounts/{savings}");
        let refused = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(refused.refusal(), "409 WORK_UNDER_WAY", "{kind}");
        for _ in 0..2 {
            world.work();
            world.pass(std::time::Duration::from_secs(60));
        }
        world.work();
        let id = text(order.data(), "order_id");
        let path_of_order = format!("/v1/trade/orders/{id}");
        let order = world.keyed(&shop, "GET", &path_of_order, Value::Null);
        assert_eq!(order.data()["status"], "Settled", "{kind}: {}", order.body);
        let refused = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(refused.refusal(), "409 ACCOUNT_NOT_EMPTY", "{kind}");
    });
}

#[test]
fn money_that_arrives_at_a_deleted_account_is_paid_out_by_its_id() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let path = format!("/v1/accounts/{till}");
        let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
        let address = text(deleted.data(), "address");
        world.observe_deposit(&address, "0xdeed", "5000000", 3);
        let out = |account: Value| {
            json!({ "account": account, "amount": "4", "currency": "USDC", "chain_id": 8453,
                "address": WALLET })
        };
        let by_name = world.signed(&shop, None, "POST", "/v1/payouts", out(json!("till")));
        assert_eq!(by_name.refusal(), "422 REFERENCE_UNKNOWN account", "{kind}");
        let sent = world.signed(&shop, None, "POST", "/v1/payouts", out(json!(till)));
        assert_eq!(sent.status, 201, "{kind}: {}", sent.body);
        for _ in 0..3 {
            world.work();
            world.pass(std::time::Duration::from_secs(60));
        }
        let balances = format!("{path}/balances");
        let balances = world.read(&shop, &balances);
        assert_eq!(balances[0]["posted"], "0.98", "{kind}");
        // It receives no payments.
        let pay = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453, "account": till });
        let refused = world.keyed(&shop, "POST", "/v1/payments", pay);
        assert_eq!(refused.refusal(), "422 REFERENCE_UNKNOWN account", "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}
