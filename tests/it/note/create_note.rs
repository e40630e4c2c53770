//! `POST /notes`.

use serde_json::{Value, json};
use settlekit_core::note::NOTES_MAX;
use settlekit_tests::database;
use settlekit_tests::world::{World, number, text};

use super::{NOTES, list, notes, team, write, written};

#[test]
fn a_note_names_its_author_and_time_and_is_seen_by_all_members() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let note = write(
            &mut world,
            &team,
            &team.operator,
            "  Called the payer.\nSends the rest. ",
        );
        assert_eq!(note.status, 201, "{kind}: {}", note.body);
        for (field, value) in [
            ("record_type", json!("Payment")),
            ("record_id", json!(team.payment)),
            ("text", json!("Called the payer.\nSends the rest.")),
            ("author", json!("Ada")),
            ("may_delete", json!(true)),
            ("created_at", json!(world.now)),
        ] {
            assert_eq!(note.data()[field], value, "{kind}: {field}");
        }
        for who in [&team.owner, &team.viewer] {
            assert_eq!(
                notes(&mut world, &team, who),
                ["Called the payer.\nSends the rest."],
                "{kind}"
            );
        }
    });
}

#[test]
fn all_errors_of_a_note_are_reported_at_once() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let mut refused = |body| world.session(&team.owner, "POST", NOTES, body).refusal();
        assert_eq!(
            refused(json!({ "record_type": "Payment", "record_id": "7", "text": " ", "at": 1 })),
            "400 ID_MALFORMED record_id, EMPTY text, UNKNOWN_FIELD at",
            "{kind}"
        );
        assert_eq!(
            refused(
                json!({ "record_type": "Payment", "record_id": team.payment, "text": "x".repeat(2001) })
            ),
            "422 TOO_LONG text",
            "{kind}"
        );
    });
}

#[test]
fn each_type_of_record_has_notes_and_records_of_others_do_not_exist() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let stranger = super::team(&mut world, "Other");
        let till = number(&world.read(&team.shop, "/v1/accounts")["items"][0], "id");
        world.deposit(&team.shop, till, 8453, "USDC", "7");
        let till = till.to_string();
        let movement = number(&world.read(&team.shop, "/v1/movements")["items"][0], "id");
        let movement = movement.to_string();
        let payer = json!({ "name": "Grace", "email": "grace@payer.example" });
        let customer = world.customer(&team.shop, payer);
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Cup" });
        let link = world.post(&team.shop, "/v1/paylinks", link).id();
        let plan = json!({ "name": "Box", "price": "2", "currency": "USD", "type": "Recurring", "recurring_interval": "Month" });
        let plan = world.post(&team.shop, "/v1/plan", plan).id();
        let subscription = json!({ "customer_id": customer, "plan_ids": [plan] });
        let subscription = world
            .post(&team.shop, "/v1/subscriptions", subscription)
            .id();
        let invoice = text(&world.read(&team.shop, "/v1/invoices")["items"][0], "id");
        for (record, id) in [
            ("Account", &till),
            ("Customer", &customer),
            ("Invoice", &invoice),
            ("Movement", &movement),
            ("Payment", &team.payment),
            ("Paylink", &link),
            ("Subscription", &subscription),
        ] {
            let body = json!({ "record_type": record, "record_id": id, "text": record });
            let written = world.session(&team.owner, "POST", NOTES, body.clone());
            assert_eq!(written.status, 201, "{kind} {record}: {}", written.body);
            let refused = world.session(&stranger.owner, "POST", NOTES, body);
            assert_eq!(
                refused.refusal(),
                "422 REFERENCE_UNKNOWN record_id",
                "{kind} {record}"
            );
            let path = format!("{NOTES}?record_type={record}&record_id={id}");
            let seen = world.session(&team.viewer, "GET", &path, Value::Null);
            assert_eq!(seen.data()[0]["text"], record, "{kind}");
            let unseen = world.session(&stranger.owner, "GET", &path, Value::Null);
            assert_eq!(
                unseen.refusal(),
                "422 REFERENCE_UNKNOWN record_id",
                "{kind} {record}"
            );
        }
        // A raw UUID names the same customer (contract, "Identifier forms").
        let raw = customer.trim_start_matches("cus_");
        let path = format!("{NOTES}?record_type=Customer&record_id={raw}");
        let seen = world.session(&team.viewer, "GET", &path, Value::Null);
        assert_eq!(seen.data()[0]["record_id"], json!(customer), "{kind}");
    });
}

#[test]
fn a_viewer_and_an_api_key_write_no_notes() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let refused = write(&mut world, &team, &team.viewer, "Mine");
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        let body = json!({ "record_type": "Payment", "record_id": team.payment, "text": "Mine" });
        let by_key = world.keyed(&team.shop, "POST", NOTES, body);
        assert_eq!(by_key.refusal(), "401 SESSION_INVALID", "{kind}");
        assert_eq!(list(&mut world, &team, &team.owner).len(), 0, "{kind}");
    });
}

#[test]
fn a_record_has_a_limited_number_of_notes() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        for number in 0..NOTES_MAX {
            written(&mut world, &team, &team.owner, &format!("Note {number}"));
        }
        let more = write(&mut world, &team, &team.operator, "One more");
        assert_eq!(more.refusal(), "409 STATE_FORBIDS", "{kind}");
        // The limit of another record is its own.
        let till = number(&world.read(&team.shop, "/v1/accounts")["items"][0], "id");
        let body =
            json!({ "record_type": "Account", "record_id": till.to_string(), "text": "Full" });
        let other = world.session(&team.owner, "POST", NOTES, body);
        assert_eq!(other.status, 201, "{kind}: {}", other.body);
    });
}

#[test]
fn no_event_and_no_payer_gets_a_note() {
    World::each(|kind, mut world| {
        let team = team(&mut world, "Shop");
        let before = database::rows(world.parts().1, "SELECT id FROM events ORDER BY id");
        written(&mut world, &team, &team.owner, "An unkind remark");
        let after = database::rows(world.parts().1, "SELECT id FROM events ORDER BY id");
        assert_eq!(after, before, "{kind}");
        let path = format!("/v1/checkout/payments/{}", team.payment);
        let payer = world.public("GET", &path, Value::Null);
        assert_eq!(payer.status, 200, "{kind}: {}", payer.body);
        assert!(!payer.body.to_string().contains("unkind"), "{kind}");
        let by_key = world.read(&team.shop, &format!("/v1/payments/{}", team.payment));
        assert!(!by_key.to_string().contains("unkind"), "{kind}");
    });
}
