//! `DELETE /payments/{payment_id}` for a payout.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::operator::LimitScope;
use settlekit_tests::world::{Answer, DAY, Shop, World};

use super::approve_payout::{decide, set_limit, shown};
use super::{available, payout, shop};

fn cancel(world: &mut World, shop: &Shop, id: &str) -> Answer {
    world.keyed(shop, "DELETE", &format!("/v1/payments/{id}"), Value::Null)
}

#[test]
fn a_payout_that_is_not_sent_is_canceled_and_returns_all_of_its_money() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let made = payout(&mut world, &shop, "41");
        let id = made.id();
        let canceled = cancel(&mut world, &shop, &id);
        assert_eq!(canceled.status, 200, "{kind}: {}", canceled.body);
        assert_eq!(canceled.data()["status"], "Canceled", "{kind}");
        assert_eq!(available(&mut world, &shop, "USDC"), "100", "{kind}");
        let movement = world.read(&shop, "/v1/movements?status=Failed")["items"][0].clone();
        assert_eq!(movement["failure"], "Canceled", "{kind}");
        assert_eq!(
            cancel(&mut world, &shop, &id).refusal(),
            "409 NOT_CANCELLABLE",
            "{kind}"
        );
        world.pass_and_work(Duration::from_secs(3600));
        assert_eq!(
            shown(&mut world, &shop, &id),
            ("Canceled".to_owned(), Value::Null),
            "{kind}"
        );
        assert_eq!(
            available(&mut world, &shop, "USDC"),
            "100",
            "{kind}: nothing was sent"
        );
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_payout_that_is_sent_is_not_canceled() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let id = payout(&mut world, &shop, "41").id();
        world.work();
        assert_eq!(shown(&mut world, &shop, &id).0, "Processing", "{kind}");
        assert_eq!(
            cancel(&mut world, &shop, &id).refusal(),
            "409 NOT_CANCELLABLE",
            "{kind}"
        );
        world.pass_and_work(Duration::from_secs(3600));
        assert_eq!(shown(&mut world, &shop, &id).0, "Confirmed", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_payout_that_waits_for_approval_is_canceled_and_nobody_decides_it_any_more() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        set_limit(
            &mut world,
            LimitScope::Organisation(shop.id),
            (Some("40"), None),
        );
        let ben = world.sign_in(&shop, "ben@shop.example");
        let id = payout(&mut world, &shop, "41").id();
        assert_eq!(cancel(&mut world, &shop, &id).status, 200, "{kind}");
        let canceled = ("Canceled".to_owned(), Value::Null);
        assert_eq!(shown(&mut world, &shop, &id), canceled, "{kind}");
        for decision in ["approve", "refuse"] {
            let late = decide(&mut world, &ben, &id, decision);
            assert_eq!(late.refusal(), "409 STATE_FORBIDS", "{kind}: {decision}");
        }
        let overview = world.read(&shop, "/v1/overview");
        assert_eq!(overview["payouts_awaiting_approval"], json!(0), "{kind}");
        assert_eq!(available(&mut world, &shop, "USDC"), "100", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_key_without_the_scope_of_payouts_cancels_none_that_the_service_sends() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let id = payout(&mut world, &shop, "41").id();
        let writer = world.scoped(&shop, &["read", "write"]);
        let refused = cancel(&mut world, &writer, &id);
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        world.work();
        assert_eq!(shown(&mut world, &shop, &id).0, "Processing", "{kind}");
    });
}

/// Whether a new payout is above the limit.
fn is_above(world: &mut World, shop: &Shop, amount: &str) -> bool {
    let made = payout(world, shop, amount);
    assert_eq!(made.status, 201, "{}", made.body);
    made.data()["reason"] == "ApprovalRequired"
}

#[test]
fn a_canceled_payout_no_longer_counts_for_the_limit_of_its_day() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        set_limit(&mut world, LimitScope::Installation, (None, Some("50")));
        // The same money does not use up the day of all organisations.
        for _ in 0..3 {
            let made = payout(&mut world, &shop, "41");
            assert_eq!(made.data()["reason"], Value::Null, "{kind}");
            assert_eq!(cancel(&mut world, &shop, &made.id()).status, 200, "{kind}");
        }
        assert!(!is_above(&mut world, &shop, "41"), "{kind}");
        assert!(is_above(&mut world, &shop, "10"), "{kind}");
    });
}

#[test]
fn an_approved_payout_no_longer_counts_for_the_day_of_its_approval_once_canceled() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let scope = LimitScope::Organisation(shop.id);
        set_limit(&mut world, scope, (Some("40"), Some("45")));
        let ben = world.sign_in(&shop, "ben@shop.example");
        let id = payout(&mut world, &shop, "41").id();
        let approved = decide(&mut world, &ben, &id, "approve");
        assert_eq!(approved.status, 200, "{kind}: {}", approved.body);
        assert!(is_above(&mut world, &shop, "5"), "{kind}");
        assert_eq!(cancel(&mut world, &shop, &id).status, 200, "{kind}");
        assert!(!is_above(&mut world, &shop, "6"), "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_canceled_payout_that_no_limit_counted_today_lowers_no_sum() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "200");
        let scope = LimitScope::Organisation(shop.id);
        set_limit(&mut world, scope, (None, Some("50")));
        let yesterday = payout(&mut world, &shop, "30").id();
        world.pass(DAY);
        let today = payout(&mut world, &shop, "41").id();
        let waiting = payout(&mut world, &shop, "20");
        assert_eq!(waiting.data()["reason"], "ApprovalRequired", "{kind}");
        for id in [yesterday, waiting.id()] {
            assert_eq!(cancel(&mut world, &shop, &id).status, 200, "{kind}");
            assert!(is_above(&mut world, &shop, "10"), "{kind}");
        }
        // A limit that was set since.
        world.pass(Duration::from_secs(1));
        set_limit(&mut world, scope, (None, Some("60")));
        assert_eq!(cancel(&mut world, &shop, &today).status, 200, "{kind}");
        assert!(is_above(&mut world, &shop, "20"), "{kind}");
        assert!(!is_above(&mut world, &shop, "19"), "{kind}");
    });
}
