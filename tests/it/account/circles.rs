//! Automatic payouts never return to their account.

use serde_json::{Value, json};
use settlekit_tests::world::{Answer, OTHER_WALLET, Shop, WALLET, World};

use super::{account_with_wallet, sweep};

fn share(world: &mut World, shop: &Shop, reference: &str, split: Value) -> Answer {
    let body = json!({ "reference": reference, "deposit_splits": [split] });
    world.signed(shop, None, "PATCH", "/v1/accounts/virtual", body)
}

#[test]
fn swept_money_does_not_return_through_other_accounts() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let (till, at_till) = account_with_wallet(&mut world, &shop, "till");
        let (safe, at_safe) = account_with_wallet(&mut world, &shop, "safe");
        let (vault, at_vault) = account_with_wallet(&mut world, &shop, "vault");
        for (from, to) in [(till, &at_safe), (safe, &at_vault)] {
            let made = sweep(&mut world, &shop, from, "USDC", to);
            assert_eq!(made.status, 201, "{kind}: {}", made.body);
        }
        for back in [&at_safe, &at_till] {
            let refused = sweep(&mut world, &shop, vault, "USDC", back);
            assert_eq!(refused.refusal(), "422 EXCLUDED payout_address", "{kind}");
        }
        // Another currency has no such cycle.
        let other = sweep(&mut world, &shop, vault, "ETH", &at_till);
        assert_eq!(other.status, 201, "{kind}: {}", other.body);
        let outside = sweep(&mut world, &shop, vault, "USDC", &json!(WALLET));
        assert_eq!(outside.status, 201, "{kind}: {}", outside.body);
    });
}

#[test]
fn a_share_does_not_return_from_its_receiver() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let (till, at_till) = account_with_wallet(&mut world, &shop, "till");
        let (taxes, at_taxes) = account_with_wallet(&mut world, &shop, "taxes");
        let swept = sweep(&mut world, &shop, taxes, "USDC", &at_till);
        assert_eq!(swept.status, 201, "{kind}: {}", swept.body);
        for (name, whom) in [
            ("address", at_taxes.clone()),
            ("account_id", json!(taxes)),
            ("account_ref", json!("taxes")),
        ] {
            let refused = share(
                &mut world,
                &shop,
                "till",
                json!({ name: whom, "pct": "10" }),
            );
            let expected = format!("422 EXCLUDED deposit_splits[0].{name}");
            assert_eq!(refused.refusal(), expected, "{kind}");
        }
        // In reverse: an account that receives a share does not sweep it back to the source.
        let (rent, at_rent) = account_with_wallet(&mut world, &shop, "rent");
        let shared = share(
            &mut world,
            &shop,
            "till",
            json!({ "account_id": rent, "pct": "10" }),
        );
        assert_eq!(shared.status, 200, "{kind}: {}", shared.body);
        let refused = sweep(&mut world, &shop, rent, "USDC", &at_till);
        assert_eq!(refused.refusal(), "422 EXCLUDED payout_address", "{kind}");
        // An internal transfer is not a deposit and is not shared.
        let back = json!({ "address": at_till, "pct": "10" });
        let shared = share(&mut world, &shop, "rent", back);
        assert_eq!(shared.status, 200, "{kind}: {}", shared.body);
        let refused = sweep(&mut world, &shop, till, "USDC", &at_rent);
        assert_eq!(refused.refusal(), "422 EXCLUDED payout_address", "{kind}");
    });
}

#[test]
fn a_forwarding_target_is_not_added_below_its_source() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let body =
            json!({ "reference": "till", "chains": [{ "chain_id": 137, "currencies": ["USDC"] }] });
        let till = world.post(&shop, "/v1/accounts/virtual", body).id_number();
        let (safe, at_safe) = account_with_wallet(&mut world, &shop, "safe");
        for (from, to) in [(till, &at_safe), (safe, &json!(OTHER_WALLET))] {
            let made = sweep(&mut world, &shop, from, "USDC", to);
            assert_eq!(made.status, 201, "{kind}: {}", made.body);
        }
        let own = json!({ "address": OTHER_WALLET, "chain_id": 8453, "currencies": ["USDC"] });
        let mut below = own.clone();
        below["parent_account_id"] = till.into();
        let refused = world.keyed(&shop, "POST", "/v1/accounts", below);
        assert_eq!(refused.refusal(), "422 EXCLUDED address", "{kind}");
        world.post(&shop, "/v1/accounts", own);
    });
}
