//! `PATCH /paylinks/batch`.

use serde_json::{Value, json};
use settlekit_tests::world::{World, texts};

use super::link;

#[test]
fn a_batch_update_is_atomic() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let stranger = world.shop("Stranger", None);
        for shop in [&shop, &stranger] {
            world.account(shop, "till", 8453, &["USDC"]);
        }
        let (tea, cake) = (
            link(&mut world, &shop, "Tea"),
            link(&mut world, &shop, "Cake"),
        );
        let foreign = link(&mut world, &stranger, "Coffee");
        let batch = |world: &mut World, items: Value| {
            world.keyed(
                &shop,
                "PATCH",
                "/v1/paylinks/batch",
                json!({ "items": items }),
            )
        };
        let changed = batch(
            &mut world,
            json!([
                { "id": cake, "enabled": false, "plan": { "name": "Cheesecake" } },
                { "id": tea, "metadata": { "variable_mode_only": true }, "after_completion": { "custom_message": "Enjoy" } },
            ]),
        );
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
        let items = changed.data();
        assert_eq!(items[0]["id"], *cake, "{kind}: in the order of the request");
        assert_eq!(items[0]["state"], "Disabled", "{kind}");
        assert_eq!(items[0]["plan"]["name"], "Cheesecake", "{kind}");
        assert_eq!(
            items[1]["metadata"],
            json!({ "table": "7", "variable_mode_only": true }),
            "{kind}"
        );
        assert_eq!(
            items[1]["after_completion"]["custom_message"], "Enjoy",
            "{kind}"
        );
        let overview = world.read(&shop, "/v1/overview");
        assert_eq!(overview["paylinks_active"], 1, "{kind}");

        let refused = batch(
            &mut world,
            json!([
                { "id": cake, "enabled": true },
                { "id": foreign, "enabled": false },
                { "id": "pl_019cade5a0007000800000000000dead" },
            ]),
        );
        assert_eq!(
            refused.refusal(),
            "422 REFERENCE_UNKNOWN items[1].id, REFERENCE_UNKNOWN items[2].id",
            "{kind}"
        );
        let still = world.read(&shop, &format!("/v1/paylinks/{cake}"));
        assert_eq!(
            still["enabled"], false,
            "{kind}: a refused batch changes nothing"
        );
        let log = world.keyed(
            &shop,
            "GET",
            "/v1/events?type=MerchantContract",
            Value::Null,
        );
        let actions = texts(log.items(), "action");
        assert_eq!(
            actions,
            ["Updated", "Disabled", "Created", "Created"],
            "{kind}"
        );

        let path = format!("/v1/paylinks/{tea}");
        let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        let log = format!("/v1/events?type=MerchantContract&document_id={tea}");
        let event = world.read(&shop, &log)["items"][0]["data"].clone();
        assert_eq!(event, world.read(&shop, &path), "{kind}");
    });
}

#[test]
fn metadata_means_the_same_in_a_batch_and_on_a_new_link() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let fields = json!(["tax_ident", "favourite_colour"]);
        let body = json!({ "amount": "5", "currency": "USDC", "name": "Tea",
            "metadata": { "customer_fields": fields, "shipping_address_collection": true } });
        let made = world.keyed(&shop, "POST", "/v1/paylinks", body);
        let asked = |link: &Value| {
            [
                "customer_ident_collection",
                "shipping_address_collection",
                "tax_ident_collection",
            ]
            .map(|name| link[name] == true)
        };
        assert_eq!(asked(made.data()), [false, true, true], "{kind}");
        let id = made.id();
        let after = json!({ "custom_message": "Enjoy" });
        let items = json!([{ "id": id, "metadata": { "customer_fields": ["customer_ident"], "after_completion": after } }]);
        let changed = world.keyed(
            &shop,
            "PATCH",
            "/v1/paylinks/batch",
            json!({ "items": items }),
        );
        let link = &changed.data()[0];
        assert_eq!(
            asked(link),
            [true, false, false],
            "{kind}: {}",
            changed.body
        );
        assert_eq!(link["after_completion"], after, "{kind}");
        let path = format!("/v1/checkout/{id}");
        let seen = world.public("GET", &path, Value::Null);
        assert_eq!(
            seen.data()["collect"],
            json!({ "customer_ident": true, "shipping_address": false, "tax_ident": false }),
            "{kind}"
        );
        // Absent metadata stays unchanged.
        let items = json!([{ "id": id, "metadata": { "variable_mode_only": false } }]);
        let kept = world.keyed(
            &shop,
            "PATCH",
            "/v1/paylinks/batch",
            json!({ "items": items }),
        );
        assert_eq!(asked(&kept.data()[0]), [true, false, false], "{kind}");
        assert_eq!(kept.data()[0]["after_completion"], after, "{kind}");
    });
}
