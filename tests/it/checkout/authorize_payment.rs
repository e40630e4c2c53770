//! `POST /checkout/payments/{payment_id}/authorizations`.
//!
//! What the chain makes of authorizations is in `chain/authorizations.rs`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{Answer, World, text};

use super::link;

/// Begins a payment over 10 in a currency on Ethereum; returns its id.
fn begin(world: &mut World, currency: &str) -> String {
    let link = link(world, "10.00", currency);
    let chosen = json!({ "chain_id": 1, "currency": currency });
    let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
    text(started.data(), "payment_id")
}

fn read(world: &mut World, payment: &str) -> Value {
    let path = format!("/v1/checkout/payments/{payment}");
    world.public("GET", &path, Value::Null).data().clone()
}

fn give(world: &mut World, payment: &str, body: &Value) -> Answer {
    let path = format!("/v1/checkout/payments/{payment}/authorizations");
    world.public("POST", &path, body.clone())
}

#[test]
fn a_signed_transfer_pays_what_is_due_once_in_a_sandbox() {
    World::each(|kind, mut world| {
        let payment = begin(&mut world, "USDC");
        let payer = Wallet::new([7; 32]);
        let body = payer.authorize(&read(&mut world, &payment)["authorization"], 1);
        let given = give(&mut world, &payment, &body);
        assert_eq!(given.status, 202, "{kind}: {}", given.body);
        assert_eq!(given.data()["paid_amount"], "10", "{kind}");
        assert_eq!(given.data()["authorization_status"], "Executed", "{kind}");
        assert!(given.data().get("authorization").is_none(), "{kind}");
        let again = give(&mut world, &payment, &body);
        assert_eq!(again.refusal(), "409 STATE_FORBIDS", "{kind}");
        world.pass_and_work(Duration::from_secs(600));
        let paid = read(&mut world, &payment);
        assert_eq!(paid["status"], "Confirmed", "{kind}");
        assert_eq!(paid["paid_amount"], "10", "{kind}");
    });
}

#[test]
fn all_that_differs_from_what_is_asked_for_is_told_at_once_and_changes_nothing() {
    World::each(|kind, mut world| {
        let payment = begin(&mut world, "USDC");
        let mut body =
            Wallet::new([7; 32]).authorize(&read(&mut world, &payment)["authorization"], 1);
        body["value"] = json!("9999999");
        body["valid_after"] = json!(4_000_000_000_u64);
        body["valid_before"] = json!(5);
        let refused = give(&mut world, &payment, &body);
        assert_eq!(
            refused.refusal(),
            "422 AUTHORIZATION_AMOUNT value, AUTHORIZATION_NOT_VALID_NOW valid_after, \
             AUTHORIZATION_NOT_VALID_NOW valid_before, AUTHORIZATION_UNSIGNED signature",
            "{kind}"
        );
        assert_eq!(read(&mut world, &payment)["paid_amount"], "0", "{kind}");
    });
}

#[test]
fn a_token_without_signed_transfers_takes_none() {
    World::each(|kind, mut world| {
        let usdc = begin(&mut world, "USDC");
        let body = Wallet::new([7; 32]).authorize(&read(&mut world, &usdc)["authorization"], 1);
        let payment = begin(&mut world, "ETH");
        assert!(read(&mut world, &payment).get("authorization").is_none());
        let refused = give(&mut world, &payment, &body);
        assert_eq!(refused.refusal(), "422 NOT_SUPPORTED", "{kind}");
    });
}
