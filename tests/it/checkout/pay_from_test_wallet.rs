//! `POST /sandbox/checkout/payments/{payment_id}/pay`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{World, number, text};

use super::link;

/// Begins a payment over 10 USDC on Ethereum; returns its id.
fn begin(world: &mut World) -> String {
    let link = link(world, "10.00", "USDC");
    let chosen = json!({ "chain_id": 1, "currency": "USDC" });
    let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
    text(started.data(), "payment_id")
}

fn read_payment(world: &mut World, payment: &str) -> Value {
    let path = format!("/v1/checkout/payments/{payment}");
    world.public("GET", &path, Value::Null).data().clone()
}

#[test]
fn the_test_wallet_pays_the_amount_due() {
    World::each(|kind, mut world| {
        let payment = begin(&mut world);
        let pay = format!("/v1/sandbox/checkout/payments/{payment}/pay");
        let paid = world.public("POST", &pay, json!({}));
        assert_eq!(paid.status, 201, "{kind}: {}", paid.body);
        assert_eq!(paid.data()["paid_amount"], "10", "{kind}");
        assert_eq!(*paid.data(), read_payment(&mut world, &payment), "{kind}");
        let required = number(paid.data(), "confirmations_required");
        for confirmations in 0..=required {
            let now = read_payment(&mut world, &payment);
            let status = match confirmations == required {
                true => "Confirmed",
                false => "Processing",
            };
            assert_eq!(now["confirmations"], confirmations, "{kind}");
            assert_eq!(now["status"], status, "{kind}: {confirmations}");
            // Ethereum's simulated blocks come each second.
            world.pass_and_work(Duration::from_secs(1));
        }
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn an_amount_that_cannot_be_sent_is_refused_and_nothing_is_sent() {
    World::each(|kind, mut world| {
        let payment = begin(&mut world);
        let pay = format!("/v1/sandbox/checkout/payments/{payment}/pay");
        for (amount, refusal) in [
            (json!("0"), "422 NOT_POSITIVE amount"),
            (json!("-1"), "422 NOT_POSITIVE amount"),
            (json!("0.0000001"), "422 AMOUNT_TOO_MANY_DECIMALS amount"),
            (json!("ten"), "400 AMOUNT_MALFORMED amount"),
            (json!(10), "400 WRONG_TYPE amount"),
        ] {
            let refused = world.public("POST", &pay, json!({ "amount": amount }));
            assert_eq!(refused.refusal(), refusal, "{kind}: {amount}");
        }
        let still = read_payment(&mut world, &payment);
        assert_eq!(still["paid_amount"], "0", "{kind}");
        assert_eq!(still.get("transaction_hash"), None, "{kind}");
    });
}

#[test]
fn the_test_wallet_refuses_paid_canceled_and_unknown_payments() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let mut begin = || {
            let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
            world.create(&shop, "/v1/payments", body).id()
        };
        let (paid, canceled) = (begin(), begin());
        let pay = |world: &mut World, id: &str| {
            let path = format!("/v1/sandbox/checkout/payments/{id}/pay");
            world.public("POST", &path, json!({})).refusal()
        };
        let path = format!("/v1/payments/{canceled}");
        assert_eq!(world.keyed(&shop, "DELETE", &path, Value::Null).status, 200);
        assert_eq!(pay(&mut world, &canceled), "409 STATE_FORBIDS", "{kind}");
        assert_eq!(pay(&mut world, &paid), "201 ", "{kind}");
        let twice = pay(&mut world, &paid);
        assert_eq!(
            twice, "409 STATE_FORBIDS",
            "{kind}: everything is on its way"
        );
        world.pass_and_work(Duration::from_secs(10));
        assert_eq!(pay(&mut world, &paid), "409 STATE_FORBIDS", "{kind}");
        let unknown = "pay_019cade5a0007000800000000000dead";
        assert_eq!(pay(&mut world, unknown), "404 NOT_FOUND", "{kind}");
        let movements = world.list(&shop, "/v1/movements");
        assert_eq!(movements.len(), 1, "{kind}: {movements:?}");
    });
}
