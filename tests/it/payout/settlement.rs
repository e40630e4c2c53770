//! Payouts on the chain: sent, confirmed, failed.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::store::sql::Access;
use settlekit_tests::world::{Shop, World, text};

use super::{available, payout, shop};

/// Sets a service fee of one percent on the account's payouts.
fn agree_on_one_percent(world: &mut World, shop: &Shop) {
    let id = world.read(shop, "/v1/accounts/till")["id"].as_i64();
    let id = id.and_then(settlekit_core::value::AccountId::new);
    let agreed = (shop.id, id.expect("an id"));
    let (now, seed) = (world.now, settlekit_service::Seed([0x51; 32]));
    let (service, database) = world.parts();
    service
        .set_fees(database, agreed, None, "1".parse().ok(), now, seed)
        .expect("agreed");
}

#[test]
fn a_failed_payout_returns_the_money_but_not_the_gas() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        agree_on_one_percent(&mut world, &shop);
        let made = payout(&mut world, &shop, "40");
        let id = made.id();
        let path = format!("/v1/payments/{id}");
        world.work();
        let sent = world.read(&shop, &path);
        let hash = text(&sent["settlement_transaction"], "transaction_hash");
        let fail = |world: &mut World| {
            let body = json!({ "payment_id": id });
            world.keyed(&shop, "POST", "/v1/sandbox/payout-failures", body)
        };
        assert_eq!(available(&mut world, &shop, "USDC"), "59.58", "{kind}");
        assert_eq!(fail(&mut world).status, 200, "{kind}");
        let again = fail(&mut world);
        assert_eq!(again.refusal(), "409 STATE_FORBIDS", "{kind}");
        let after = world.keyed(&shop, "GET", &path, Value::Null);
        assert_eq!(after.data()["status"], "Failed", "{kind}: {}", after.body);
        assert_eq!(
            after.data()["settlement_transaction"]["status"],
            "Failed",
            "{kind}"
        );
        assert_eq!(
            available(&mut world, &shop, "USDC"),
            "99.98",
            "{kind}: everything except the gas"
        );
        let failed = world.read(&shop, "/v1/movements?status=Failed");
        assert_eq!(failed["items"][0]["failure"], "Dropped", "{kind}");
        let ledger = "/v1/accounts/till/movement?limit=2";
        let ledger = world.keyed(&shop, "GET", ledger, Value::Null);
        let shown: Vec<Value> = ledger
            .items()
            .iter()
            .map(|item| {
                json!([
                    item["type"],
                    item["status"],
                    item["direction"],
                    item["amount"],
                    item["currency"],
                    item["entity_id"],
                    item["transaction_hash"]
                ])
            })
            .collect();
        assert_eq!(
            shown,
            [
                json!(["NetworkFee", "Confirmed", "OUT", "0.02", "USDC", id, hash]),
                json!(["Withdraw", "Failed", "OUT", "40", "USDC", id, hash]),
            ],
            "{kind}"
        );
        // Failed: further blocks confirm nothing.
        world.pass_and_work(Duration::from_secs(60));
        assert_eq!(available(&mut world, &shop, "USDC"), "99.98", "{kind}");
        let log = "/v1/events?type=Transaction&sort=desc&limit=1";
        let log = world.keyed(&shop, "GET", log, Value::Null);
        let last = &log.data()["items"][0];
        assert_eq!(
            (&last["action"], &last["data"]["type"]),
            (&json!("Settled"), &json!("NetworkFee")),
            "{kind}: {log:?}",
            log = log.body
        );
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn the_audit_reports_reserved_amounts_without_open_payouts() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        agree_on_one_percent(&mut world, &shop);
        let made = payout(&mut world, &shop, "40");
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let none = Vec::<String>::new();
        assert_eq!(world.differences(), none, "{kind}: it waits");
        world.work();
        assert_eq!(world.differences(), none, "{kind}: it is on its way");
        let set_reserved = |world: &mut World, units: i128| {
            const SET_RESERVED: &str = "UPDATE ledger_accounts SET reserved = ?1 WHERE kind = 'merchant' AND currency = 'USDC'";
            let (_, database) = world.parts();
            database.begin(Access::Write).expect("a beginning");
            database
                .execute(SET_RESERVED, &[units.into()])
                .expect("written");
            database.commit().expect("an end");
        };
        // The amount, one percent of it, and a network fee of two cents.
        set_reserved(&mut world, 40_420_001);
        let found = world.differences();
        assert_eq!(found.len(), 1, "{kind}: {found:?}");
        let expected = "USDC: 40420001 is reserved, open work needs 40420000";
        assert!(found[0].ends_with(expected), "{kind}: {found:?}");
        set_reserved(&mut world, 40_420_000);
        for _ in 0..3 {
            world.pass_and_work(Duration::from_secs(600));
        }
        assert_eq!(world.differences(), none, "{kind}: it is there");
        set_reserved(&mut world, 1);
        let expected = "USDC: 1 is reserved, open work needs 0";
        assert!(world.differences()[0].ends_with(expected), "{kind}");
    });
}
