//! Runs of automations: triggers and payouts.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::value::Timestamp;
use settlekit_service::step::{Command, Reply};
use settlekit_tests::world::{WALLET, World};

use super::{Pair, automation, low_balance_events, maintain, pair, path_of, payouts};

#[test]
fn a_surplus_is_paid_out_once_and_a_low_balance_is_reported_once() {
    World::each(|kind, mut world| {
        let pair = pair(&mut world);
        let made = maintain(&mut world, &pair, 100, 150);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        assert_eq!(made.data()["payout_account"]["address"], WALLET, "{kind}");
        world.work();
        assert_eq!(
            low_balance_events(&mut world, &pair),
            1,
            "{kind}: initially empty"
        );
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "90");
        world.work();
        assert_eq!(
            low_balance_events(&mut world, &pair),
            1,
            "{kind}: still low, not reported again"
        );
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "60");
        world.work();
        assert!(
            payouts(&mut world, &pair).is_empty(),
            "{kind}: at the threshold, not above"
        );
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "70");
        for _ in 0..3 {
            world.work();
            world.pass(Duration::from_secs(10));
        }
        // 220 in total; 120 are paid out, largest account first, with the fee taken from the amount.
        assert_eq!(payouts(&mut world, &pair), ["119.98 8453"], "{kind}");
        world.work();
        assert_eq!(payouts(&mut world, &pair).len(), 1, "{kind}: once");
        assert_eq!(
            low_balance_events(&mut world, &pair),
            1,
            "{kind}: the minimum remains"
        );
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn an_automation_checks_its_account_again_when_a_suspension_ends() {
    World::each(|kind, mut world| {
        let pair = pair(&mut world);
        maintain(&mut world, &pair, 10, 20);
        world.work();
        let suspend = |suspension: Option<&str>| Command::Suspend {
            organisation: pair.shop.id,
            kind: suspension.map(str::to_owned),
        };
        let org = Some(pair.shop.id);
        let path = path_of(&automation(&mut world, &pair));
        let enable = |world: &mut World, enabled: bool| {
            let body = json!({ "enabled": enabled });
            let set = world.signed(&pair.partner, org, "PATCH", &path, body);
            assert_eq!(set.status, 200, "{kind}: {}", set.body);
        };
        enable(&mut world, false);
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "50");
        enable(&mut world, true);
        assert_eq!(world.call(suspend(Some("Compliance"))), Reply::Done);
        world.work();
        assert!(payouts(&mut world, &pair).is_empty(), "{kind}");
        assert_eq!(world.call(suspend(None)), Reply::Done);
        world.work();
        assert_eq!(payouts(&mut world, &pair), ["39.98 137"], "{kind}");
    });
}

#[test]
fn an_automation_runs_on_schedule_and_not_while_disabled() {
    World::each(|kind, mut world| {
        let pair = pair(&mut world);
        maintain(&mut world, &pair, 10, 20);
        world.work();
        let org = Some(pair.shop.id);
        let last_run = |world: &mut World| automation(world, &pair)["last_run_at"].clone();
        let path = path_of(&automation(&mut world, &pair));
        let hourly = json!({ "schedule": { "frequency": "Hourly", "time": "00:30" } });
        let set = world.signed(&pair.partner, org, "PATCH", &path, hourly);
        assert_eq!(set.status, 200, "{kind}: {}", set.body);
        world.work();
        let begun = last_run(&mut world);
        // It is nine o'clock.
        world.pass_and_work(Duration::from_secs(29 * 60));
        assert_eq!(last_run(&mut world), begun, "{kind}: not yet");
        for _ in 0..2 {
            world.pass_and_work(Duration::from_secs(60 * 60));
            let now = world.now.to_string();
            assert_eq!(last_run(&mut world), now, "{kind}: it is due");
        }
        let suspend = Command::Suspend {
            organisation: pair.shop.id,
            kind: Some("Compliance".to_owned()),
        };
        let ran = last_run(&mut world);
        assert_eq!(world.call(suspend), Reply::Done);
        world.pass_and_work(Duration::from_secs(60 * 60));
        assert_eq!(last_run(&mut world), ran, "{kind}: disabled");
    });
}

/// Fails the latest payout on the chain.
fn fail_last(world: &mut World, pair: &Pair) {
    let last = world.read(&pair.shop, "/v1/payouts?limit=1")["items"][0].clone();
    let body = json!({ "payment_id": last["id"] });
    let failed = world.keyed(&pair.shop, "POST", "/v1/sandbox/payout-failures", body);
    assert_eq!(failed.data()["status"], "Failed", "{}", failed.body);
}

