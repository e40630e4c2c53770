//! `GET /accounts/{account}`.

use serde_json::{Value, json};
use settlekit_tests::world::World;

use super::{chains, virtual_account};

#[test]
fn an_account_is_read_by_its_id_and_its_reference_with_its_parent_and_sub_accounts() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let made = virtual_account(&mut world, &shop, "till");
        for key in [made.data()["id"].to_string(), "till".to_owned()] {
            let read = world.read(&shop, &format!("/v1/accounts/{key}"));
            assert_eq!(read, *made.data(), "{kind}: {key}");
        }
        for (chain, id) in chains(made.data()) {
            let read = world.read(&shop, &format!("/v1/accounts/{id}"));
            assert_eq!(read["chain"]["id"], chain, "{kind}");
            assert_eq!(read["parent_id"], made.data()["id"], "{kind}");
            assert_eq!(read["parent"]["reference"], "till", "{kind}");
            assert_eq!(read["sub_accounts"], json!([]), "{kind}");
        }
    });
}

#[test]
fn an_account_of_another_organisation_is_not_found() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        for key in [till.to_string(), "till".to_owned()] {
            let path = format!("/v1/accounts/{key}");
            let read = world.keyed(&other, "GET", &path, Value::Null);
            assert_eq!(read.refusal(), "404 NOT_FOUND", "{kind}: {key}");
        }
        // A reference is each organisation's own.
        let own = world.account(&other, "till", 8453, &["USDC"]);
        assert_eq!(world.read(&other, "/v1/accounts/till")["id"], own, "{kind}");
        assert_eq!(world.read(&shop, "/v1/accounts/till")["id"], till, "{kind}");
    });
}

#[test]
fn a_deleted_account_is_read_by_its_id_only() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let path = format!("/v1/accounts/{till}");
        let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(deleted.data()["state"], "Deleted", "{kind}");
        assert_eq!(world.read(&shop, &path), *deleted.data(), "{kind}");
        let named = world.keyed(&shop, "GET", "/v1/accounts/till", Value::Null);
        assert_eq!(named.refusal(), "404 NOT_FOUND", "{kind}");
    });
}
