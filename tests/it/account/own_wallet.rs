//! Watched wallets: one account at a time, and payments only to it.

use serde_json::{Value, json};
use settlekit_core::value::AccountId;
use settlekit_service::step::{Command, Reply};
use settlekit_tests::world::{WALLET, World};

#[test]
fn an_own_wallet_can_be_reused_after_its_account_is_deleted() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let own = json!({ "address": WALLET, "chain_id": 8453, "currencies": ["USDC"] });
        let first = world.post(&shop, "/v1/accounts", own.clone());
        let again = world.keyed(&shop, "POST", "/v1/accounts", own.clone());
        assert_eq!(again.refusal(), "409 ALREADY_EXISTS address", "{kind}");
        let path = format!("/v1/accounts/{}", first.data()["id"]);
        assert_eq!(world.keyed(&shop, "DELETE", &path, Value::Null).status, 200);

        let other = world.shop("Other", None);
        // Other watchers are not disclosed.
        world.post(&other, "/v1/accounts", own.clone());
        let second = world.post(&shop, "/v1/accounts", own).id_number();
        world.deposit(&shop, second, 8453, "USDC", "3");
        let path = format!("/v1/accounts/{second}/movement");
        let booked = world.read(&shop, &path);
        assert_eq!(booked["total"], 1, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn deposits_stay_with_their_account_after_its_wallet_is_reused() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let own = json!({ "address": WALLET, "chain_id": 8453, "currencies": ["USDC"] });
        let add = |world: &mut World| world.post(&shop, "/v1/accounts", own.clone()).id_number();
        let first = add(&mut world);
        let path = format!("/v1/accounts/{first}");
        assert_eq!(world.keyed(&shop, "DELETE", &path, Value::Null).status, 200);
        world.observe_deposit(WALLET, "0xab", "2000000", 1);
        let second = add(&mut world);
        let agreed = Command::SetFees {
            organisation: shop.id,
            account: AccountId::new(second).expect("an id"),
            payin: Some("50".to_owned()),
            payout: None,
        };
        assert_eq!(world.call(agreed), Reply::Done, "{kind}");
        world.observe_deposit(WALLET, "0xab", "2000000", 3);
        for (account, expected) in [(first, json!(["Confirmed"])), (second, json!([]))] {
            let path = format!("/v1/accounts/{account}/movement");
            let movements = world.read(&shop, &path)["items"].clone();
            let movements = movements.as_array().expect("movements");
            let statuses: Vec<&Value> = movements.iter().map(|one| &one["status"]).collect();
            assert_eq!(json!(statuses), expected, "{kind}: {account}");
        }
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}
