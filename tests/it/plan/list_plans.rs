//! `GET /plan`.

use serde_json::json;
use settlekit_tests::world::{World, text, texts};

use crate::paylink::link;
use crate::subscription::{club, plan, subscribe};

#[test]
fn plans_are_listed_with_links_without_those_of_invoices() {
    World::each(|kind, mut world| {
        let club = club(&mut world);
        let other = world.shop("Other", None);
        let monthly = plan(&mut world, &club, json!({}));
        let cake = link(&mut world, &club.shop, "Cake");
        let made = subscribe(&mut world, &club, json!({ "plan_ids": [monthly] }));
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let invoices = world.list(&club.shop, "/v1/invoices");
        assert_eq!(invoices.len(), 1, "{kind}: it has its own link");
        let listed = world.list(&club.shop, "/v1/plan");
        assert_eq!(texts(&listed, "name"), ["Tea", "Box", "Cake"], "{kind}");
        assert_eq!(listed[1].get("payment_link"), None, "{kind}");
        assert_eq!(listed[2]["payment_link"]["id"], *cake, "{kind}");
        for plan in &listed {
            let path = format!("/v1/plan/{}", text(plan, "id"));
            assert_eq!(world.read(&club.shop, &path), *plan, "{kind}");
        }
        assert!(world.list(&other, "/v1/plan").is_empty(), "{kind}");
    });
}
