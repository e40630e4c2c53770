//! Answers that are lost, late or wrong: the only new withdrawal with the same terms is ours, and the operator decides the rest.

use alloy_primitives::Address;
use serde_json::{Value, json};
use settlekit_service::exchange::ExchangeWithdrawalStatus;
use settlekit_service::web_answer::WebAnswer;

use super::bank::{Bank, TIMED_OUT, unclear_answers};
use super::{WithdrawalWorld, answer, answered, failed};

impl WithdrawalWorld {
    /// Sends 100 dollars, which is answered so; whether the exchange withdraws nevertheless.
    fn send_with(&mut self, fault: WebAnswer, is_done: bool) {
        self.bank.fault = Some((fault, is_done));
        let (_, send) = self.sending();
        self.answer(&send);
        self.bank.fault = None;
    }

    fn wallet(&self) -> Address {
        self.world.connected.wallet
    }

    /// Lists a withdrawal of 100 dollars to the hot wallet with a change.
    fn list(&mut self, id: &str, change: impl Fn(&mut Value)) {
        let mut entry = Bank::entry(id, self.wallet());
        change(&mut entry);
        self.bank.listed.push(entry);
    }
}

#[test]
fn a_lost_answer_is_found_by_the_only_new_id_whatever_the_order_of_the_list() {
    WithdrawalWorld::each(|kind, mut world| {
        world.bank.balance = 100_000;
        for id in ["ABEFORE-1", "ABEFORE-2", "ABEFORE-3"] {
            world.list(id, |_| {});
        }
        for (place, unclear) in (1..).zip(unclear_answers()) {
            world.send_with(unclear.clone(), true);
            let (status, exchange_id, error) = world.outcome();
            assert_eq!(
                status,
                ExchangeWithdrawalStatus::Unknown,
                "{kind} {unclear:?}"
            );
            assert_eq!(exchange_id, None, "{kind} {unclear:?}");
            assert!(error.is_some(), "{kind} {unclear:?}");
            // Limits pause the account for ten minutes.
            world.live(630);
            let expected = format!("AFAKE-{place}");
            let (status, exchange_id, error) = world.outcome();
            assert_eq!(
                status,
                ExchangeWithdrawalStatus::Accepted,
                "{kind} {unclear:?}"
            );
            assert_eq!(exchange_id, Some(expected.clone()), "{kind} {unclear:?}");
            assert_eq!(error, None, "{kind} {unclear:?}");
            world.bank.set_status(&expected, "Success");
            world.live(60);
            let completed = ExchangeWithdrawalStatus::Completed;
            assert_eq!(world.status(), completed, "{kind} {unclear:?}");
        }
        let sent = unclear_answers().len();
        assert_eq!(world.bank.withdrawn.len(), sent, "{kind}: each once");
        world.is_sound(kind);
    });
}

#[test]
fn a_withdrawal_that_the_exchange_never_lists_is_neither_sent_again_nor_assumed_to_have_failed() {
    WithdrawalWorld::each(|kind, mut world| {
        world.list("ABEFORE-1", |_| {});
        for unclear in unclear_answers() {
            world.send_with(unclear.clone(), false);
            let sent = world.bank.withdrawn.len();
            world.live(3_600);
            // A week later, too.
            for _ in 0..7 {
                world.pass(24 * 3_600);
                world.work();
            }
            assert_eq!(
                world.status(),
                ExchangeWithdrawalStatus::Unknown,
                "{kind} {unclear:?}"
            );
            assert_eq!(world.bank.withdrawn.len(), sent, "{kind} {unclear:?}");
            let alarms = world.world.failures.iter();
            let alarms = alarms.filter(|alarm| alarm.contains("resolve-withdrawal"));
            assert_eq!(alarms.count(), sent, "{kind} {unclear:?}: one each");
            // It is listed at last: a slow exchange.
            let id = format!("ALATE-{sent}");
            world.list(&id, |_| {});
            world.bank.set_status(&id, "Success");
            world.pass(3_600);
            world.live(120);
            let (status, exchange_id, _) = world.outcome();
            assert_eq!(
                status,
                ExchangeWithdrawalStatus::Completed,
                "{kind} {unclear:?}"
            );
            assert_eq!(exchange_id, Some(id), "{kind} {unclear:?}");
        }
    });
}

#[test]
fn of_several_new_withdrawals_none_is_taken_for_ours() {
    WithdrawalWorld::each(|kind, mut world| {
        world.send_with(TIMED_OUT, true);
        world.list("AOTHER-1", |_| {});
        world.live(3_600);
        let (status, exchange_id, error) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Unknown, "{kind}");
        assert_eq!(exchange_id, None, "{kind}");
        let error = error.expect("the ids");
        assert!(error.contains("AFAKE-1"), "{kind}: {error}");
        assert!(error.contains("AOTHER-1"), "{kind}: {error}");
        assert_eq!(world.bank.withdrawn.len(), 1, "{kind}");
    });
}

