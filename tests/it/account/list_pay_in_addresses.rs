//! `GET /accounts/{account}/pay-in-addresses`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

#[test]
fn the_addresses_of_an_account_are_listed_by_its_id_and_its_reference() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        world.account(&shop, "safe", 8453, &["USDC"]);
        let mut create = |account: &str, customer: &str| {
            let path = format!("/v1/accounts/{account}/pay-in-addresses");
            let body = json!({ "chain_id": 8453, "reference": customer });
            world.create(&shop, &path, body).data().clone()
        };
        let of_till = ["ada", "bo", "cy"].map(|customer| create("till", customer));
        let of_safe = [create("safe", "dee")];
        let id = till.to_string();
        for (account, expected) in [
            ("till", &of_till[..]),
            (&id, &of_till[..]),
            ("safe", &of_safe[..]),
        ] {
            let path = format!("/v1/accounts/{account}/pay-in-addresses");
            assert_eq!(world.list(&shop, &path), expected, "{kind}: {account}");
        }
    });
}

#[test]
fn addresses_of_an_account_of_another_organisation_are_not_listed() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let path = format!("/v1/accounts/{till}/pay-in-addresses");
        world.create(&shop, &path, json!({ "chain_id": 8453 }));
        for path in [&path, "/v1/accounts/till/pay-in-addresses"] {
            let listed = world.keyed(&other, "GET", path, Value::Null);
            assert_eq!(listed.refusal(), "404 NOT_FOUND", "{kind}: {path}");
        }
    });
}