#[test]
fn failed_payouts_back_off_and_five_in_a_row_disable_the_automation() {
    const MINUTE: u64 = 60;
    World::each(|kind, mut world| {
        let pair = pair(&mut world);
        maintain(&mut world, &pair, 0, 150);
        let hourly = json!({ "schedule": { "frequency": "Hourly" } });
        let path = path_of(&automation(&mut world, &pair));
        let org = Some(pair.shop.id);
        world.signed(&pair.partner, org, "PATCH", &path, hourly);
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "300");
        world.work();
        let pauses = [15, 60, 6 * 60, 24 * 60].map(|minutes| Duration::from_secs(minutes * MINUTE));
        for (tried, pause) in (1..).zip(pauses) {
            assert_eq!(payouts(&mut world, &pair).len(), tried, "{kind}");
            fail_last(&mut world, &pair);
            let until = world.now.plus(pause);
            let shown = automation(&mut world, &pair);
            assert_eq!(shown["reason"], "PayoutFailed", "{kind}: {shown}");
            assert_eq!(shown["paused_until"], until.to_string(), "{kind}: {shown}");
            assert_eq!(shown["enabled"], true, "{kind}");
            // Neither a balance change nor the clock triggers an earlier run.
            world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "1");
            world.work();
            world.now = Timestamp::from_micros(until.micros() - 1);
            world.work();
            assert_eq!(payouts(&mut world, &pair).len(), tried, "{kind}");
            world.now = until;
            world.work();
        }
        assert_eq!(payouts(&mut world, &pair).len(), 5, "{kind}");
        fail_last(&mut world, &pair);
        let shown = automation(&mut world, &pair);
        assert_eq!(
            (&shown["enabled"], &shown["reason"], &shown["paused_until"]),
            (&json!(false), &json!("PayoutFailed"), &Value::Null),
            "{kind}"
        );
        let events = world.read(&pair.shop, "/v1/events?type=Account&action=Disabled");
        assert_eq!(
            (&events["total"], &events["items"][0]["data"]),
            (&json!(1), &shown),
            "{kind}"
        );
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "1");
        world.pass_and_work(Duration::from_secs(48 * 60 * MINUTE));
        assert_eq!(payouts(&mut world, &pair).len(), 5, "{kind}: disabled");

        let on = json!({ "enabled": true });
        let on = world.signed(&pair.partner, org, "PATCH", &path, on);
        assert_eq!(on.data()["reason"], Value::Null, "{kind}: {}", on.body);
        world.work();
        assert_eq!(payouts(&mut world, &pair).len(), 6, "{kind}: at once");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_confirmed_payout_resets_the_back_off_of_its_account() {
    World::each(|kind, mut world| {
        let pair = pair(&mut world);
        maintain(&mut world, &pair, 0, 150);
        let quarter = Duration::from_secs(15 * 60);
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "300");
        world.work();
        fail_last(&mut world, &pair);
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "10");
        world.work();
        let made = payouts(&mut world, &pair);
        assert_eq!(made, ["299.98 8453", "9.98 137"], "{kind}");
        let last = world.read(&pair.shop, "/v1/payouts?limit=1")["items"][0].clone();
        let id = automation(&mut world, &pair)["id"].clone();
        assert_eq!(last["properties"]["automation_id"], id, "{kind}: {last}");
        for _ in 0..4 {
            world.pass_and_work(Duration::from_secs(60));
        }
        let shown = automation(&mut world, &pair);
        assert_eq!(
            shown["reason"], "PayoutFailed",
            "{kind}: of the other account"
        );
        world.pass_and_work(quarter);
        assert_eq!(payouts(&mut world, &pair).len(), 3, "{kind}");
        for _ in 0..4 {
            world.pass_and_work(Duration::from_secs(60));
        }
        let shown = automation(&mut world, &pair);
        assert_eq!(
            (&shown["reason"], &shown["paused_until"]),
            (&Value::Null, &Value::Null),
            "{kind}: it arrived"
        );
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "300");
        world.work();
        fail_last(&mut world, &pair);
        let until = world.now.plus(quarter).to_string();
        let shown = automation(&mut world, &pair);
        assert_eq!(shown["paused_until"], until, "{kind}: the first again");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_surplus_is_never_sent_to_its_own_account() {
    World::each(|kind, mut world| {
        let pair = pair(&mut world);
        let below = world.read(&pair.shop, &format!("/v1/accounts/{}", pair.below[1]));
        for account in [pair.account, pair.below[1]] {
            let path = format!("/v1/partners/accounts/id/{account}/automations/maintain-balance");
            let body = json!({ "currency": "USDC", "minimum_threshold_amount": 1,
                "payout_address": below["address"], "payout_threshold_amount": 2 });
            let made = world.signed(&pair.partner, Some(pair.shop.id), "POST", &path, body);
            assert_eq!(made.refusal(), "422 EXCLUDED payout_address", "{kind}");
        }
        assert_eq!(automation(&mut world, &pair), Value::Null, "{kind}");
    });
}
