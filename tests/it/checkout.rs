//! The payer's page: what it asks for.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World, request};

/// A merchant on Ethereum and Polygon, and a link over an amount of a currency.
fn link(world: &mut World, amount: &str, currency: &str) -> String {
    let shop = world.shop("Prints", None);
    world.account(&shop, "prints", 1, &["USDC", "ETH"]);
    world.account(&shop, "prints", 137, &["USDC", "POL"]);
    let body = json!({ "amount": amount, "currency": currency, "name": "A print" });
    let link = world.keyed(&shop, "POST", "/v1/paylinks", body);
    assert_eq!(link.status, 201, "{}", link.body);
    link.data()["id"].as_str().expect("an id").to_owned()
}

#[test]
fn whoever_has_sent_a_part_is_asked_for_the_rest() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let link = link(&mut world, "10.00", "USDC");
        let chosen = json!({ "chain_id": 1, "currency": "USDC" });
        let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
        let asked = |answer: &Value| {
            let uri = answer["payment_uri"]
                .as_str()
                .expect("an address")
                .to_owned();
            uri.rsplit('=').next().expect("an amount").to_owned()
        };
        assert_eq!(asked(started.data()), "10000000", "{kind}");
        let id = started.data()["payment_id"].as_str().expect("an id");
        let pay = format!("/v1/sandbox/checkout/payments/{id}/pay");
        let paid = world.public("POST", &pay, json!({ "amount": "4.25" }));
        assert_eq!(asked(paid.data()), "5750000", "{kind}");
        let rest = world.public("POST", &pay, json!({}));
        assert_eq!(rest.data()["paid_amount"], "10", "{kind}");
        assert_eq!(
            asked(rest.data()),
            "10000000",
            "{kind}: the whole, when nothing is due"
        );
    });
}

#[test]
fn a_price_in_another_currency_is_rounded_up_to_eight_places_and_in_its_own_is_as_written() {
    let mut world = World::new(database::sqlite());
    let link = link(&mut world, "12.50", "USDC");
    let shown = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
    let options: Vec<String> = shown.data()["options"]
        .as_array()
        .expect("options")
        .iter()
        .map(|option| {
            let text = |value: &Value| value.as_str().expect("text").to_owned();
            format!("{} {}", text(&option["amount"]), text(&option["currency"]))
        })
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

/// A shop, and a link that is given these fields besides.
fn club(world: &mut World, fields: &Value) -> (Shop, String) {
    let shop = world.shop("Club", None);
    world.account(&shop, "till", 8453, &["USDC"]);
    let mut body = json!({ "amount": "5", "currency": "USDC", "name": "Tea club", "type": "Recurring", "interval": "Month" });
    for (name, value) in fields.as_object().expect("fields") {
        body[name] = value.clone();
    }
    let link = world.keyed(&shop, "POST", "/v1/paylinks", body);
    assert_eq!(link.status, 201, "{}", link.body);
    let id = link.data()["id"].as_str().expect("an id").to_owned();
    (shop, id)
}

fn start(world: &mut World, link: &str) -> Value {
    let payer = json!({ "chain_id": 8453, "currency": "USDC", "email": "ada@tea.example" });
    let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), payer);
    assert_eq!(started.status, 201, "{}", started.body);
    started.data().clone()
}

fn pay(world: &mut World, payment: &Value) {
    let id = payment["payment_id"].as_str().expect("an id");
    let path = format!("/v1/sandbox/checkout/payments/{id}/pay");
    let paid = world.public("POST", &path, json!({}));
    assert_eq!(paid.status, 201, "{}", paid.body);
    world.pass(Duration::from_secs(10));
    world.work();
}

fn items(world: &mut World, shop: &Shop, path: &str) -> Vec<Value> {
    let page = world.read(shop, path);
    page["items"].as_array().expect("items").clone()
}

fn advance(world: &mut World, shop: &Shop, days: i64) {
    let body = json!({ "advance_seconds": days * 24 * 60 * 60 });
    let moved = world.keyed(shop, "POST", "/v1/sandbox/clock", body);
    assert_eq!(moved.status, 200, "{}", moved.body);
}

