//! `GET /partners/accounts/{account_ref}`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

#[test]
fn a_partner_reads_an_account_without_a_reference_by_its_id() {
    World::each(|kind, mut world| {
        let partner = world.shop("Partner", None);
        let shop = world.shop("Shop", Some(partner.id));
        let body = json!({ "chain_id": 8453, "currencies": ["USDC"] });
        let id = world.post(&shop, "/v1/accounts", body).id_number();
        world.deposit(&shop, id, 8453, "USDC", "3");
        let path = format!("/v1/partners/accounts/{id}");
        let read = world.signed(&partner, Some(shop.id), "GET", &path, Value::Null);
        assert_eq!(read.data()["id"], id, "{kind}: {}", read.body);
        let path = format!("{path}/balances");
        let held = world.signed(&partner, Some(shop.id), "GET", &path, Value::Null);
        let amount = &held.data()["balances"][0]["amount"];
        assert_eq!(*amount, "3", "{kind}: {}", held.body);
        // Another organisation's account is not found.
        let own = world.signed(&partner, None, "GET", &path, Value::Null);
        assert_eq!(own.refusal(), "404 NOT_FOUND", "{kind}");
    });
}
