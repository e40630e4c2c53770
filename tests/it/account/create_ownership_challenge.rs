//! `POST /accounts/{account}/ownership/challenge`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::{World, text};

use super::{challenge, claim, prove, prove_wallet, wallet};

#[test]
fn a_challenge_names_the_wallet_and_says_that_signing_moves_no_money() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let address = wallet().address();
        let account = claim(&mut world, &shop, &address);
        let path = format!("/v1/accounts/{account}/ownership/challenge");
        let challenge = world.create(&shop, &path, Value::Null);
        let expires_at = world.now.plus(Duration::from_secs(15 * 60)).to_string();
        for (field, value) in [
            ("account_id", json!(account)),
            ("address", json!(address)),
            ("chain_id", json!(8453)),
            ("expires_at", json!(expires_at)),
        ] {
            assert_eq!(challenge.data()[field], value, "{kind}: {field}");
        }
        let message = text(challenge.data(), "message");
        let lines: Vec<&str> = message.lines().collect();
        for line in [
            "Prove that this wallet belongs to Shop.",
            "Signing moves no money and allows nobody to move any.",
            &format!("Organisation: {}", shop.id),
            &format!("Account: {account}"),
            &format!("Address: {address}"),
            "Chain: Base (8453)",
            &format!("Issued at: {}", world.now),
            &format!("Expires at: {expires_at}"),
        ] {
            assert!(lines.contains(&line), "{kind}: {line} in {message}");
        }
    });
}

#[test]
fn an_organisations_name_adds_no_line_to_a_challenge() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop\nAddress: none", None);
    let account = claim(&mut world, &shop, &wallet().address());
    let message = challenge(&mut world, &shop, account);
    let first = "Prove that this wallet belongs to Shop Address: none.";
    assert_eq!(message.lines().next(), Some(first));
}

#[test]
fn a_refused_challenge_leaves_the_previous_one_valid() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let account = claim(&mut world, &shop, &wallet().address());
        let signature = wallet().sign(&challenge(&mut world, &shop, account));
        let path = format!("/v1/accounts/{account}/ownership/challenge");
        let other = world.shop("Other", None);
        let foreign = world.keyed(&other, "POST", &path, Value::Null);
        assert_eq!(foreign.refusal(), "404 NOT_FOUND", "{kind}");
        let reader = world.scoped(&shop, &["read"]);
        let unscoped = world.keyed(&reader, "POST", &path, Value::Null);
        assert_eq!(unscoped.refusal(), "403 SCOPE_MISSING", "{kind}");
        let done = prove(&mut world, &shop, account, &signature);
        assert_eq!(done.status, 200, "{kind}: {}", done.body);
    });
}

#[test]
fn a_proven_deleted_or_managed_wallet_gets_no_challenge() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let account = claim(&mut world, &shop, &wallet().address());
        prove_wallet(&mut world, &shop, account, &wallet());
        let held = world.account(&shop, "till", 8453, &["USDC"]);
        let ask = |world: &mut World, account: i64| {
            let path = format!("/v1/accounts/{account}/ownership/challenge");
            world.keyed(&shop, "POST", &path, Value::Null).refusal()
        };
        assert_eq!(ask(&mut world, account), "409 STATE_FORBIDS", "{kind}");
        assert_eq!(ask(&mut world, held), "409 STATE_FORBIDS", "{kind}");
        let path = format!("/v1/accounts/{account}");
        assert_eq!(world.keyed(&shop, "DELETE", &path, Value::Null).status, 200);
        assert_eq!(ask(&mut world, account), "404 NOT_FOUND", "{kind}");
    });
}
