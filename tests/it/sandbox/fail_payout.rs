//! `POST /sandbox/payout-failures`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{Shop, World};

use crate::payout::{available, payout, shop};

#[test]
fn a_queued_or_sent_payout_can_be_failed() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let stranger = world.shop("Stranger", None);
        let fail = |world: &mut World, shop: &Shop, id: &Value| {
            let path = "/v1/sandbox/payout-failures";
            world.keyed(shop, "POST", path, json!({ "payment_id": id }))
        };
        for (under_way, left) in [(false, "99.98"), (true, "99.96")] {
            let made = payout(&mut world, &shop, "40");
            let id = made.data()["id"].clone();
            if under_way {
                world.work();
            }
            let foreign = fail(&mut world, &stranger, &id);
            let unknown = "422 REFERENCE_UNKNOWN payment_id";
            assert_eq!(foreign.refusal(), unknown, "{kind}");
            let failed = fail(&mut world, &shop, &id);
            assert_eq!(failed.status, 200, "{kind}: {}", failed.body);
            let data = failed.data();
            assert_eq!(
                (&data["status"], &data["settlement_transaction"]["status"]),
                (&json!("Failed"), &json!("Failed")),
                "{kind}: {data}"
            );
            world.pass_and_work(Duration::from_secs(60));
            assert_eq!(available(&mut world, &shop, "USDC"), left, "{kind}");
            let again = fail(&mut world, &shop, &id);
            assert_eq!(again.refusal(), "409 STATE_FORBIDS", "{kind}");
        }
        let sent = payout(&mut world, &shop, "1");
        for _ in 0..2 {
            world.work();
            world.pass(Duration::from_secs(60));
        }
        let late = fail(&mut world, &shop, &sent.data()["id"]);
        assert_eq!(late.refusal(), "409 STATE_FORBIDS", "{kind}: it is booked");
        let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
        let payment = world.keyed(&shop, "POST", "/v1/payments", body);
        let no_payout = fail(&mut world, &shop, &payment.data()["id"]);
        let unknown = "422 REFERENCE_UNKNOWN payment_id";
        assert_eq!(no_payout.refusal(), unknown, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}
