//! `GET /movements/{movement_id}`.

use serde_json::Value;
use settlekit_tests::world::World;

use super::observe_deposit;

#[test]
fn a_movement_of_any_own_account_is_read_by_its_id() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        observe_deposit(&mut world, &shop, till, "0xaa", 100);
        let listed = world.read(&shop, "/v1/movements")["items"][0].clone();
        let path = format!("/v1/movements/{}", listed["id"]);
        assert_eq!(world.read(&shop, &path), listed, "{kind}");
        let refused = world.keyed(&other, "GET", &path, Value::Null);
        assert_eq!(refused.status, 404, "{kind}");
    });
}
