//! `POST /payouts/{payment_id}/approve`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::member::Role;
use settlekit_service::operator::{LimitScope, OperatorError, PayoutLimit};
use settlekit_tests::world::{Answer, Shop, SignedIn, WALLET, World, amount, currency, text};

use super::{available, payout, shop};

pub(super) fn set_limit(
    world: &mut World,
    scope: LimitScope,
    (per_payout, per_day): (Option<&str>, Option<&str>),
) {
    let limit = PayoutLimit {
        scope,
        currency: currency("USDC"),
        per_payout: per_payout.map(amount),
        per_day: per_day.map(amount),
    };
    let now = world.now;
    let (service, database) = world.parts();
    let set = service.set_payout_limit(database, &limit, now);
    assert_eq!(set, Ok(()));
}

pub(super) fn decide(world: &mut World, who: &SignedIn, payout: &str, decision: &str) -> Answer {
    let path = format!("/v1/payouts/{payout}/{decision}");
    world.session_with_step_up(who, "POST", &path, Value::Null)
}

pub(super) fn shown(world: &mut World, shop: &Shop, payout: &str) -> (String, Value) {
    let payment = world.read(shop, &format!("/v1/payments/{payout}"));
    (text(&payment, "status"), payment["reason"].clone())
}

/// A payout of a member.
fn payout_of(world: &mut World, who: &SignedIn, amount: &str) -> Answer {
    let body = json!({ "account": "till", "amount": amount, "currency": "USDC", "chain_id": 8453, "address": WALLET });
    world.session_with_step_up(who, "POST", "/v1/payouts", body)
}

#[test]
fn a_payout_above_the_limit_is_sent_only_when_another_member_approves_it() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        set_limit(&mut world, LimitScope::Installation, (Some("40"), None));
        let ada = world.sign_in(&shop, "ada@shop.example");
        let ben = world.sign_in(&shop, "ben@shop.example");
        let at_limit = payout_of(&mut world, &ada, "40");
        assert_eq!(at_limit.data()["reason"], Value::Null, "{kind}");
        let made = payout_of(&mut world, &ada, "40.000001");
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let payout = made.id();
        let waiting = ("Pending".to_owned(), json!("ApprovalRequired"));
        world.pass_and_work(Duration::from_secs(3600));
        assert_eq!(shown(&mut world, &shop, &payout), waiting, "{kind}");
        let left = available(&mut world, &shop, "USDC");
        assert_eq!(left, "19.959999", "{kind}: reserved with both fees");
        // Neither the member who created it, nor an API key, nor a session without a fresh proof.
        let refused = decide(&mut world, &ada, &payout, "approve");
        assert_eq!(refused.refusal(), "409 STATE_FORBIDS", "{kind}");
        let path = format!("/v1/payouts/{payout}/approve");
        let keyed = world.signed(&shop, None, "POST", &path, Value::Null);
        assert_eq!(keyed.status, 401, "{kind}: {}", keyed.body);
        let stale = world.session(&ben, "POST", &path, Value::Null);
        assert_eq!(stale.refusal(), "401 STEP_UP_REQUIRED", "{kind}");
        assert_eq!(shown(&mut world, &shop, &payout), waiting, "{kind}");
        let approved = decide(&mut world, &ben, &payout, "approve");
        assert_eq!(approved.status, 200, "{kind}: {}", approved.body);
        assert_eq!(approved.data()["reason"], Value::Null, "{kind}");
        // Twice is once, and it cannot be taken back.
        let again = decide(&mut world, &ben, &payout, "approve");
        assert_eq!(again.status, 200, "{kind}: {}", again.body);
        let late = decide(&mut world, &ben, &payout, "refuse");
        assert_eq!(late.refusal(), "409 STATE_FORBIDS", "{kind}");
        world.work();
        world.pass_and_work(Duration::from_secs(60));
        let done = ("Confirmed".to_owned(), Value::Null);
        assert_eq!(shown(&mut world, &shop, &payout), done, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn events_tell_of_the_wait_and_of_the_decision() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        set_limit(&mut world, LimitScope::Installation, (Some("1"), None));
        let ben = world.sign_in(&shop, "ben@shop.example");
        let payout = payout(&mut world, &shop, "2").id();
        decide(&mut world, &ben, &payout, "approve");
        let events = world.list(&shop, "/v1/events");
        let of_payout = events.iter().filter(|event| event["data"]["id"] == payout);
        let told: Vec<String> = of_payout
            .map(|event| format!("{} {}", text(event, "action"), event["data"]["reason"]))
            .collect();
        assert_eq!(
            told,
            ["Queued \"ApprovalRequired\"", "Updated null"],
            "{kind}"
        );
    });
}

