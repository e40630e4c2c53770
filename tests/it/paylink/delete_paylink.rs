//! `DELETE /paylinks/{paylink_id}`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{World, text};

use super::link;

#[test]
fn a_deleted_link_accepts_no_payments_and_keeps_its_history() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let id = link(&mut world, &shop, "Tea");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let start = format!("/v1/checkout/{id}/payments");
        let begun = world.public("POST", &start, chosen.clone());
        let payment = text(begun.data(), "payment_id");
        world.pass(Duration::from_secs(60));
        let path = format!("/v1/paylinks/{id}");
        let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        assert!(deleted.data().is_string(), "{kind}: {}", deleted.body);

        let mut read = world.read(&shop, &path);
        assert_eq!(read["state"], "Deleted", "{kind}");
        assert_eq!(read["enabled"], false, "{kind}");
        assert_eq!(read["deleted_at"], world.now.to_string(), "{kind}");
        // Lists are without it.
        let statistics = read
            .as_object_mut()
            .and_then(|read| read.remove("statistics"));
        assert!(statistics.is_some(), "{kind}");
        assert_eq!(world.list(&shop, "/v1/paylinks"), [read], "{kind}");
        let active = &world.read(&shop, "/v1/overview")["paylinks_active"];
        assert_eq!(*active, 0, "{kind}");
        let page = world.public("GET", &format!("/v1/checkout/{id}"), Value::Null);
        assert_eq!(page.data()["state"], "Deleted", "{kind}: {}", page.body);
        let refused = world.public("POST", &start, chosen);
        assert_eq!(refused.refusal(), "409 PAYLINK_CLOSED", "{kind}");
        let again = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(again.refusal(), "404 NOT_FOUND", "{kind}");

        // A payment that began before is still taken.
        world.pay(&payment);
        world.pass_and_work(Duration::from_secs(10));
        let paid = world.read(&shop, &format!("/v1/payments?paylink_id={id}"));
        assert_eq!(paid["items"][0]["status"], "Confirmed", "{kind}");
    });
}

#[test]
fn a_refused_deletion_leaves_the_link_open() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        world.account(&shop, "till", 8453, &["USDC"]);
        let id = link(&mut world, &shop, "Tea");
        let path = format!("/v1/paylinks/{id}");
        let before = world.read(&shop, &path);
        let reader = world.scoped(&shop, &["read"]);
        for (who, refusal) in [(&other, "404 NOT_FOUND"), (&reader, "403 SCOPE_MISSING")] {
            let refused = world.keyed(who, "DELETE", &path, Value::Null);
            assert_eq!(refused.refusal(), refusal, "{kind}");
        }
        assert_eq!(before["state"], "Open", "{kind}");
        assert_eq!(world.read(&shop, &path), before, "{kind}");
    });
}
