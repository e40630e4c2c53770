//! `GET /subscriptions/{subscription_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

use super::{club, plan, subscribe};

#[test]
fn a_subscription_is_read_by_id_and_raw_uuid_with_its_customer_and_plans() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let plans = ["4.10", "5"].map(|price| plan(&mut world, &club, json!({ "price": price })));
        let made = subscribe(&mut world, &club, json!({ "plan_ids": plans }));
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let id = made.id();
        let read = world.read(&club.shop, &format!("/v1/subscriptions/{id}"));
        let uuid = id.strip_prefix("sub_").expect("a prefix");
        let by_uuid = world.read(&club.shop, &format!("/v1/subscriptions/{uuid}"));
        assert_eq!(read, by_uuid, "{kind}");
        assert_eq!(read["status"], "Active", "{kind}");
        let customer = world.read(&club.shop, &format!("/v1/customers/{}", club.customer));
        assert_eq!(read["customer"], customer, "{kind}");
        for (item, plan) in [(0, &plans[0]), (1, &plans[1])] {
            let plan = world.read(&club.shop, &format!("/v1/plan/{plan}"));
            let item = &read["items"][item];
            assert_eq!(item["plan"], plan, "{kind}");
            assert_eq!(item["subscription_id"], *id, "{kind}");
        }
    });
}

#[test]
fn a_subscription_of_another_organisation_or_an_unknown_one_is_not_found() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let other = world.shop("Other", None);
        let monthly = plan(&mut world, &club, json!({}));
        let id = subscribe(&mut world, &club, json!({ "plan_ids": [monthly] })).id();
        let unknown = "sub_019cade5a0007000800000000000dead".to_owned();
        for (who, id) in [(&other, id), (&club.shop, unknown)] {
            let path = format!("/v1/subscriptions/{id}");
            let refused = world.keyed(who, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}: {id}");
        }
    });
}
