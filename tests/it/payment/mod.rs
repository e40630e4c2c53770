//! Payments.

mod cancel_payment;
mod create_payment;
mod get_payment;
mod get_payment_timeline;
mod list_payments;
mod refund_payment;
mod settlement;

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::step::Reply;
use settlekit_tests::world::{Answer, Shop, World, text};

/// An unpaid payment over 10 USDC.
struct Due {
    shop: Shop,
    path: String,
    pay: String,
}

fn due(world: &mut World) -> Due {
    let shop = world.shop_with_till("Shop");
    let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
    let id = world.post(&shop, "/v1/payments", body).id();
    Due {
        path: format!("/v1/payments/{id}"),
        pay: format!("/v1/sandbox/checkout/payments/{id}/pay"),
        shop,
    }
}

fn send(world: &mut World, due: &Due, amounts: &[&str]) {
    for amount in amounts {
        let sent = world.public("POST", &due.pay, json!({ "amount": amount }));
        assert_eq!(sent.status, 201, "{}", sent.body);
    }
    pass(world, 10);
}

fn pass(world: &mut World, seconds: u64) {
    world.pass_and_work(Duration::from_secs(seconds));
}

/// Status, reason and paid amount.
fn state_of(world: &mut World, due: &Due) -> (Value, Value, Value) {
    let read = world.read(&due.shop, &due.path);
    let payment = &read;
    (
        payment["status"].clone(),
        payment["reason"].clone(),
        payment["paid_amount"].clone(),
    )
}

fn refund(world: &mut World, due: &Due, body: Value) -> Answer {
    let path = format!("{}/refunds", due.path);
    world.signed(&due.shop, None, "POST", &path, body)
}

/// Refunds, and waits until the payouts are confirmed; returns the payment.
fn refunded(world: &mut World, due: &Due, body: Value) -> Value {
    let back = refund(world, due, body);
    assert_eq!(back.status, 201, "{}", back.body);
    settle_payouts(world);
    world.read(&due.shop, &due.path)
}

/// Sends payouts, and waits for their confirmations.
fn settle_payouts(world: &mut World) {
    world.work();
    pass(world, 10);
}

/// Another final transaction to the payment's address.
fn observe(world: &mut World, due: &Due, currency: &str, units: &str) {
    let read = world.read(&due.shop, &due.path);
    let to = text(&read, "deposit_address");
    let final_transfer = world.transfer(8453, currency, (&to, &format!("0x{units}"), units));
    let observed = world.observe(8453, final_transfer, 100);
    assert!(matches!(observed, Reply::Observed { .. }), "{observed:?}");
}
