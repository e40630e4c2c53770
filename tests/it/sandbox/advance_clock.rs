//! `POST /sandbox/clock`.

use serde_json::{Value, json};
use settlekit_core::webhook::{self, PublicKey};
use settlekit_tests::database;
use settlekit_tests::world::{Answer, Shop, WALLET, World, received, text};

fn advance(world: &mut World, shop: &Shop, seconds: i64) -> Answer {
    let body = json!({ "advance_seconds": seconds });
    world.keyed(shop, "POST", "/v1/sandbox/clock", body)
}

#[test]
fn advancing_the_clock_runs_due_jobs() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        world.account(&other, "till", 8453, &["USDC"]);
        let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
        let payment = world.create(&other, "/v1/payments", body);
        let path = format!("/v1/payments/{}", payment.id());
        let began = world.now;
        // A payment's price is held for half an hour.
        for (seconds, ahead, status) in [
            (0, 0, "Processing"),
            (1799, 1799, "Processing"),
            (1, 1800, "Expired"),
            (60, 1860, "Expired"),
        ] {
            let moved = advance(&mut world, &shop, seconds);
            assert_eq!(moved.status, 200, "{kind}: {}", moved.body);
            let now = began.plus(std::time::Duration::from_secs(ahead));
            let clock = json!({ "now": now.to_string(), "ahead_seconds": ahead });
            assert_eq!(*moved.data(), clock, "{kind}");
            // It is one clock for every organisation.
            assert_eq!(
                world.read(&other, &path)["status"],
                status,
                "{kind}: {ahead}"
            );
        }
        let plan = json!({ "name": "Tea", "price": "1", "currency": "USDC" });
        let made = world.keyed(&other, "POST", "/v1/plan", plan);
        let now = began.plus(std::time::Duration::from_secs(1860));
        assert_eq!(made.data()["created_at"], now.to_string(), "{kind}");
    });
}

#[test]
fn an_advance_ends_no_session() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let members =
            ["ada@tea.example", "bo@tea.example"].map(|email| world.sign_in(&shop, email));
        let week = json!({ "advance_seconds": 7 * 24 * 60 * 60 });
        let moved = world.session(&members[0], "POST", "/v1/sandbox/clock", week);
        assert_eq!(moved.status, 200, "{kind}: {}", moved.body);
        let current = "/v1/sessions/current";
        for member in &members {
            let read = world.session(member, "GET", current, Value::Null);
            assert_eq!(read.status, 200, "{kind}: {}", read.body);
        }
        // They end when their time has passed by itself.
        world.pass(std::time::Duration::from_secs(12 * 60 * 60));
        for member in &members {
            let read = world.session(member, "GET", current, Value::Null);
            assert_eq!(read.refusal(), "401 SESSION_INVALID", "{kind}");
        }
    });
}

#[test]
fn a_webhook_after_an_advance_verifies_by_the_clock_of_its_receiver() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        world.set_webhook_url(&shop, "https://hooks.shop.example/");
        advance(&mut world, &shop, 24 * 60 * 60);
        let settings = world.read(&shop, "/v1/orgs");
        let key = PublicKey::from_pem(&text(&settings, "webhook_public_key")).expect("the key");
        let calls = world.work();
        assert!(!calls.is_empty(), "{kind}");
        for call in &calls {
            let keys = std::slice::from_ref(&key);
            let verified = webhook::verify(received(call), keys, world.now, webhook::TOLERANCE);
            assert!(verified.is_ok(), "{kind}: {}", call.body);
        }
    });
}

#[test]
fn a_refused_advance_leaves_the_clock_unchanged() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        for seconds in [-1, i64::MIN, 10 * 366 * 86_400 + 1, i64::MAX] {
            let refused = advance(&mut world, &shop, seconds);
            let refusal = "400 OUT_OF_RANGE advance_seconds";
            assert_eq!(refused.refusal(), refusal, "{kind}: {seconds}");
        }
        let narrow = world.scoped(&shop, &["read", "write", "payout"]);
        let unscoped = advance(&mut world, &narrow, 60);
        assert_eq!(unscoped.refusal(), "403 SCOPE_MISSING", "{kind}");
        let missing = world.keyed(&shop, "POST", "/v1/sandbox/clock", json!({}));
        assert_eq!(missing.refusal(), "422 REQUIRED advance_seconds", "{kind}");
        let clock = advance(&mut world, &shop, 0);
        assert_eq!(clock.data()["ahead_seconds"], 0, "{kind}");
    });
}

#[test]
fn a_long_advance_runs_jobs_at_their_due_times() {
    // An hourly job has more runs in 200 days than the clock allows for one timestamp.
    let mut world = World::new(database::sqlite());
    let shop = world.shop_with_till("Shop");
    let path = "/v1/partners/accounts/id/till/automations/maintain-balance";
    let sweep = json!({ "currency": "USDC", "minimum_threshold_amount": 0, "payout_threshold_amount": 5, "payout_address": WALLET });
    world.create(&shop, path, sweep);
    let hourly = json!({ "schedule": { "frequency": "Hourly" } });
    let set = world.signed(&shop, None, "PATCH", "/v1/partners/automations/1", hourly);
    assert_eq!(set.status, 200, "{}", set.body);
    let days = json!({ "advance_seconds": 200 * 24 * 60 * 60 });
    let moved = world.keyed(&shop, "POST", "/v1/sandbox/clock", days);
    let who = world.sign_in(&shop, "ada@tea.example");
    let list = "/v1/partners/accounts/till/automations";
    let listed = world.session(&who, "GET", list, Value::Null);
    let automation = &listed.data()["items"][0];
    assert_eq!(automation["last_run_at"], moved.data()["now"]);
}
