//! `GET /sandbox/inbox`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::sandbox::INBOX_URL;
use settlekit_core::value::Timestamp;
use settlekit_core::webhook::{PublicKey, Received, TOLERANCE, verify};
use settlekit_service::{Access, Mode};
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World, text, texts};

use super::{INBOX, deliver_to_inbox};

/// Creates a plan, an event of a document of its own; returns its id.
fn create_plan(world: &mut World, shop: &Shop) -> String {
    let plan = json!({ "name": "Tea", "price": "1", "currency": "USDC" });
    world.post(shop, "/v1/plan", plan).id()
}

/// Whether the signature of a message verifies with a key.
fn is_signed(message: &Value, key: &PublicKey) -> bool {
    let headers = message["headers"].as_array().expect("headers");
    let value = |name: &str| {
        let found = headers.iter().find(|header| header["name"] == name);
        text(found.expect("a header"), "value")
    };
    let (id, timestamp) = (value(header::WEBHOOK_ID), value(header::WEBHOOK_TIMESTAMP));
    let (signature, body) = (value(header::WEBHOOK_SIGNATURE), text(message, "body"));
    assert_eq!(id, text(message, "event_id"));
    let received = Received {
        id: &id,
        timestamp: &timestamp,
        signature: &signature,
        body: body.as_bytes(),
    };
    let at: Timestamp = text(message, "received_at").parse().expect("a timestamp");
    verify(received, std::slice::from_ref(key), at, TOLERANCE).is_ok()
}

#[test]
fn a_new_organisation_finds_its_signed_webhooks_in_its_own_inbox() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_inbox("Shop");
        let other = world.shop_with_inbox("Other");
        let settings = world.read(&shop, "/v1/orgs");
        assert_eq!(settings["webhook_url"], INBOX_URL, "{kind}");
        let plan = create_plan(&mut world, &shop);
        deliver_to_inbox(&mut world, &shop);

        let key = PublicKey::from_pem(&text(&settings, "webhook_public_key"));
        let key = key.expect("the key");
        let messages = world.list(&shop, INBOX);
        assert!(
            messages.iter().all(|message| is_signed(message, &key)),
            "{kind}"
        );
        let latest = messages.last().expect("a message");
        assert_eq!(latest["type"], "plan.created", "{kind}");
        let body: Value = serde_json::from_str(&text(latest, "body")).expect("JSON");
        assert_eq!(body["type"], "plan.created", "{kind}");
        assert_eq!(body["data"]["id"], json!(plan), "{kind}");
        // Each event once, in the order of the log.
        let events = world.list(&shop, "/v1/events");
        assert_eq!(
            texts(&messages, "event_id"),
            texts(&events, "id"),
            "{kind}: all events"
        );
        let newest = world.read(&shop, INBOX);
        assert_eq!(newest["items"][0], *latest, "{kind}: newest first");

        deliver_to_inbox(&mut world, &other);
        let theirs = world.list(&other, INBOX);
        assert!(
            theirs.iter().all(|message| !is_signed(message, &key)),
            "{kind}: those of the other organisation only"
        );
    });
}