#[test]
fn a_day_counts_what_is_sent_and_ends_at_midnight() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        set_limit(&mut world, LimitScope::Installation, (None, Some("10")));
        let reason = |world: &mut World, amount: &str| {
            let made = payout(world, &shop, amount);
            (made.id(), made.data()["reason"].clone())
        };
        assert_eq!(reason(&mut world, "6").1, Value::Null, "{kind}");
        let (waiting, why) = reason(&mut world, "5");
        assert_eq!(why, "ApprovalRequired", "{kind}");
        // What waits counts for nothing; the rest of the day may still go.
        assert_eq!(reason(&mut world, "4").1, Value::Null, "{kind}");
        assert_eq!(
            reason(&mut world, "0.000001").1,
            "ApprovalRequired",
            "{kind}"
        );
        world.pass_and_work(Duration::from_secs(24 * 3600));
        assert_eq!(reason(&mut world, "6").1, Value::Null, "{kind}");
        let ben = world.sign_in(&shop, "ben@shop.example");
        // What is approved counts for the day of its approval.
        decide(&mut world, &ben, &waiting, "approve");
        assert_eq!(reason(&mut world, "1").1, "ApprovalRequired", "{kind}");
        let now = world.now;
        let (service, database) = world.parts();
        let limits = service.payout_limits(database, now).expect("limits");
        assert_eq!(limits[0].paid_out.to_string(), "11", "{kind}");
    });
}

#[test]
fn a_limit_of_the_installation_counts_all_organisations_and_one_of_an_organisation_its_own() {
    World::each(|kind, mut world| {
        let first = shop(&mut world, "100");
        let second = shop(&mut world, "100");
        set_limit(&mut world, LimitScope::Installation, (None, Some("10")));
        let scope = LimitScope::Organisation(second.id);
        set_limit(&mut world, scope, (Some("5"), Some("7")));
        let mut reason = |shop: &Shop, amount: &str| {
            let made = payout(&mut world, shop, amount);
            made.data()["reason"].clone()
        };
        assert_eq!(reason(&second, "6"), "ApprovalRequired", "{kind}");
        assert_eq!(reason(&second, "5"), Value::Null, "{kind}");
        assert_eq!(reason(&second, "3"), "ApprovalRequired", "{kind}");
        assert_eq!(reason(&first, "6"), "ApprovalRequired", "{kind}");
        assert_eq!(reason(&first, "5"), Value::Null, "{kind}");
        assert_eq!(reason(&second, "1"), "ApprovalRequired", "{kind}");
    });
}

#[test]
fn who_may_not_pay_out_may_not_approve_and_others_do_not_see_the_payout() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        set_limit(&mut world, LimitScope::Installation, (Some("1"), None));
        let payout = payout(&mut world, &shop, "2").id();
        let viewer = world.sign_in_as(&shop, "eve@shop.example", Some(Role::Viewer));
        let refused = decide(&mut world, &viewer, &payout, "approve");
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        let other = world.shop("Other", None);
        let stranger = world.sign_in(&other, "mallory@other.example");
        let refused = decide(&mut world, &stranger, &payout, "approve");
        assert_eq!(refused.refusal(), "404 NOT_FOUND", "{kind}");
        let plain = super::payout(&mut world, &shop, "1").id();
        let ben = world.sign_in(&shop, "ben@shop.example");
        let needless = decide(&mut world, &ben, &plain, "approve");
        assert_eq!(needless.refusal(), "409 STATE_FORBIDS", "{kind}");
    });
}

