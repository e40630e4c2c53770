//! `GET /checkout/payments/{payment_id}`.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::{WALLET, World, text};

use super::link;

#[test]
fn a_partly_paid_checkout_shows_the_remaining_amount() {
    World::each(|kind, mut world| {
        let link = link(&mut world, "10.00", "USDC");
        let chosen = json!({ "chain_id": 1, "currency": "USDC" });
        let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
        let asked = |answer: &Value| {
            let uri = text(answer, "payment_uri");
            uri.rsplit('=').next().expect("an amount").to_owned()
        };
        assert_eq!(asked(started.data()), "10000000", "{kind}");
        let id = text(started.data(), "payment_id");
        let pay = format!("/v1/sandbox/checkout/payments/{id}/pay");
        let paid = world.public("POST", &pay, json!({ "amount": "4.25" }));
        assert_eq!(asked(paid.data()), "5750000", "{kind}");
        let rest = world.public("POST", &pay, json!({}));
        assert_eq!(rest.data()["paid_amount"], "10", "{kind}");
        assert_eq!(
            asked(rest.data()),
            "10000000",
            "{kind}: everything, if nothing is due"
        );
    });
}

#[test]
fn a_checkout_does_not_show_payouts() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Tea", None);
    let till = world.account(&shop, "till", 8453, &["USDC"]);
    world.deposit(&shop, till, 8453, "USDC", "50");
    let body = json!({ "account": till, "chain_id": 8453, "currency": "USDC", "amount": "10",
        "address": WALLET });
    let payout = world.signed(&shop, None, "POST", "/v1/payouts", body);
    let id = payout.id();
    for (method, path) in [
        ("GET", format!("/v1/checkout/payments/{id}")),
        ("POST", format!("/v1/sandbox/checkout/payments/{id}/pay")),
    ] {
        let body = if method == "GET" {
            Value::Null
        } else {
            json!({})
        };
        let answer = world.public(method, &path, body);
        assert_eq!(answer.refusal(), "404 NOT_FOUND", "{method}");
    }
}