#[test]
fn a_new_withdrawal_with_other_terms_is_not_ours() {
    let stranger = Address::repeat_byte(9).to_string();
    let changes: [&dyn Fn(&mut Value); 10] = [
        &|one| one["amount"] = json!("100"),
        &|one| one["amount"] = json!("98.99"),
        &|one| one["fee"] = json!("2"),
        &|one| one["asset"] = json!("USDT"),
        &|one| one["key"] = json!("cold"),
        &|one| one["info"] = json!(stranger),
        &|one| one["info"] = json!("a bank"),
        &|one| {
            one["info"] = json!(null);
            one["key"] = json!("");
        },
        // Years before.
        &|one| one["time"] = json!(1_500_000_000),
        &|one| one["time"] = json!(0),
    ];
    WithdrawalWorld::each(|kind, mut world| {
        world.send_with(TIMED_OUT, false);
        for (place, change) in (1..).zip(changes) {
            world.list(&format!("AOTHER-{place}"), change);
        }
        world.live(600);
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Unknown, "{kind}");
        // Either key or address is enough; a time may have a fraction.
        world.list("AOURS-1", |one| {
            one["info"] = json!(null);
            one["time"] = json!(1_900_000_000.25);
        });
        world.live(1_200);
        let (_, exchange_id, _) = world.outcome();
        assert_eq!(exchange_id.as_deref(), Some("AOURS-1"), "{kind}");
    });
}

#[test]
fn the_id_of_another_withdrawal_is_not_believed() {
    WithdrawalWorld::each(|kind, mut world| {
        // One of ours, and one that was listed before.
        let (_, send) = world.sending();
        world.answer(&send);
        world.bank.set_status("AFAKE-1", "Success");
        world.live(60);
        assert_eq!(
            world.status(),
            ExchangeWithdrawalStatus::Completed,
            "{kind}"
        );
        world.list("ABEFORE-1", |_| {});
        // A list is limited: the earlier withdrawal is no longer in it.
        world.bank.listed.retain(|one| one["refid"] != "AFAKE-1");
        for (place, reused) in [(2, "AFAKE-1"), (3, "ABEFORE-1")] {
            world.send_with(answered(&json!({ "refid": reused })), true);
            let (status, exchange_id, error) = world.outcome();
            assert_eq!(status, ExchangeWithdrawalStatus::Unknown, "{kind} {reused}");
            assert_eq!(exchange_id, None, "{kind} {reused}");
            let error = error.expect("a reason");
            assert!(error.contains(reused), "{kind}: {error}");
            // The list comes back with the old one, which is a row of ours.
            world.list("AFAKE-1", |_| {});
            world.live(60);
            let (status, exchange_id, _) = world.outcome();
            assert_eq!(
                status,
                ExchangeWithdrawalStatus::Accepted,
                "{kind} {reused}"
            );
            assert_eq!(exchange_id, Some(format!("AFAKE-{place}")), "{kind}");
            world.bank.set_status(&format!("AFAKE-{place}"), "Success");
            world.live(60);
            world.bank.listed.retain(|one| one["refid"] != "AFAKE-1");
        }
    });
}

#[test]
fn an_accepted_withdrawal_that_is_listed_otherwise_or_not_at_all_stays_in_doubt() {
    WithdrawalWorld::each(|kind, mut world| {
        let (_, send) = world.sending();
        world.answer(&send);
        let right = world.bank.listed.clone();
        world.bank.listed[0]["amount"] = json!("999");
        world.bank.set_status("AFAKE-1", "Success");
        world.live(600);
        let (status, exchange_id, error) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Accepted, "{kind}");
        assert_eq!(exchange_id.as_deref(), Some("AFAKE-1"), "{kind}");
        let other = "the exchange lists AFAKE-1 with other terms";
        assert_eq!(error.as_deref(), Some(other), "{kind}");
        world.bank.listed.clear();
        world.live(1_200);
        let (status, _, error) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Accepted, "{kind}");
        let missing = "the exchange does not list AFAKE-1";
        assert_eq!(error.as_deref(), Some(missing), "{kind}");
        assert_eq!(world.world.failures.len(), 1, "{kind}: one alarm");
        world.bank.listed = right;
        world.bank.set_status("AFAKE-1", "Success");
        world.live(1_200);
        let completed = ExchangeWithdrawalStatus::Completed;
        assert_eq!(world.outcome().0, completed, "{kind}");
    });
}

