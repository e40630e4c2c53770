//! Denial of inventory: unpaid checkouts of a limited paylink.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::{CallerNetwork, Seed};
use settlekit_tests::database;
use settlekit_tests::world::{Answer, Shop, World, text};

const HOUR: Duration = Duration::from_secs(60 * 60);

/// A merchant and a paylink with limited stock.
fn limited(world: &mut World, quantity: i64) -> (Shop, String) {
    let shop = world.shop("Prints", None);
    world.account(&shop, "prints", 8453, &["USDC"]);
    let body = json!({ "amount": "40", "currency": "USDC", "name": "Print", "available_quantity": quantity });
    let link = world.post(&shop, "/v1/paylinks", body);
    (shop, link.id())
}

/// Starts a checkout from a network, as the host passes it.
fn start(world: &mut World, link: &str, network: &str) -> Answer {
    let body = json!({ "chain_id": 8453, "currency": "USDC" }).to_string();
    let path = format!("/v1/checkout/{link}/payments");
    let mut request = http::Request::post(path);
    if let Some(extensions) = request.extensions_mut() {
        extensions.insert(CallerNetwork(network.to_owned()));
    }
    let request = request.body(body.into_bytes()).expect("a request");
    let now = world.now;
    // A new seed for each call.
    world.pass(Duration::from_micros(1));
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&now.micros().to_be_bytes());
    let (service, database) = world.parts();
    let response = service.answer(database, &request, now, Seed(seed));
    let headers = response.headers().iter();
    Answer {
        status: response.status().as_u16(),
        headers: headers
            .map(|(name, value)| (name.to_string(), value.to_str().expect("text").to_owned()))
            .collect(),
        body: serde_json::from_slice(response.body()).expect("JSON"),
    }
}

fn stock(world: &mut World, shop: &Shop, link: &str) -> (Value, Value) {
    let link = world.read(shop, &format!("/v1/paylinks/{link}"));
    let plan = &link["plan"];
    (
        plan["available_quantity"].clone(),
        plan["held_quantity"].clone(),
    )
}

#[test]
fn one_network_cannot_hold_all_stock() {
    World::each(|kind, mut world| {
        let (shop, link) = limited(&mut world, 5);
        for _ in 0..3 {
            let begun = start(&mut world, &link, "192.0.2.1");
            assert_eq!(begun.status, 201, "{kind}: {}", begun.body);
        }
        let refused = start(&mut world, &link, "192.0.2.1");
        assert_eq!(refused.refusal(), "429 TOO_MANY_CHECKOUTS", "{kind}");
        let wait = refused.header("retry-after").expect("a time to wait");
        assert_eq!(
            wait, "86399",
            "{kind}: the first was begun three microseconds ago"
        );
        assert_eq!(
            stock(&mut world, &shop, &link),
            (json!(2), json!(3)),
            "{kind}"
        );
        let other = start(&mut world, &link, "192.0.2.2");
        assert_eq!(other.status, 201, "{kind}: others buy: {}", other.body);

        // When the prices expire the stock is on sale again, but not for the same network.
        world.pass_and_work(HOUR);
        assert_eq!(
            stock(&mut world, &shop, &link),
            (json!(5), json!(0)),
            "{kind}"
        );
        let again = start(&mut world, &link, "192.0.2.1");
        assert_eq!(again.refusal(), "429 TOO_MANY_CHECKOUTS", "{kind}");
        world.pass(24 * HOUR);
        let next_day = start(&mut world, &link, "192.0.2.1");
        assert_eq!(next_day.status, 201, "{kind}: {}", next_day.body);
    });
}

#[test]
fn a_paying_network_can_buy_all_stock() {
    World::each(|kind, mut world| {
        let (shop, link) = limited(&mut world, 6);
        for bought in 1..=6 {
            let begun = start(&mut world, &link, "192.0.2.1");
            assert_eq!(begun.status, 201, "{kind} {bought}: {}", begun.body);
            let id = text(begun.data(), "payment_id");
            world.pay(&id);
            world.pass_and_work(Duration::from_secs(60));
        }
        assert_eq!(
            stock(&mut world, &shop, &link),
            (json!(0), json!(0)),
            "{kind}"
        );
    });
}

#[test]
fn several_payers_behind_one_address_buy_from_a_large_stock() {
    let mut world = World::new(database::sqlite());
    let (shop, link) = limited(&mut world, 200);
    for buyer in 1..=10 {
        let begun = start(&mut world, &link, "192.0.2.1");
        assert_eq!(begun.status, 201, "{buyer}: {}", begun.body);
    }
    let refused = start(&mut world, &link, "192.0.2.1");
    assert_eq!(
        refused.refusal(),
        "429 TOO_MANY_CHECKOUTS",
        "one in twenty of 200"
    );
    assert_eq!(stock(&mut world, &shop, &link), (json!(190), json!(10)));
}

#[test]
fn unlimited_links_and_in_process_callers_are_not_limited() {
    let mut world = World::new(database::sqlite());
    let (_, limited_link) = limited(&mut world, 9);
    let body = json!({ "chain_id": 8453, "currency": "USDC" });
    for _ in 0..9 {
        let path = format!("/v1/checkout/{limited_link}/payments");
        assert_eq!(world.public("POST", &path, body.clone()).status, 201);
    }
    let shop = world.shop("Tea", None);
    world.account(&shop, "tea", 8453, &["USDC"]);
    let link = json!({ "amount": "4", "currency": "USDC", "name": "Tea" });
    let link = world.post(&shop, "/v1/paylinks", link).id();
    for _ in 0..9 {
        assert_eq!(start(&mut world, &link, "192.0.2.1").status, 201);
    }
}

#[test]
fn a_payers_address_is_never_stored() {
    let mut world = World::new(database::sqlite());
    let (_, link) = limited(&mut world, 5);
    assert_eq!(start(&mut world, &link, "203.0.113.77").status, 201);
    let (_, database) = world.parts();
    let stored = database::rows(database, "SELECT hex(network) FROM checkout_holds");
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].len(), 32, "{stored:?}");
    assert!(!stored[0].contains(&hex("203.0.113.77")), "{stored:?}");
    world.pass_and_work(25 * HOUR);
    let (_, database) = world.parts();
    let stored = database::rows(database, "SELECT hex(network) FROM checkout_holds");
    assert_eq!(
        stored,
        Vec::<String>::new(),
        "nor its digest for longer than a day"
    );
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02X}")).collect()
}