#[test]
fn a_limit_names_a_currency_and_an_organisation_that_exist() {
    World::each(|kind, mut world| {
        let now = world.now;
        let (service, database) = world.parts();
        let limit = PayoutLimit {
            scope: LimitScope::Installation,
            currency: currency("NONE"),
            per_payout: None,
            per_day: None,
        };
        let refused = service.set_payout_limit(database, &limit, now);
        let unknown = OperatorError::UnknownCurrency(limit.currency.clone());
        assert_eq!(refused, Err(unknown), "{kind}");
        let other = World::new(settlekit_tests::database::sqlite()).shop("Elsewhere", None);
        let id = other.id;
        let limit = PayoutLimit {
            scope: LimitScope::Organisation(id),
            currency: currency("USDC"),
            ..limit
        };
        let refused = service.set_payout_limit(database, &limit, now);
        assert_eq!(
            refused,
            Err(OperatorError::UnknownOrganisation(id)),
            "{kind}"
        );
    });
}

fn user(world: &mut World, who: &SignedIn) -> String {
    let session = world.session(who, "GET", "/v1/sessions/current", Value::Null);
    text(&session.data()["user"], "id")
}

#[test]
fn a_waiting_payout_says_which_limit_it_is_above_and_who_may_not_decide() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let scope = LimitScope::Organisation(shop.id);
        set_limit(&mut world, scope, (Some("5"), Some("7")));
        let ada = world.sign_in(&shop, "ada@shop.example");
        let ben = world.sign_in(&shop, "ben@shop.example");
        let made = payout_of(&mut world, &ada, "6.5");
        let mut told = json!({
            "limit": "5", "limit_type": "PerPayout", "limit_scope": "Organisation", "excess": "1.5",
            "requested_by": user(&mut world, &ada),
        });
        assert_eq!(made.data()["approval"], told, "{kind}");
        let first = made.id();
        assert_eq!(
            payout(&mut world, &shop, "4").data()["approval"],
            Value::Null
        );
        let by_key = payout(&mut world, &shop, "4");
        let of_day = json!({ "limit": "7", "limit_type": "PerDay", "limit_scope": "Organisation", "excess": "1" });
        assert_eq!(by_key.data()["approval"], of_day, "{kind}");
        decide(&mut world, &ben, &first, "approve");
        told["decided_by"] = json!(user(&mut world, &ben));
        told["decided_at"] = json!(world.now.to_string());
        let shown = world.read(&shop, &format!("/v1/payments/{first}"));
        assert_eq!(shown["approval"], told, "{kind}");
    });
}

#[test]
fn the_day_of_the_installation_does_not_tell_what_others_paid_out() {
    World::each(|kind, mut world| {
        let (first, second) = (shop(&mut world, "100"), shop(&mut world, "100"));
        set_limit(&mut world, LimitScope::Installation, (None, Some("10")));
        payout(&mut world, &first, "8");
        let waiting = payout(&mut world, &second, "3");
        let told = json!({ "limit": "10", "limit_type": "PerDay", "limit_scope": "Installation" });
        assert_eq!(waiting.data()["approval"], told, "{kind}");
    });
}

#[test]
fn payouts_that_wait_are_listed_and_counted_until_they_are_decided() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        set_limit(&mut world, LimitScope::Installation, (Some("1"), None));
        let ben = world.sign_in(&shop, "ben@shop.example");
        payout(&mut world, &shop, "1");
        let waiting: Vec<String> = ["2", "3", "4"]
            .map(|amount| payout(&mut world, &shop, amount).id())
            .into();
        let listed = |world: &mut World, reason: &str| {
            let items = world.list(&shop, &format!("/v1/payouts?reason={reason}"));
            items
                .iter()
                .map(|item| text(item, "id"))
                .collect::<Vec<_>>()
        };
        assert_eq!(listed(&mut world, "ApprovalRequired"), waiting, "{kind}");
        let counted = |world: &mut World| {
            world.read(&shop, "/v1/overview")["payouts_awaiting_approval"].clone()
        };
        assert_eq!(counted(&mut world), 3, "{kind}");
        decide(&mut world, &ben, &waiting[0], "approve");
        decide(&mut world, &ben, &waiting[1], "refuse");
        assert_eq!(
            listed(&mut world, "ApprovalRequired"),
            waiting[2..],
            "{kind}"
        );
        assert_eq!(
            listed(&mut world, "ApprovalRefused"),
            waiting[1..2],
            "{kind}"
        );
        assert_eq!(
            listed(&mut world, "Overpaid"),
            Vec::<String>::new(),
            "{kind}"
        );
        assert_eq!(counted(&mut world), 1, "{kind}");
    });
}
