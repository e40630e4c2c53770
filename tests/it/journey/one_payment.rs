//! One payment, end to end: created, paid, booked, delivered, read, with a partner as reader.
//!
//! The same story runs on SQLite, on PostgreSQL and, from its recording, in WebAssembly, with equal bytes.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::sign::Nonce;
use settlekit_core::value::Timestamp;
use settlekit_core::webhook::{self, PublicKey, Received};
use settlekit_service::Mode;
use settlekit_service::step::WireOutbound;
use settlekit_tests::world::{Shop, SignedIn, World, received, request, sign_with, text};

use super::check_recording;

/// Verifies a delivery as a merchant would.
fn check_signature(call: &WireOutbound, pem: &str, now: Timestamp) {
    let received = received(call);
    let key = PublicKey::from_pem(pem).expect("a key");
    assert!(
        webhook::verify(
            received,
            std::slice::from_ref(&key),
            now,
            webhook::TOLERANCE
        )
        .is_ok()
    );
    let altered = Received {
        body: b"{}",
        ..received
    };
    assert!(webhook::verify(altered, &[key], now, webhook::TOLERANCE).is_err());
}

fn tell_story(world: &mut World) {
    let partner = world.shop("Northwind Partners", None);
    let shop = world.shop("Blue Bottle Books", Some(partner.id));
    let stranger = world.shop("Somebody Else", None);

    // Step 3: an operator signs in and creates a paylink; a payer pays it.
    let ada = world.sign_in(&shop, "ada@bluebottle.example");
    let wrong = world.public(
        "POST",
        "/v1/sessions",
        json!({ "email": "ada@bluebottle.example", "password": "guess" }),
    );
    assert_eq!(wrong.refusal(), "401 SIGN_IN_FAILED");
    let base = world.account(&shop, "books-eu", 8453, &["USDC", "ETH"]);
    world.account(&shop, "books-eu", 137, &["USDC", "USDT"]);
    world.account(&shop, "books-us", 1, &["USDC", "EURC"]);
    let link = world.session(
        &ada,
        "POST",
        "/v1/paylinks",
        json!({
            "amount": "12.50", "currency": "USDC", "name": "The Art of Computer Programming, fascicle 7",
            "after_completion": { "type": "redirect", "redirect_url": "https://bluebottle.example/thanks" },
        }),
    );
    assert_eq!(link.status, 201, "{}", link.body);
    let link_id = link.id();
    assert_eq!(link.data()["plan"]["price"], "12.50");

    let checkout = world.public("GET", &format!("/v1/checkout/{link_id}"), Value::Null);
    assert_eq!(checkout.data()["state"], "Open", "{}", checkout.body);
    assert!(
        checkout.data()["options"]
            .as_array()
            .is_some_and(|options| options.len() >= 5)
    );
    let chosen = json!({ "chain_id": 8453, "currency": "USDC", "email": "payer@example.com", "name": "Grace" });
    let started = world.public("POST", &format!("/v1/checkout/{link_id}/payments"), chosen);
    assert_eq!(started.status, 201, "{}", started.body);
    let payment = text(started.data(), "payment_id");
    assert_eq!(started.data()["status"], "Processing");
    assert_eq!(started.data()["amount"], "12.50");
    let paid = world.public(
        "POST",
        &format!("/v1/sandbox/checkout/payments/{payment}/pay"),
        json!({}),
    );
    assert_eq!(paid.status, 201, "{}", paid.body);
    let status = format!("/v1/checkout/payments/{payment}");
    world.pass_and_work(Duration::from_secs(1));
    assert_eq!(
        world.public("GET", &status, Value::Null).data()["confirmations"],
        1
    );
    world.pass_and_work(Duration::from_secs(2));
    let settled = world.public("GET", &status, Value::Null);
    assert_eq!(settled.data()["status"], "Confirmed", "{}", settled.body);
    assert_eq!(
        settled.data()["after_completion"]["redirect_url"],
        "https://bluebottle.example/thanks"
    );

    let movements = world.session(
        &ada,
        "GET",
        &format!("/v1/accounts/{base}/movement"),
        Value::Null,
    );
    assert_eq!(movements.data()["total"], 1);
    assert_eq!(movements.data()["items"][0]["amount"], "12.5");
    assert_eq!(movements.data()["items"][0]["status"], "Confirmed");
    assert_eq!(movements.data()["items"][0]["entity_id"], payment.as_str());
    let overview = world.session(&ada, "GET", "/v1/overview", Value::Null);
    assert_eq!(overview.data()["balances"][0]["available"], "12.5");
    assert_eq!(overview.data()["payments_processing"], 0);
    let events = world.session(
        &ada,
        "GET",
        &format!("/v1/events?document_id={payment}&type=Payment&sort=asc"),
        Value::Null,
    );
    let actions: Vec<&str> = events.data()["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter_map(|item| item["action"].as_str())
        .collect();
    assert_eq!(
        (actions.first(), actions.last()),
        (Some(&"Created"), Some(&"Settled"))
    );

    webhooks(world, &shop, &ada, &link_id);
    reading(world, &shop, base);
    partner_looks_on(world, &partner, &shop, &stranger);
    assert_eq!(world.differences(), Vec::<String>::new());
}

/// Step 4: failed deliveries are retried on the schedule, and once by hand.
fn webhooks(world: &mut World, shop: &Shop, ada: &SignedIn, link: &str) {
    let hooks = json!({ "webhook_url": "http://127.0.0.1:9099/hooks" });
    let stale = world.session(ada, "PUT", "/v1/orgs", hooks.clone());
    assert_eq!(stale.refusal(), "401 STEP_UP_REQUIRED");
    let set = world.session_with_step_up(ada, "PUT", "/v1/orgs", hooks);
    assert_eq!(set.status, 200, "{}", set.body);
    world.deliver(200);
    let pem = world.keyed(shop, "GET", "/v1/orgs", Value::Null).data()["webhook_public_key"]
        .as_str()
        .expect("a key")
        .to_owned();
    let chosen = json!({ "chain_id": 137, "currency": "USDT" });
    world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
    let due = world.work();
    assert_eq!(due.len(), 2, "a customer and a payment");
    for call in &due {
        check_signature(call, &pem, world.now);
    }
    let failing = due
        .iter()
        .find(|call| call.body.contains("\"payment.created\""))
        .expect("the payment's event")
        .clone();
    for call in &due {
        world.report(
            call,
            if call.event == failing.event {
                500
            } else {
                204
            },
        );
    }
    assert!(world.work().is_empty(), "not due again yet");
    for _ in 0..9 {
        world.pass(Duration::from_secs(27 * 60 * 60));
        let again = world.work();
        assert!(
            again.iter().any(|call| call.event == failing.event),
            "due again"
        );
        for call in &again {
            world.report(
                call,
                if call.event == failing.event {
                    500
                } else {
                    200
                },
            );
        }
    }
    let event = format!("/v1/events/{}", failing.event);
    let ada = world.sign_in_again("ada@bluebottle.example");
    let given_up = world.session(&ada, "GET", &event, Value::Null);
    assert_eq!(given_up.data()["delivery_status"], "failed");
    assert_eq!(given_up.data()["webhook_response_status"], 500);
    world.pass(Duration::from_secs(100 * 60 * 60));
    assert!(
        world.work().iter().all(|call| call.event != failing.event),
        "the schedule is over"
    );
    let ada = world.sign_in_again("ada@bluebottle.example");
    assert_eq!(
        world
            .session(&ada, "POST", &format!("{event}/retry"), Value::Null)
            .status,
        200
    );
    let by_hand = world.deliver(200);
    assert!(by_hand.iter().any(|call| call.event == failing.event));
    let attempts = world.session(&ada, "GET", &format!("{event}/attempts"), Value::Null);
    let statuses: Vec<i64> = attempts
        .data()
        .as_array()
        .expect("attempts")
        .iter()
        .filter_map(|attempt| attempt["status"].as_i64())
        .collect();
    assert_eq!(statuses, [vec![500; 10], vec![200]].concat());
    assert_eq!(
        world.session(&ada, "GET", &event, Value::Null).data()["delivery_status"],
        "succeeded"
    );
}

/// Step 5: a merchant's program reads its movements.
fn reading(world: &mut World, shop: &Shop, account: i64) {
    let page = world.keyed(
        shop,
        "GET",
        &format!("/v1/accounts/{account}/movement?limit=1&page=1&sort=asc"),
        Value::Null,
    );
    assert_eq!(page.data()["total"], 1);
    assert!(page.body.get("message").is_none(), "lists carry no message");
    let wrong = Shop {
        key: "sk_wrong".into(),
        ..shop.clone()
    };
    assert_eq!(
        world
            .keyed(&wrong, "GET", "/v1/accounts", Value::Null)
            .refusal(),
        "401 KEY_INVALID"
    );
}

/// Step 6: a partner reads the balances of its sub-merchant, and everything else is refused.
fn partner_looks_on(world: &mut World, partner: &Shop, shop: &Shop, stranger: &Shop) {
    const TARGET: &str = "/v1/partners/accounts/books-eu/balances";
    let answer = world.signed(partner, Some(shop.id), "GET", TARGET, Value::Null);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let held: Vec<(&str, &str)> = answer.data()["balances"]
        .as_array()
        .expect("balances")
        .iter()
        .filter_map(|balance| Some((balance["currency"].as_str()?, balance["amount"].as_str()?)))
        .collect();
    assert!(held.contains(&("USDC", "12.5")), "{held:?}");

    let unsigned = request(
        "GET",
        TARGET,
        &Value::Null,
        vec![
            (header::API_KEY.into(), partner.key.clone()),
            (header::ORGANISATION.into(), shop.id.to_string()),
        ],
    );
    assert_eq!(world.send(unsigned).refusal(), "401 SIGNATURE_MISSING");

    let mut altered = world.sign(partner, Some(shop.id), "GET", TARGET, &Value::Null);
    altered.body = "{}".into();
    assert_eq!(world.send(altered).refusal(), "401 SIGNATURE_INVALID");

    let mut altered = world.sign(partner, Some(shop.id), "GET", TARGET, &Value::Null);
    altered.target.push_str("?limit=5");
    assert_eq!(world.send(altered).refusal(), "401 SIGNATURE_INVALID");

    let mut altered = world.sign(partner, Some(shop.id), "GET", TARGET, &Value::Null);
    for (name, value) in &mut altered.headers {
        if name == header::ORGANISATION {
            *value = stranger.id.to_string();
        }
    }
    assert_eq!(world.send(altered).refusal(), "401 SIGNATURE_INVALID");

    let once = world.sign(partner, Some(shop.id), "GET", TARGET, &Value::Null);
    assert_eq!(world.send(once.clone()).status, 200);
    assert_eq!(world.send(once).refusal(), "401 NONCE_REUSED");

    let stale = Nonce::new(world.now.minus(Duration::from_secs(5 * 60 + 1)), [1; 10]);
    let late = world.send(sign_with(
        partner,
        Some(shop.id),
        stale,
        "GET",
        TARGET,
        &Value::Null,
    ));
    assert_eq!(late.refusal(), "401 NONCE_OUT_OF_WINDOW");
    let server_time: Timestamp = late
        .header(header::SERVER_TIME)
        .expect("the server's time")
        .parse()
        .expect("a timestamp");
    let corrected = Nonce::new(server_time, [2; 10]);
    assert_eq!(
        world
            .send(sign_with(
                partner,
                Some(shop.id),
                corrected,
                "GET",
                TARGET,
                &Value::Null
            ))
            .status,
        200
    );

    assert_eq!(
        world
            .signed(partner, Some(stranger.id), "GET", TARGET, Value::Null)
            .refusal(),
        "404 NOT_FOUND"
    );
    assert_eq!(
        world
            .signed(stranger, Some(shop.id), "GET", TARGET, Value::Null)
            .refusal(),
        "404 NOT_FOUND"
    );
}

// WebAssembly must give this recording.
#[test]
fn one_payment_is_byte_identical_on_every_database() {
    check_recording("one_payment.jsonl", Mode::Sandbox, tell_story);
}