#[test]
fn whoever_pays_through_a_recurring_link_subscribes_and_is_billed_for_the_next_period() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, link) = club(&mut world, &json!({ "available_quantity": 2 }));
        let shown = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
        assert_eq!(shown.data()["recurring_interval"], "Month", "{kind}");
        assert_eq!(shown.data()["recurring_interval_count"], 1, "{kind}");
        assert_eq!(shown.data()["trial_period"], Value::Null, "{kind}");

        let started = start(&mut world, &link);
        let id = started["payment_id"].as_str().expect("an id");
        let path = format!("/v1/payments/{id}");
        let refused = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(
            refused.refusal(),
            "409 NOT_CANCELLABLE",
            "{kind}: not one-time"
        );
        let none = items(&mut world, &shop, "/v1/subscriptions");
        assert!(none.is_empty(), "{kind}: nothing is paid yet");

        pay(&mut world, &started);
        let payment = world.keyed(&shop, "GET", &path, Value::Null).data().clone();
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        let subscriptions = items(&mut world, &shop, "/v1/subscriptions");
        let [subscription] = subscriptions.as_slice() else {
            panic!("{kind}: {subscriptions:?}");
        };
        assert_eq!(subscription["status"], "Active", "{kind}");
        assert_eq!(subscription["source"], "Checkout", "{kind}");
        assert_eq!(
            subscription["customer_id"], payment["customer_id"],
            "{kind}"
        );
        assert_eq!(subscription["items"][0]["plan"]["name"], "Tea club");
        let named = &payment["properties"]["subscription_id"];
        assert_eq!(*named, subscription["id"], "{kind}");
        let invoices = items(&mut world, &shop, "/v1/invoices");
        let [invoice] = invoices.as_slice() else {
            panic!("{kind}: {invoices:?}");
        };
        assert_eq!(invoice["payment_status"], "Succeeded", "{kind}");
        assert_eq!(invoice["amount"], "5", "{kind}");
        assert_eq!(payment["invoice_id"], invoice["id"], "{kind}");

        // The second period has an invoice of its own, whose payer is the subscriber, whoever opens its link.
        advance(&mut world, &shop, 31);
        let second = items(&mut world, &shop, "/v1/invoices").remove(0);
        assert_eq!(second["payment_status"], "Pending", "{kind}");
        let link = second["properties"]["payment_link_id"]
            .as_str()
            .expect("a link");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
        pay(&mut world, started.data());
        let second = items(&mut world, &shop, "/v1/invoices").remove(0);
        assert_eq!(second["payment_status"], "Succeeded", "{kind}");
        let customers = items(&mut world, &shop, "/v1/customers");
        let [customer] = customers.as_slice() else {
            panic!("{kind}: {customers:?}");
        };
        assert_eq!(customer["payments_count"], 2, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

/// Waits for a club's next invoice; gives the link it is paid by.
fn next_invoice(world: &mut World, shop: &Shop) -> String {
    advance(world, shop, 31);
    let invoice = items(world, shop, "/v1/invoices?limit=1").remove(0);
    let link = invoice["properties"]["payment_link_id"].as_str();
    link.expect("a link").to_owned()
}

/// A club whose first period is paid; with the link that its second is paid by.
fn second_period(world: &mut World) -> (Shop, String) {
    let (shop, link) = club(world, &json!({}));
    let first = start(world, &link);
    pay(world, &first);
    let link = next_invoice(world, &shop);
    (shop, link)
}

#[test]
fn a_trial_begun_by_a_link_costs_nothing_until_its_end() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let fields = json!({ "trial_period": "P14D", "available_quantity": 1 });
        let (shop, link) = club(&mut world, &fields);
        let shown = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
        assert_eq!(shown.data()["trial_period"], "P14D", "{kind}");
        let started = start(&mut world, &link);
        assert_eq!(started["status"], "Confirmed", "{kind}");
        assert_eq!(started["amount"], "0", "{kind}");
        let shown = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
        assert_eq!(shown.data()["state"], "SoldOut", "{kind}: it is taken");

        let subscription = items(&mut world, &shop, "/v1/subscriptions").remove(0);
        assert_eq!(subscription["status"], "InTrial", "{kind}");
        let customer = items(&mut world, &shop, "/v1/customers").remove(0);
        assert_eq!(customer["payments_count"], 0, "{kind}");
        assert!(items(&mut world, &shop, "/v1/invoices").is_empty());
        advance(&mut world, &shop, 14);
        let subscription = items(&mut world, &shop, "/v1/subscriptions").remove(0);
        assert_eq!(subscription["status"], "Active", "{kind}");
        let invoice = items(&mut world, &shop, "/v1/invoices").remove(0);
        assert_eq!(invoice["payment_status"], "Pending", "{kind}");
        assert_eq!(invoice["amount"], "5", "{kind}");
    });
}

#[test]
fn every_period_is_paid_to_the_accounts_that_the_link_named_as_long_as_they_take_payments() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Club", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let brand = json!({ "reference": "brand", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] });
        let brand = world.keyed(&shop, "POST", "/v1/accounts/virtual", brand);
        let brand = brand.data()["sub_accounts"][0]["id"].clone();
        let body = json!({ "amount": "5", "currency": "USDC", "name": "Tea club", "type": "Recurring", "interval": "Month",
            "account_ref": "brand" });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", body);
        let link = link.data()["id"].as_str().expect("an id").to_owned();
        let paid_to = |world: &mut World, link: &str| {
            let started = start(world, link);
            pay(world, &started);
            items(world, &shop, "/v1/payments?limit=1")[0]["to_account"]["id"].clone()
        };
        assert_eq!(paid_to(&mut world, &link), brand, "{kind}");
        let next = |world: &mut World| next_invoice(world, &shop);
        let second = next(&mut world);
        assert_eq!(paid_to(&mut world, &second), brand, "{kind}");
        let third = next(&mut world);
        let shut = json!({ "reference": "brand", "disable_chains": [8453] });
        let shut = world.keyed(&shop, "PATCH", "/v1/accounts/virtual", shut);
        assert_eq!(shut.status, 200, "{kind}: {}", shut.body);
        assert_eq!(paid_to(&mut world, &third), till, "{kind}");
    });
}