#[test]
fn a_list_that_is_no_list_of_withdrawals_is_no_answer() {
    WithdrawalWorld::each(|kind, mut world| {
        world.send_with(TIMED_OUT, true);
        let wallet = world.wallet();
        let with = |name: &str, value: Value| {
            let mut entry = Bank::entry("AFAKE-1", wallet);
            entry[name] = value;
            answered(&json!([entry]))
        };
        let fine = Bank::entry("AFAKE-1", wallet);
        for broken in [
            TIMED_OUT,
            answer(502, "<html>"),
            answer(200, "<html>"),
            answered(&json!({ "withdrawals": [fine] })),
            answered(&json!([fine, fine])),
            with("refid", json!("a/b")),
            with("refid", json!(null)),
            with("amount", json!("much")),
            with("amount", json!("-99")),
            with("fee", json!("-1")),
            with("time", json!("now")),
            with("status", json!(null)),
            failed("EGeneral:Permission denied"),
        ] {
            world.bank.list_fault = Some(broken.clone());
            world.pass(700);
            world.work();
            let (status, exchange_id, error) = world.outcome();
            assert_eq!(
                status,
                ExchangeWithdrawalStatus::Unknown,
                "{kind} {broken:?}"
            );
            assert_eq!(exchange_id, None, "{kind} {broken:?}");
            assert!(error.is_some(), "{kind} {broken:?}");
        }
        world.bank.list_fault = None;
        world.pass(700);
        world.work();
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Accepted, "{kind}");
    });
}

#[test]
fn an_answer_that_comes_an_hour_late_counts_if_it_names_the_withdrawal() {
    WithdrawalWorld::each(|kind, mut world| {
        let (_, send) = world.sending();
        let _lost = world.answers(&send);
        // Another one like it makes the list ambiguous.
        world.list("AOTHER-1", |_| {});
        world.live(3_600);
        for late in [failed("EFunding:Invalid amount"), TIMED_OUT] {
            world.report(&send, &[late]);
            assert_eq!(world.status(), ExchangeWithdrawalStatus::Unknown, "{kind}");
        }
        world.pass(600);
        let find = world.withdrawal_round();
        world.report(&send, &[answered(&json!({ "refid": "AFAKE-1" }))]);
        let (status, exchange_id, _) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Accepted, "{kind}");
        assert_eq!(exchange_id.as_deref(), Some("AFAKE-1"), "{kind}");
        // The earlier question is over.
        world.answer(&find);
        assert_eq!(world.outcome().1.as_deref(), Some("AFAKE-1"), "{kind}");
        world.live(120);
        assert_eq!(world.outcome().2, None, "{kind}: it is followed");
    });
}

#[test]
fn a_late_answer_with_another_id_is_an_alarm_and_counts_more_than_the_list() {
    WithdrawalWorld::each(|kind, mut world| {
        let (_, send) = world.sending();
        let _lost = world.answers(&send);
        let ours = world.bank.listed.remove(0);
        world.list("AOTHER-1", |_| {});
        world.live(120);
        assert_eq!(world.outcome().1.as_deref(), Some("AOTHER-1"), "{kind}");
        world.bank.listed.push(ours);
        let late = |world: &mut WithdrawalWorld, id: &str| {
            world.world.failures.clear();
            world.report(&send, &[answered(&json!({ "refid": id }))]);
            let alarms = world.world.failures.join("; ");
            world.world.failures.clear();
            (world.outcome().1.expect("an id"), alarms)
        };
        let (id, alarm) = late(&mut world, "AFAKE-1");
        assert_eq!(id, "AFAKE-1", "{kind}");
        assert!(alarm.contains("was taken for AOTHER-1"), "{kind}: {alarm}");
        // Of two answers of the exchange the first one counts.
        let (id, alarm) = late(&mut world, "AFAKE-9");
        assert_eq!(id, "AFAKE-1", "{kind}");
        assert!(alarm.contains("as AFAKE-9"), "{kind}: {alarm}");
        world.bank.set_status("AFAKE-1", "Success");
        world.live(120);
        let completed = ExchangeWithdrawalStatus::Completed;
        assert_eq!(world.status(), completed, "{kind}");
        let (id, alarm) = late(&mut world, "AFAKE-9");
        assert_eq!((world.status(), id.as_str()), (completed, "AFAKE-1"));
        assert!(alarm.contains("as AFAKE-9"), "{kind}: {alarm}");
        let (_, alarm) = late(&mut world, "AFAKE-1");
        assert_eq!(alarm, "", "{kind}");
        // One that was recorded as refused.
        let (_, send) = world.sending();
        world.report(&send, &[failed("EFunding:Invalid amount")]);
        world.live(60);
        let refused = ExchangeWithdrawalStatus::Refused;
        assert_eq!(world.status(), refused, "{kind}");
        world.world.failures.clear();
        world.report(&send, &[answered(&json!({ "refid": "AFAKE-8" }))]);
        assert_eq!(world.status(), refused, "{kind}");
        let alarm = world.world.failures.remove(0);
        assert!(alarm.contains("recorded as refused"), "{kind}: {alarm}");
    });
}
