//! `POST /checkout/{paylink_id}/payments`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World, request, text};

use super::{club, link, list, next_invoice, pay, start};

#[test]
fn a_converted_price_is_rounded_up_to_eight_decimal_places() {
    let mut world = World::new(database::sqlite());
    let link = link(&mut world, "12.50", "USDC");
    let shown = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
    let options: Vec<String> = shown.data()["options"]
        .as_array()
        .expect("options")
        .iter()
        .map(|option| format!("{} {}", text(option, "amount"), text(option, "currency")))
        .collect();
    // 12.50 / 3200 is exact; 12.50 / 0.45 is 27.777…
    assert_eq!(
        options,
        [
            "12.50 USDC",
            "0.00390625 ETH",
            "12.50 USDC",
            "27.77777778 POL"
        ]
    );
}

/// A club whose first period is paid, with the paylink of its second.
fn second_period(world: &mut World) -> (Shop, String) {
    let (shop, link) = club(world, &json!({}));
    let first = start(world, &link);
    pay(world, &first);
    let link = next_invoice(world, &shop);
    (shop, link)
}

#[test]
fn an_invoice_checkout_can_restart_until_money_is_on_its_way() {
    World::each(|kind, mut world| {
        let (shop, link) = second_period(&mut world);
        let link = link.as_str();
        let invoice = |world: &mut World| list(world, &shop, "/v1/invoices?limit=1").remove(0);
        let state = |world: &mut World| {
            let shown = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
            shown.data()["state"].clone()
        };
        let status = |world: &mut World, payment: &Value| {
            let id = text(payment, "payment_id");
            let path = format!("/v1/payments/{id}");
            let found = world.read(&shop, &path);
            [&found["status"], &found["reason"]].map(Value::clone)
        };
        let left = start(&mut world, link);
        assert_eq!(state(&mut world), "Open", "{kind}");
        let begun = start(&mut world, link);
        assert_eq!(status(&mut world, &left)[0], "Expired", "{kind}");

        let id = text(&begun, "payment_id");
        let path = format!("/v1/sandbox/checkout/payments/{id}/pay");
        assert_eq!(world.public("POST", &path, json!({})).status, 201, "{kind}");
        assert_eq!(state(&mut world), "Paid", "{kind}: money is on its way");
        let payer = json!({ "chain_id": 8453, "currency": "USDC" });
        let path = format!("/v1/checkout/{link}/payments");
        let third = world.public("POST", &path, payer.clone());
        assert_eq!(third.refusal(), "409 PAYLINK_CLOSED", "{kind}");
        world.pass_and_work(Duration::from_secs(10));
        assert_eq!(status(&mut world, &begun)[0], "Confirmed", "{kind}");
        assert_eq!(invoice(&mut world)["payment_status"], "Succeeded", "{kind}");
        let fourth = world.public("POST", &path, payer);
        assert_eq!(fourth.refusal(), "409 PAYLINK_CLOSED", "{kind}");
        // Money for the abandoned payment buys nothing.
        pay(&mut world, &left);
        let in_vain = [json!("Expired"), json!("PaidLate")];
        assert_eq!(status(&mut world, &left), in_vain, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn an_invoice_is_paid_by_its_first_payment_after_a_restart() {
    World::each(|kind, mut world| {
        let (shop, link) = second_period(&mut world);
        let link = link.as_str();
        let (left, begun) = (start(&mut world, link), start(&mut world, link));
        pay(&mut world, &left);
        let mut state = |payment: &Value| {
            let id = text(payment, "payment_id");
            let found = world.read(&shop, &format!("/v1/payments/{id}"));
            [&found["status"], &found["reason"]].map(Value::clone)
        };
        let late = [json!("Confirmed"), json!("PaidLate")];
        assert_eq!(state(&left), late, "{kind}");
        assert_eq!(state(&begun)[0], "Expired", "{kind}");
        pay(&mut world, &begun);
        let invoice = list(&mut world, &shop, "/v1/invoices?limit=1").remove(0);
        assert_eq!(invoice["payment_status"], "Succeeded", "{kind}");
        let in_vain = list(&mut world, &shop, "/v1/payments?status=Expired").remove(0);
        assert_eq!(in_vain["id"], begun["payment_id"], "{kind}");
        assert_eq!(in_vain["reason"], "PaidLate", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_payers_idempotency_key_starts_one_payment() {
    World::each(|kind, mut world| {
        let link = link(&mut world, "10.00", "USDC");
        let path = format!("/v1/checkout/{link}/payments");
        let mut begin = |key: &str, chain: i64| {
            let body = json!({ "chain_id": chain, "currency": "USDC" });
            let headers = vec![(header::IDEMPOTENCY_KEY.to_owned(), key.to_owned())];
            world.send(request("POST", &path, &body, headers))
        };
        let own = "5f0c9d2a4be7418e";
        let first = begin(own, 1);
        assert_eq!(first.status, 201, "{kind}: {}", first.body);
        let again = begin(own, 1);
        assert_eq!((again.status, &again.body), (201, &first.body), "{kind}");
        assert_eq!(again.header(header::IDEMPOTENT_REPLAYED), Some("true"));
        assert_eq!(
            begin(own, 137).refusal(),
            "422 IDEMPOTENCY_KEY_REUSED",
            "{kind}"
        );
        // A key shorter than 16 characters is ignored.
        let (one, other) = (begin("pay", 1), begin("pay", 1));
        assert_ne!(
            one.data()["payment_id"],
            other.data()["payment_id"],
            "{kind}"
        );
    });
}
