//! `POST /sandbox/faults`.

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_tests::world::{Shop, World};

#[test]
fn an_injected_fault_occurs_before_or_after_the_operation() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let other = world.shop("Other", None);
        let fault =
            |world: &mut World, body: Value| world.keyed(&shop, "POST", "/v1/sandbox/faults", body);
        let link = |world: &mut World| {
            let body = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
            world.keyed(&shop, "POST", "/v1/paylinks", body)
        };
        let links = |world: &mut World| {
            world
                .keyed(&shop, "GET", "/v1/paylinks", Value::Null)
                .data()["total"]
                .clone()
        };
        let created = fault(
            &mut world,
            json!({ "operation": "CreatePaylink", "reason": "INTERNAL", "calls": 2 }),
        );
        assert_eq!(created.status, 201, "{kind}: {}", created.body);
        for _ in 0..2 {
            assert_eq!(link(&mut world).refusal(), "500 INTERNAL", "{kind}");
        }
        assert_eq!(links(&mut world), 0, "{kind}: nothing was done");
        assert_eq!(
            link(&mut world).status,
            201,
            "{kind}: and then it works again"
        );

        fault(
            &mut world,
            json!({ "operation": "CreatePaylink", "reason": "UNAVAILABLE", "after_commit": true }),
        );
        assert_eq!(link(&mut world).refusal(), "503 UNAVAILABLE", "{kind}");
        assert_eq!(links(&mut world), 2, "{kind}: it was executed");

        // Reads fail too, for the requesting organisation only.
        fault(&mut world, json!({ "reason": "RATE_LIMITED" }));
        let settings =
            |world: &mut World, shop: &Shop| world.keyed(shop, "GET", "/v1/orgs", Value::Null);
        assert_eq!(settings(&mut world, &other).status, 200, "{kind}");
        let limited = settings(&mut world, &shop);
        assert_eq!(limited.refusal(), "429 RATE_LIMITED", "{kind}");
        assert_eq!(limited.header(header::RETRY_AFTER), Some("1"), "{kind}");
        assert_eq!(settings(&mut world, &shop).status, 200, "{kind}: once");

        let unknown = fault(
            &mut world,
            json!({ "operation": "Nothing", "reason": "INTERNAL" }),
        );
        assert_eq!(unknown.refusal(), "400 UNKNOWN_VALUE operation", "{kind}");
    });
}
