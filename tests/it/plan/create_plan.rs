//! `POST /plan`.

use serde_json::json;
use settlekit_tests::database;
use settlekit_tests::world::{World, text};

use crate::paylink::link;

#[test]
fn a_plan_can_be_created_with_or_without_a_link() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let body = json!({ "name": "Box", "price": "19.90", "currency": "USDC", "type": "Recurring",
            "recurring_interval": "Month", "trial_period": "P14D" });
        let made = world.post(&shop, "/v1/plan", body);
        assert_eq!(made.data()["recurring_interval_count"], 1, "{kind}");
        let path = format!("/v1/plan/{}", made.id());
        let read = world.read(&shop, &path);
        assert!(read.get("payment_link").is_none(), "{kind}");
        let tea = link(&mut world, &shop, "Tea");
        let plan = world.read(&shop, &format!("/v1/paylinks/{tea}"));
        let path = format!("/v1/plan/{}", text(&plan, "plan_id"));
        let read = world.read(&shop, &path);
        assert_eq!(read["payment_link"]["id"], *tea, "{kind}");

        for (body, refusal) in [
            (
                json!({ "name": "Box", "price": "1", "currency": "DOGE" }),
                "422 NOT_SUPPORTED currency",
            ),
            (
                json!({ "name": "Box", "price": "1", "currency": "USDC", "expires_at": "2020-01-01T00:00:00Z" }),
                "422 NOT_IN_FUTURE expires_at",
            ),
        ] {
            assert_eq!(
                world.keyed(&shop, "POST", "/v1/plan", body).refusal(),
                refusal,
                "{kind}"
            );
        }
    });
}

#[test]
fn a_one_time_plan_has_neither_interval_nor_trial() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop_with_till("Shop");
    let body = json!({ "amount": "5", "currency": "USDC", "name": "Tea", "intervalCount": 2, "trial_period": "P7D" });
    let refused = world.keyed(&shop, "POST", "/v1/paylinks", body);
    assert_eq!(
        refused.refusal(),
        "422 EXCLUDED intervalCount, EXCLUDED trial_period"
    );
    let body = json!({ "price": "5", "currency": "USDC", "name": "Tea", "type": "OneTime", "trial_period": "P7D" });
    let refused = world.keyed(&shop, "POST", "/v1/plan", body);
    assert_eq!(refused.refusal(), "422 EXCLUDED trial_period");
}
