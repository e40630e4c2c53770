//! `GET /accounts/external-account/{external_account_id}`.

use serde_json::Value;
use settlekit_tests::world::World;

use super::{PATH, bank, cold_wallet};

#[test]
fn a_destination_is_read_as_it_was_created() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        for body in [cold_wallet(), bank()] {
            let created = world.create(&shop, PATH, body);
            let path = format!("{PATH}/{}", created.id_number());
            assert_eq!(world.read(&shop, &path), *created.data(), "{kind}");
        }
    });
}

#[test]
fn a_destination_of_another_organisation_or_an_unknown_one_is_not_found() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        let id = world.create(&shop, PATH, cold_wallet()).id_number();
        for (who, id) in [(&other, id), (&shop, id + 1)] {
            let path = format!("{PATH}/{id}");
            let refused = world.keyed(who, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}");
        }
    });
}
