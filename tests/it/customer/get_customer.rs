//! `GET /customers/{customer_id}`.

use serde_json::Value;
use settlekit_tests::world::World;

use super::customer;

#[test]
fn a_customer_is_read_by_id_and_by_raw_uuid() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let id = customer(&mut world, &shop, "Ada", "ada@tea.example");
        let read = world.read(&shop, &format!("/v1/customers/{id}"));
        for (field, value) in [
            ("id", id.as_str()),
            ("name", "Ada"),
            ("email", "ada@tea.example"),
            ("org_id", &shop.id.to_string()),
            ("created_at", &world.now.to_string()),
        ] {
            assert_eq!(read[field], value, "{kind}: {field}");
        }
        let uuid = id.strip_prefix("cus_").expect("a prefix");
        let by_uuid = world.read(&shop, &format!("/v1/customers/{uuid}"));
        assert_eq!(by_uuid, read, "{kind}");
        let log = format!("/v1/events?type=Customer&document_id={id}");
        let created = world.read(&shop, &log)["items"][0]["data"].clone();
        assert_eq!(created, read, "{kind}");
    });
}

#[test]
fn a_customer_of_another_organisation_or_an_unknown_one_is_not_found() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        world.account(&shop, "till", 8453, &["USDC"]);
        let id = customer(&mut world, &shop, "Ada", "ada@tea.example");
        let uuid = id.strip_prefix("cus_").expect("a prefix");
        let unknown = "cus_019cade5a0007000800000000000dead";
        for (who, id) in [(&other, id.as_str()), (&other, uuid), (&shop, unknown)] {
            let path = format!("/v1/customers/{id}");
            let refused = world.keyed(who, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}: {id}");
        }
    });
}
