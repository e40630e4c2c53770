//! `PATCH /customers/{customer_id}`.

use serde_json::{Value, json};
use settlekit_tests::world::{WALLET, World, text};

use super::customer;

#[test]
fn a_change_of_a_customer_is_stored_and_an_empty_one_changes_nothing() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let id = customer(&mut world, &shop, "Zoë Ångström", "zoe@tea.example");
        let path = format!("/v1/customers/{id}");
        let change = json!({ "customer_ident": "C-1", "number": "+4930123456", "discord": "zoe#1", "name": "",
            "wallet_address": "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed" });
        let changed = world.keyed(&shop, "PATCH", &path, change.clone());
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
        // The record without an envelope.
        assert_eq!(changed.body["name"], "Zoë Ångström", "{kind}");
        assert_eq!(changed.body["reference"], "C-1", "{kind}");
        assert_eq!(
            changed.body["properties"],
            json!({ "discord": "zoe#1" }),
            "{kind}"
        );
        assert_eq!(
            changed.body["wallet_address"], WALLET,
            "{kind}: in its canonical spelling"
        );
        let events = |world: &mut World| {
            let log = "/v1/events?type=Customer&action=Updated";
            world.keyed(&shop, "GET", log, Value::Null).data()["total"].clone()
        };
        assert_eq!(events(&mut world), 1, "{kind}");
        world.keyed(&shop, "PATCH", &path, change);
        assert_eq!(events(&mut world), 1, "{kind}: nothing changed, no event");

        // A raw UUID names the customer too.
        let uuid = id.strip_prefix("cus_").expect("a prefix");
        let read = world.read(&shop, &format!("/v1/customers/{uuid}"));
        assert_eq!(read["id"], *id, "{kind}");

        for search in ["zoe", "ANGSTROM", "Zoë", "c-1", "tea.example"] {
            let target = format!("/v1/customers?search={search}");
            let found = world.read(&shop, &target);
            assert_eq!(found["total"], 1, "{kind}: {search}");
        }
        let nobody = world.read(&shop, "/v1/customers?search=%25");
        assert_eq!(nobody["total"], 0, "{kind}: pattern characters are literal");

        let other = customer(&mut world, &shop, "Bo", "bo@tea.example");
        let taken = json!({ "customer_ident": "C-1" });
        let taken = world.keyed(&shop, "PATCH", &format!("/v1/customers/{other}"), taken);
        assert_eq!(
            taken.refusal(),
            "409 ALREADY_EXISTS customer_ident",
            "{kind}"
        );
    });
}

#[test]
fn a_payer_with_a_customers_contact_data_is_a_new_customer() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let ada = customer(&mut world, &shop, "Ada", "Ada@tea.example");
        let path = format!("/v1/customers/{ada}");
        let named = json!({ "customer_ident": "A-1" });
        assert_eq!(world.keyed(&shop, "PATCH", &path, named).status, 200);
        let before = world.read(&shop, &path);
        let typed = customer(&mut world, &shop, "Ada", "ada@TEA.example");
        assert_ne!(typed, ada, "{kind}: the address is unproven");

        let asks = json!({ "amount": "5", "currency": "USDC", "name": "Tea",
            "metadata": { "customer_ident_collection": true } });
        let link = world.post(&shop, "/v1/paylinks", asks).id();
        let payer = json!({ "chain_id": 8453, "currency": "USDC", "customer_ident": "A-1" });
        let begun = world.public("POST", &format!("/v1/checkout/{link}/payments"), payer);
        assert_eq!(begun.status, 201, "{kind}: {}", begun.body);
        let payment = text(begun.data(), "payment_id");
        let payment = world.read(&shop, &format!("/v1/payments/{payment}"));
        assert_ne!(
            payment["customer_id"],
            ada.as_str(),
            "{kind}: nor by number"
        );
        assert_eq!(payment["customer"]["reference"], Value::Null, "{kind}");
        assert_eq!(payment["metadata"]["customer_ident"], "A-1", "{kind}");
        assert_eq!(world.read(&shop, &path), before, "{kind}");
        let all = world.read(&shop, "/v1/customers");
        assert_eq!(all["total"], 3, "{kind}: {all}");
    });
}

#[test]
fn a_text_with_a_nul_is_refused() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let id = customer(&mut world, &shop, "Zoë", "zoe@tea.example");
        let path = format!("/v1/customers/{id}");
        let before = world.keyed(&shop, "GET", &path, Value::Null);
        for (field, body) in [
            ("customer_ident", json!({ "customer_ident": "C\u{0}1" })),
            (
                "name",
                json!({ "email": "z@tea.example", "name": "Z\u{0}" }),
            ),
            ("discord", json!({ "discord": "\u{0}" })),
        ] {
            let changed = world.keyed(&shop, "PATCH", &path, body);
            let refused = format!("422 TEXT_MALFORMED {field}");
            assert_eq!(changed.refusal(), refused, "{kind}");
        }
        let after = world.keyed(&shop, "GET", &path, Value::Null);
        assert_eq!(after.body, before.body, "{kind}");
        for (path, field) in [
            ("/v1/customers?search=%00", "search"),
            ("/v1/find?text=a%00", "text"),
            ("/v1/events?document_id=%00", "document_id"),
        ] {
            let looked = world.keyed(&shop, "GET", path, Value::Null);
            let refused = format!("422 TEXT_MALFORMED {field}");
            assert_eq!(looked.refusal(), refused, "{kind} {path}");
        }
        // Other errors stay the same.
        let sign_in = json!({ "email": "a\u{0}@tea.example", "password": "whatever it is" });
        let refused = world.public("POST", "/v1/sessions", sign_in);
        assert_eq!(refused.refusal(), "422 EMAIL_MALFORMED email", "{kind}");
        let metadata = json!({ "amount": "5", "currency": "USDC", "name": "Tea", "metadata": { "a": { "b": "\u{0}" } } });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", metadata);
        assert_eq!(link.refusal(), "422 TEXT_MALFORMED metadata.a.b", "{kind}");
    });
}
