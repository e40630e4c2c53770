//! `GET /accounts/external-account`.

use serde_json::json;
use settlekit_tests::world::World;

use super::{PATH, bank, cold_wallet};

#[test]
fn own_destinations_are_listed_as_created() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        let mut spare = cold_wallet();
        spare["reference"] = json!("spare");
        let bodies = [cold_wallet(), bank(), spare];
        let created = bodies.map(|body| world.create(&shop, PATH, body).data().clone());
        let of_other = world.create(&other, PATH, cold_wallet());
        assert_eq!(world.list(&shop, PATH), created, "{kind}");
        let listed = world.list(&other, PATH);
        assert_eq!(listed, [of_other.data().clone()], "{kind}");
    });
}
