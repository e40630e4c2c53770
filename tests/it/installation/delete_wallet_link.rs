//! `DELETE /installation/wallet-links/{name}`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

use super::{WALLET_LINKS, operator, wallet_links};

#[test]
fn a_removed_link_is_gone_until_it_is_added_again() {
    World::each(|kind, mut world| {
        let (_, olga) = operator(&mut world);
        let delete = |world: &mut World, name: &str| {
            let path = format!("{WALLET_LINKS}/{name}");
            world.session_with_step_up(&olga, "DELETE", &path, Value::Null)
        };
        let names = |links: &Value| {
            let links = links.as_array().expect("a list").iter();
            links
                .map(|link| link["name"].as_str().expect("a name").to_owned())
                .collect::<Vec<_>>()
        };
        let answer = delete(&mut world, "coinbase%20wallet");
        assert_eq!(answer.status, 200, "{kind}: {}", answer.body);
        let left = ["MetaMask", "Trust Wallet", "OKX Wallet"];
        assert_eq!(names(answer.data()), left, "{kind}");
        let again = delete(&mut world, "Coinbase%20Wallet");
        assert_eq!(again.refusal(), "404 NOT_FOUND", "{kind}");
        let body =
            json!({ "name": "Coinbase Wallet", "template": "cbwallet://dapp?url={page_url}" });
        let added = world.session_with_step_up(&olga, "POST", WALLET_LINKS, body);
        assert_eq!(added.data()[3]["name"], "Coinbase Wallet", "{kind}");
        // An empty list is a choice, too.
        for name in [
            "MetaMask",
            "Trust%20Wallet",
            "OKX%20Wallet",
            "Coinbase%20Wallet",
        ] {
            assert_eq!(delete(&mut world, name).status, 200, "{kind}: {name}");
        }
        assert_eq!(wallet_links(&mut world, &olga), json!([]), "{kind}");
    });
}
