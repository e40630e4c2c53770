//! `PATCH /accounts/virtual`.

use serde_json::{Value, json};
use settlekit_tests::world::{Shop, WALLET, World};

use super::{chains, virtual_account};

#[test]
fn the_chains_of_a_virtual_account_are_added_enabled_and_disabled() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        virtual_account(&mut world, &shop, "till");
        let change = |world: &mut World, body: Value| {
            world.keyed(&shop, "PATCH", "/v1/accounts/virtual", body)
        };
        // Without a reference: the organisation's primary virtual account.
        let added = change(
            &mut world,
            json!({ "chains": [{ "chain_id": 137, "currencies": ["POL"] }, { "chain_id": 8453, "currencies": ["ETH"] }] }),
        );
        assert_eq!(added.status, 200, "{kind}: {}", added.body);
        let below = added.data()["sub_accounts"].clone();
        assert_eq!(
            below[1]["currencies"],
            json!(["ETH", "USDC"]),
            "{kind}: added, not replaced"
        );
        assert_eq!(below[2]["chain_id"], 137, "{kind}");

        let disabled = change(&mut world, json!({ "disable_chains": [8453] }));
        assert_eq!(
            disabled.data()["sub_accounts"][1]["enabled"],
            false,
            "{kind}"
        );
        let pay = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453, "account": "till" });
        let refused = world.keyed(&shop, "POST", "/v1/payments", pay.clone());
        assert_eq!(refused.refusal(), "422 NOT_SUPPORTED account", "{kind}");

        let enabled = change(
            &mut world,
            json!({ "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] }),
        );
        assert_eq!(enabled.data()["sub_accounts"][1]["enabled"], true, "{kind}");
        assert_eq!(
            world.keyed(&shop, "POST", "/v1/payments", pay).status,
            201,
            "{kind}"
        );

        for (body, refusal) in [
            (
                json!({ "disable_chains": [10, 1] }),
                "422 REFERENCE_UNKNOWN disable_chains[0]",
            ),
            (
                json!({ "chains": [{ "chain_id": 99, "currencies": ["ETH"] }, { "chain_id": 10, "currencies": ["ETH", "DOGE"] }] }),
                "422 NOT_SUPPORTED chains[0].chain_id, NOT_SUPPORTED chains[1].currencies[1]",
            ),
            (
                json!({ "deposit_splits": [{ "account_ref": "nobody", "pct": "10" }] }),
                "422 REFERENCE_UNKNOWN deposit_splits[0].account_ref",
            ),
            (
                json!({ "reference": "other", "disable_chains": [1] }),
                "404 NOT_FOUND",
            ),
        ] {
            assert_eq!(
                change(&mut world, body.clone()).refusal(),
                refusal,
                "{kind} {body}"
            );
        }
        let again = virtual_account(&mut world, &shop, "till");
        assert_eq!(again.refusal(), "409 ALREADY_EXISTS reference", "{kind}");
    });
}

#[test]
fn an_added_chain_records_its_author() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        virtual_account(&mut world, &shop, "till");
        let other = Shop {
            key: world.another_key(shop.id),
            ..shop.clone()
        };
        let body = json!({ "chains": [{ "chain_id": 137, "currencies": ["USDC"] }] });
        let added = world.keyed(&other, "PATCH", "/v1/accounts/virtual", body);
        let (_, added) = chains(added.data())[2];
        let own = world.account(&other, "own", 137, &["USDC"]);
        let by = |world: &mut World, id: i64| {
            let path = format!("/v1/accounts/{id}");
            let found = world.read(&shop, &path);
            found["created_by"].clone()
        };
        assert_eq!(by(&mut world, added), by(&mut world, own), "{kind}");
    });
}

#[test]
fn a_share_for_an_outside_wallet_needs_the_payout_scope() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.scoped(&shop, &["read", "write"]);
        let path = "/v1/accounts/virtual";
        let share = |pct: &str| json!([{ "address": WALLET, "pct": pct }]);
        let mut body = json!({ "reference": "till", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] });
        body["deposit_splits"] = share("100");
        let refused = world.signed(&till, None, "POST", path, body.clone());
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        body["deposit_splits"] = share("10");
        let unsigned = world.keyed(&shop, "POST", path, body.clone());
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        world.create(&shop, path, body);
        let mut change = |pct: &str| {
            let body = json!({ "reference": "till", "deposit_splits": share(pct) });
            world.signed(&till, None, "PATCH", path, body)
        };
        assert_eq!(change("10").status, 200, "{kind}: unchanged");
        assert_eq!(change("11").refusal(), "403 SCOPE_MISSING", "{kind}");
        let twice = [share("10"), share("10")].map(|one| one[0].clone());
        let twice = json!({ "reference": "till", "deposit_splits": twice });
        let more = world.signed(&till, None, "PATCH", path, twice.clone());
        assert_eq!(more.refusal(), "403 SCOPE_MISSING", "{kind}: once more");
        let owner = world.sign_in(&shop, "owner@example.com");
        let more = world.session(&owner, "PATCH", path, twice.clone());
        assert_eq!(more.refusal(), "401 STEP_UP_REQUIRED", "{kind}: once more");
        let unsigned = world.keyed(&shop, "PATCH", path, twice.clone());
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        let signed = world.signed(&shop, None, "PATCH", path, twice);
        assert_eq!(signed.status, 200, "{kind}: {}", signed.body);
    });
}