#[test]
fn a_delivery_to_the_inbox_is_an_attempt_that_succeeded() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_inbox("Shop");
        create_plan(&mut world, &shop);
        deliver_to_inbox(&mut world, &shop);
        let event = world.read(&shop, "/v1/events?type=Plan")["items"][0].clone();
        assert_eq!(event["delivery_status"], "succeeded", "{kind}");
        assert_eq!(event["webhook_url"], INBOX_URL, "{kind}");
        assert_eq!(event["webhook_response_status"], 200, "{kind}");
        let attempts = format!("/v1/events/{}/attempts", text(&event, "id"));
        let attempts = world.read(&shop, &attempts);
        assert_eq!(attempts.as_array().map(Vec::len), Some(1), "{kind}");
        let message = world.read(&shop, INBOX)["items"][0].clone();
        assert_eq!(attempts[0]["request"], message["body"], "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn an_organisation_leaves_its_inbox_and_comes_back_by_its_webhook_url() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_inbox("Shop");
        deliver_to_inbox(&mut world, &shop);
        let total = |world: &mut World| world.read(&shop, INBOX)["total"].as_u64();
        let before = total(&mut world);

        world.set_webhook_url(&shop, "https://hooks.shop.example/");
        let sent = world.deliver(200);
        assert_eq!(sent.len(), 1, "{kind}: the host sends it");
        assert_eq!(total(&mut world), before, "{kind}");

        world.set_webhook_url(&shop, "");
        create_plan(&mut world, &shop);
        assert!(world.work().is_empty(), "{kind}");
        assert_eq!(total(&mut world), before, "{kind}: nobody receives it");

        world.set_webhook_url(&shop, INBOX_URL);
        deliver_to_inbox(&mut world, &shop);
        assert_eq!(
            total(&mut world),
            before.map(|before| before + 1),
            "{kind}: the new URL"
        );
    });
}

#[test]
fn the_inbox_keeps_the_latest_500_webhooks() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_inbox("Shop");
        deliver_to_inbox(&mut world, &shop);
        let emptied = world.keyed(&shop, "DELETE", INBOX, Value::Null);
        assert_eq!(emptied.status, 200, "{kind}: {}", emptied.body);
        let at = world.now.micros();
        let rows: Vec<String> = (0..500)
            .map(|number| {
                format!(
                    "('{}', 'evt_019cade5000070008000{number:012x}', 'plan.created', '[]', '{{}}', {at})",
                    shop.id
                )
            })
            .collect();
        let insert = format!(
            "INSERT INTO inbox_messages (org_id, event_id, type, headers, body, received_at) VALUES {}",
            rows.join(", ")
        );
        let database = world.parts().1;
        database.begin(Access::Write).expect("begun");
        database.script(&insert).expect("messages");
        database.commit().expect("committed");
        let page = "/v1/sandbox/inbox?limit=1&sort=asc";
        let first = world.read(&shop, page);
        assert_eq!(first["total"], 500, "{kind}");

        create_plan(&mut world, &shop);
        deliver_to_inbox(&mut world, &shop);
        let next = world.read(&shop, page);
        assert_eq!(next["total"], 500, "{kind}");
        assert_ne!(next["items"], first["items"], "{kind}: the oldest is gone");
    });
}

#[test]
fn the_inbox_is_read_between_two_times() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_inbox("Shop");
        deliver_to_inbox(&mut world, &shop);
        world.pass(Duration::from_secs(60));
        let since = world.now;
        create_plan(&mut world, &shop);
        deliver_to_inbox(&mut world, &shop);
        let later = world.list(&shop, &format!("{INBOX}?since={since}"));
        assert_eq!(texts(&later, "type"), ["plan.created"], "{kind}");
        let until = since.minus(Duration::from_secs(1));
        let earlier = world.list(&shop, &format!("{INBOX}?until={until}"));
        let all = world.list(&shop, INBOX);
        assert_eq!(earlier.len() + 1, all.len(), "{kind}");
    });
}

#[test]
fn live_mode_has_no_inbox() {
    database::each(|kind, database| {
        let mut world = World::with(database, Mode::Live);
        let shop = world.shop_with_inbox("Shop");
        let settings = world.read(&shop, "/v1/orgs");
        assert!(settings.get("webhook_url").is_none(), "{kind}: {settings}");
        let refused = world.keyed(&shop, "GET", INBOX, Value::Null);
        assert_eq!(refused.refusal(), "403 SANDBOX_ONLY", "{kind}");
        // To live mode, the URL is as any other.
        world.set_webhook_url(&shop, INBOX_URL);
        assert!(!world.work().is_empty(), "{kind}: the host makes the call");
        let rows = database::rows(world.parts().1, "SELECT id FROM inbox_messages");
        assert_eq!(rows, Vec::<String>::new(), "{kind}");
    });
}
