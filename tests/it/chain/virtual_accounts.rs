//! Virtual accounts on connected chains.

use serde_json::{Value, json};
use settlekit_tests::chain::Connected;
use settlekit_tests::world::texts;

#[test]
fn a_virtual_account_has_one_address_on_all_evm_chains() {
    Connected::each(|kind, mut connected| {
        let base = connected.chain.id;
        connected.chain.id = "137".parse().expect("a chain");
        connected.connect();
        connected.chain.id = base;
        let shop = connected.world.shop("Shop", None);
        let on = |chain: i64| json!({ "chain_id": chain, "currencies": ["USDC"] });
        let body = json!({ "reference": "till", "chains": [on(8453)] });
        let made = connected.world.post(&shop, "/v1/accounts/virtual", body);
        let first = texts(
            made.data()["sub_accounts"].as_array().expect("chains"),
            "address",
        );
        let body = json!({ "reference": "till", "chains": [on(137)] });
        let path = "/v1/accounts/virtual";
        let added = connected.world.keyed(&shop, "PATCH", path, body.clone());
        assert_eq!(added.status, 200, "{kind}: {}", added.body);
        let both = added.data()["sub_accounts"].as_array().expect("chains");
        assert_eq!(
            texts(both, "address"),
            [first[0].clone(), first[0].clone()],
            "{kind}"
        );
        // A deleted account keeps its address, so its successor has another.
        let polygon = both[1]["id"].clone();
        let gone = connected.world.keyed(
            &shop,
            "DELETE",
            &format!("/v1/accounts/{polygon}"),
            Value::Null,
        );
        assert_eq!(gone.status, 200, "{kind}: {}", gone.body);
        let again = connected.world.keyed(&shop, "PATCH", path, body);
        assert_eq!(again.status, 200, "{kind}: {}", again.body);
        let both = again.data()["sub_accounts"].as_array().expect("chains");
        let addresses = texts(both, "address");
        assert_eq!(addresses[0], first[0], "{kind}");
        assert_ne!(addresses[1], first[0], "{kind}");
    });
}
