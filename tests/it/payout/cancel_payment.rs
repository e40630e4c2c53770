//! `DELETE /payments/{payment_id}` for a payout.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::operator::LimitScope;
use settlekit_tests::world::World;

use super::approve_payout::{decide, set_limit, shown};
use super::{available, payout, shop};

fn cancel(
    world: &mut World,
    shop: &settlekit_tests::world::Shop,
    id: &str,
) -> settlekit_tests::world::Answer {
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

#[test]
fn a_canceled_payout_counts_for_the_limit_of_its_day() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        set_limit(
            &mut world,
            LimitScope::Organisation(shop.id),
            (None, Some("50")),
        );
        let id = payout(&mut world, &shop, "41").id();
        assert_eq!(cancel(&mut world, &shop, &id).status, 200, "{kind}");
        let next = payout(&mut world, &shop, "10");
        assert_eq!(next.data()["reason"], "ApprovalRequired", "{kind}");
    });
}