#[test]
fn who_has_begun_to_pay_an_invoice_may_begin_anew_until_money_is_on_its_way() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, link) = second_period(&mut world);
        let link = link.as_str();
        let invoice = |world: &mut World| items(world, &shop, "/v1/invoices?limit=1").remove(0);
        let state = |world: &mut World| {
            let shown = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
            shown.data()["state"].clone()
        };
        let status = |world: &mut World, payment: &Value| {
            let id = payment["payment_id"].as_str().expect("an id");
            let path = format!("/v1/payments/{id}");
            let found = world.keyed(&shop, "GET", &path, Value::Null);
            [&found.data()["status"], &found.data()["reason"]].map(Value::clone)
        };
        let left = start(&mut world, link);
        assert_eq!(state(&mut world), "Open", "{kind}");
        let begun = start(&mut world, link);
        assert_eq!(status(&mut world, &left)[0], "Expired", "{kind}");

        let id = begun["payment_id"].as_str().expect("an id");
        let path = format!("/v1/sandbox/checkout/payments/{id}/pay");
        assert_eq!(world.public("POST", &path, json!({})).status, 201, "{kind}");
        assert_eq!(state(&mut world), "Paid", "{kind}: money is on its way");
        let payer = json!({ "chain_id": 8453, "currency": "USDC" });
        let path = format!("/v1/checkout/{link}/payments");
        let third = world.public("POST", &path, payer.clone());
        assert_eq!(third.refusal(), "409 PAYLINK_CLOSED", "{kind}");
        world.pass(Duration::from_secs(10));
        world.work();
        assert_eq!(status(&mut world, &begun)[0], "Confirmed", "{kind}");
        assert_eq!(invoice(&mut world)["payment_status"], "Succeeded", "{kind}");
        let fourth = world.public("POST", &path, payer);
        assert_eq!(fourth.refusal(), "409 PAYLINK_CLOSED", "{kind}");
        // What comes for the one that was left buys nothing any more.
        pay(&mut world, &left);
        let in_vain = [json!("Expired"), json!("PaidLate")];
        assert_eq!(status(&mut world, &left), in_vain, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn an_invoice_is_paid_by_the_money_that_comes_though_its_payer_has_begun_anew_since() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let (shop, link) = second_period(&mut world);
        let link = link.as_str();
        let (left, begun) = (start(&mut world, link), start(&mut world, link));
        pay(&mut world, &left);
        let mut standing = |payment: &Value| {
            let id = payment["payment_id"].as_str().expect("an id");
            let found = world.read(&shop, &format!("/v1/payments/{id}"));
            [&found["status"], &found["reason"]].map(Value::clone)
        };
        let late = [json!("Confirmed"), json!("PaidLate")];
        assert_eq!(standing(&left), late, "{kind}");
        assert_eq!(standing(&begun)[0], "Expired", "{kind}");
        pay(&mut world, &begun);
        let invoice = items(&mut world, &shop, "/v1/invoices?limit=1").remove(0);
        assert_eq!(invoice["payment_status"], "Succeeded", "{kind}");
        let in_vain = items(&mut world, &shop, "/v1/payments?status=Expired").remove(0);
        assert_eq!(in_vain["id"], begun["payment_id"], "{kind}");
        assert_eq!(in_vain["reason"], "PaidLate", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_payer_whose_answer_was_lost_begins_once_by_a_key_that_is_theirs_alone() {
    database::each(|kind, database| {
        let mut world = World::new(database);
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
        // What somebody else may think of, too, is nobody's.
        let (one, other) = (begin("pay", 1), begin("pay", 1));
        assert_ne!(
            one.data()["payment_id"],
            other.data()["payment_id"],
            "{kind}"
        );
    });
}

#[test]
fn a_payout_is_no_payers_to_see() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Tea", None);
    let till = world.account(&shop, "till", 8453, &["USDC"]);
    world.deposit(&shop, till, 8453, "USDC", "50");
    let body = json!({ "account": till, "chain_id": 8453, "currency": "USDC", "amount": "10",
        "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" });
    let payout = world.signed(&shop, None, "POST", "/v1/payouts", body);
    let id = payout.data()["id"].as_str().expect("an id");
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
