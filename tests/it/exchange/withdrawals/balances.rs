//! The available balance while a withdrawal is under way, and after it has ended.

use serde_json::json;
use settlekit_service::exchange::{
    ExchangeWithdrawalStatus, NewExchangeWithdrawal, WithdrawalFault,
};

use super::super::answer;
use super::bank::HASH;
use super::{WithdrawalWorld, amount, hundred};

#[test]
fn the_rest_of_the_balance_is_free_and_nothing_twice() {
    WithdrawalWorld::each(|kind, mut world| {
        let more = NewExchangeWithdrawal {
            amount: amount("1001"),
            ..hundred()
        };
        let available = |text: &str| {
            let available = Some(amount(text));
            WithdrawalFault::NotAvailable("Kraken".to_owned(), hundred().currency, available)
        };
        assert_eq!(world.faults(&more), [available("1000")], "{kind}");
        let (_, send) = world.sending();
        assert_eq!(world.faults(&more)[0], available("900"), "{kind}");
        world.answer(&send);
        assert_eq!(
            world.faults(&more)[0],
            available("900"),
            "{kind}: not read yet"
        );
        // The balance at the exchange, which is read now, is less the accepted withdrawal.
        world.live(90);
        assert_eq!(world.faults(&more)[0], available("900"), "{kind}: once");
    });
}

#[test]
fn what_the_exchange_has_sent_is_not_free_before_the_balances_are_read_again() {
    WithdrawalWorld::each(|kind, mut world| {
        let more = NewExchangeWithdrawal {
            amount: amount("1001"),
            ..hundred()
        };
        let (_, send) = world.sending();
        world.answer(&send);
        world.bank.set_status("AFAKE-1", "Success");
        let find = world.withdrawal_round();
        world.answer(&find);
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Accepted, "{kind}");
        let available = Some(amount("900"));
        let expected =
            WithdrawalFault::NotAvailable("Kraken".to_owned(), hundred().currency, available);
        assert_eq!(world.faults(&more)[0], expected, "{kind}");
        world.live(120);
        assert_eq!(
            world.status(),
            ExchangeWithdrawalStatus::Completed,
            "{kind}"
        );
    });
}

#[test]
fn balances_of_a_request_before_the_acceptance_show_no_withdrawal_however_late_they_are_reported() {
    WithdrawalWorld::each(|kind, mut world| {
        let more = NewExchangeWithdrawal {
            amount: amount("1001"),
            ..hundred()
        };
        world.pass(60);
        let read = world.round().expect("the balances");
        assert_eq!(read.withdrawal(), None, "{kind}");
        let before = world.answers(&read);
        world.pass(60);
        let (_, send) = world.sending();
        world.answer(&send);
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Accepted, "{kind}");
        // By the clock of the server that reports, it is later.
        world.pass(20);
        world.report(&read, &before);
        let available = Some(amount("900"));
        let expected =
            WithdrawalFault::NotAvailable("Kraken".to_owned(), hundred().currency, available);
        assert_eq!(world.faults(&more)[0], expected, "{kind}");
        world.bank.set_status("AFAKE-1", "Success");
        let find = world.withdrawal_round();
        world.answer(&find);
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Accepted, "{kind}");
        assert_eq!(world.faults(&more)[0], expected, "{kind}");
        world.live(120);
        let completed = ExchangeWithdrawalStatus::Completed;
        assert_eq!(world.status(), completed, "{kind}");
        assert_eq!(world.faults(&more), [expected], "{kind}");
    });
}

#[test]
fn a_transaction_that_is_listed_late_is_waited_for_a_few_minutes() {
    WithdrawalWorld::each(|kind, mut world| {
        for (is_listed, hash) in [(true, Some(HASH.to_owned())), (false, None)] {
            let (_, send) = world.sending();
            world.answer(&send);
            let last = format!("AFAKE-{}", world.bank.withdrawn.len());
            world.bank.set_status(&last, "Success");
            let mut listed = world.bank.listed.iter_mut();
            let entry = listed.find(|one| one["refid"] == last.as_str());
            entry.expect("it is listed")["txid"] = json!(null);
            world.live(120);
            assert_eq!(world.status(), ExchangeWithdrawalStatus::Accepted, "{kind}");
            if is_listed {
                world.bank.set_status(&last, "Success");
            }
            world.live(240);
            let latest = world.latest();
            assert_eq!(latest.status, ExchangeWithdrawalStatus::Completed, "{kind}");
            assert_eq!(latest.hash.map(|hash| hash.to_string()), hash, "{kind}");
        }
    });
}

#[test]
fn while_balances_cannot_be_read_a_sent_withdrawal_waits_and_they_are_asked_for_less_and_less() {
    const MINUTES: usize = 60;
    WithdrawalWorld::each(|kind, mut world| {
        let (_, send) = world.sending();
        world.answer(&send);
        world.bank.set_status("AFAKE-1", "Success");
        let mut reads = 0;
        for minute in 0..MINUTES {
            world.pass(60);
            while let Some(round) = world.round() {
                if round.withdrawal().is_some() {
                    world.answer(&round);
                } else {
                    reads += 1;
                    world.report(&round, &[answer(503, "")]);
                }
            }
            let accepted = ExchangeWithdrawalStatus::Accepted;
            assert_eq!(world.status(), accepted, "{kind}: minute {minute}");
        }
        assert!((1..MINUTES / 2).contains(&reads), "{kind}: {reads}");
        world.live(3600);
        let completed = ExchangeWithdrawalStatus::Completed;
        assert_eq!(world.status(), completed, "{kind}");
    });
}
