//! `GET /paylinks`.

use serde_json::Value;
use settlekit_tests::world::World;

use super::link;

#[test]
fn links_are_listed_with_their_plans_including_deleted_ones() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        for shop in [&shop, &other] {
            world.account(shop, "till", 8453, &["USDC"]);
        }
        let ids = ["Tea", "Cake", "Coffee"].map(|name| link(&mut world, &shop, name));
        link(&mut world, &other, "Bread");
        let path = format!("/v1/paylinks/{}", ids[1]);
        assert_eq!(world.keyed(&shop, "DELETE", &path, Value::Null).status, 200);
        let each = ids.map(|id| world.read(&shop, &format!("/v1/paylinks/{id}")));
        assert!(each[1]["deleted_at"].is_string(), "{kind}");
        assert_eq!(each[1]["plan"]["name"], "Cake", "{kind}");
        assert_eq!(world.list(&shop, "/v1/paylinks"), each, "{kind}");
        let of_other = world.list(&other, "/v1/paylinks");
        assert_eq!(of_other.len(), 1, "{kind}");
        assert_eq!(of_other[0]["plan"]["name"], "Bread", "{kind}");
    });
}
