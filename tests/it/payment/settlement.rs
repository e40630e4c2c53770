//! Payments by the amount received: exact, over, under, late.

use serde_json::{Value, json};
use settlekit_service::step::Reply;
use settlekit_tests::database;
use settlekit_tests::world::{World, text};

use super::{Due, due, observe, pass, send, state_of};

#[test]
fn money_after_the_full_amount_is_reported_as_overpaid() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        // The third part is pending when the second completes the amount.
        send(&mut world, &due, &["4", "6", "3"]);
        assert_eq!(
            state_of(&mut world, &due),
            (json!("Confirmed"), json!("Overpaid"), json!("13")),
            "{kind}"
        );
    });
}

#[test]
fn a_payment_that_was_paid_late_stays_so_when_more_arrives() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        pass(&mut world, 31 * 60);
        for (units, paid) in [("10000000", "10"), ("3000000", "13")] {
            observe(&mut world, &due, "USDC", units);
            assert_eq!(
                state_of(&mut world, &due),
                (json!("Confirmed"), json!("PaidLate"), json!(paid)),
                "{kind}"
            );
        }
    });
}

#[test]
fn a_payment_whose_money_is_not_final_at_the_deadline_waits_for_it() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        let read = world.read(&due.shop, &due.path);
        let to = text(&read, "deposit_address");
        world.observe_deposit(&to, "0xfeed", "10000000", 1);
        pass(&mut world, 31 * 60);
        assert_eq!(
            state_of(&mut world, &due),
            (json!("Processing"), Value::Null, json!("10")),
            "{kind}"
        );
        world.observe_deposit(&to, "0xfeed", "10000000", 100);
        assert_eq!(
            state_of(&mut world, &due),
            (json!("Confirmed"), Value::Null, json!("10")),
            "{kind}"
        );
    });
}

#[test]
fn a_settlement_that_cannot_be_written_leaves_nothing_behind() {
    let mut world = World::new(database::sqlite());
    let due = due(&mut world);
    let read = world.read(&due.shop, &due.path);
    let to = text(&read, "deposit_address");
    let script = |world: &mut World, sql: &str| {
        let (_, database) = world.parts();
        database.script(sql).expect(sql);
    };
    script(
        &mut world,
        "CREATE TRIGGER full BEFORE UPDATE ON payments WHEN NEW.status = 'Confirmed' \
         BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    let transfer = world.transfer(8453, "USDC", (&to, "0xfeed", "10000000"));
    let failed = world.observe(8453, transfer, 100);
    assert!(matches!(failed, Reply::Failed(_)), "{failed:?}");
    assert_eq!(
        state_of(&mut world, &due),
        (json!("Processing"), Value::Null, json!("0"))
    );
    script(&mut world, "DROP TRIGGER full");
    world.observe_deposit(&to, "0xfeed", "10000000", 100);
    assert_eq!(
        state_of(&mut world, &due),
        (json!("Confirmed"), Value::Null, json!("10"))
    );
    assert!(world.differences().is_empty());
}

#[test]
fn a_shortfall_within_the_tolerance_is_accepted() {
    World::each(|kind, mut world| {
        let tolerate = |world: &mut World, due: &Due, thresholds: Value| {
            let body = json!({ "underpay_thresholds": thresholds });
            world.keyed(&due.shop, "PUT", "/v1/orgs", body)
        };
        let underpaid = (json!("Confirmed"), json!("Underpaid"), json!("9.5"));
        let waits = (json!("Processing"), Value::Null, json!("9.5"));
        for (thresholds, expected) in [
            // Finer than the currency: rounded to what can be paid.
            (
                json!({ "underpay_tolerance_amount": 0.5000009, "underpay_tolerance_currency": "USDC" }),
                &underpaid,
            ),
            (json!({ "underpay_tolerance_usd": 0.5 }), &underpaid),
            (json!({ "underpay_tolerance_usd": 0.49 }), &waits),
            (
                json!({ "underpay_tolerance_amount": 5, "underpay_tolerance_currency": "EURC" }),
                &waits,
            ),
        ] {
            let due = due(&mut world);
            let set = tolerate(&mut world, &due, thresholds.clone());
            assert_eq!(set.status, 200, "{kind}: {}", set.body);
            send(&mut world, &due, &["9.5"]);
            assert_eq!(state_of(&mut world, &due), *expected, "{kind} {thresholds}");
        }
        // A tolerance in an unusable currency applies to no payment.
        let due = due(&mut world);
        for currency in ["XXX", "USD"] {
            let unknown =
                json!({ "underpay_tolerance_amount": 5, "underpay_tolerance_currency": currency });
            assert_eq!(
                tolerate(&mut world, &due, unknown).refusal(),
                "422 NOT_SUPPORTED underpay_thresholds.underpay_tolerance_currency",
                "{kind}"
            );
        }
    });
}

#[test]
fn the_tolerance_applies_when_the_price_expires() {
    World::each(|kind, mut world| {
        let due = due(&mut world);
        send(&mut world, &due, &["9.5"]);
        let tolerated = json!({ "underpay_thresholds": { "underpay_tolerance_usd": 0.5 } });
        world.keyed(&due.shop, "PUT", "/v1/orgs", tolerated);
        pass(&mut world, 31 * 60);
        assert_eq!(
            state_of(&mut world, &due),
            (json!("Confirmed"), json!("Underpaid"), json!("9.5")),
            "{kind}"
        );
    });
}
