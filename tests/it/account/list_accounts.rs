//! `GET /accounts`.

use serde_json::Value;
use settlekit_tests::world::{World, number, text};

use super::{chains, virtual_account};

#[test]
fn sub_accounts_and_deleted_accounts_are_listed_too() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = virtual_account(&mut world, &shop, "till");
        let spare = world.account(&shop, "spare", 8453, &["USDC"]);
        let path = format!("/v1/accounts/{spare}");
        let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
        let listed = world.list(&shop, "/v1/accounts");
        let shown = listed.iter();
        let shown: Vec<_> = shown
            .map(|account| (number(account, "id"), text(account, "state")))
            .collect();
        let mut expected = vec![till.id_number()];
        expected.extend(chains(till.data()).iter().map(|(_, id)| *id));
        let mut expected: Vec<_> = expected
            .into_iter()
            .map(|id| (id, "Active".to_owned()))
            .collect();
        expected.push((spare, "Deleted".to_owned()));
        assert_eq!(shown, expected, "{kind}");
        let deleted_at = &deleted.data()["deleted_at"];
        assert_eq!(listed[3]["deleted_at"], *deleted_at, "{kind}");
    });
}

#[test]
fn accounts_of_another_organisation_are_not_listed() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        world.account(&shop, "till", 8453, &["USDC"]);
        let own = world.account(&other, "till", 8453, &["USDC"]);
        let listed = world.list(&other, "/v1/accounts");
        assert_eq!(listed.len(), 1, "{kind}");
        assert_eq!(number(&listed[0], "id"), own, "{kind}");
    });
}
