//! The operator enters what the exchange shows of a withdrawal whose outcome is unknown.

use std::time::Duration;

use settlekit_service::exchange::{
    Credentials, ExchangeWithdrawalError, ExchangeWithdrawalStatus, NewAccount, WithdrawalOutcome,
};

use serde_json::json;

use super::bank::{Bank, TIMED_OUT};
use super::{SEED, WithdrawalWorld, answered, new_account};

impl WithdrawalWorld {
    pub(super) fn resolve(
        &mut self,
        id: &str,
        outcome: &WithdrawalOutcome,
    ) -> Result<(), ExchangeWithdrawalError> {
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        service.resolve_exchange_withdrawal(database, id, outcome, now)
    }

    /// Sends 100 dollars, and loses the answer.
    fn lose(&mut self, is_done: bool) -> String {
        self.bank.fault = Some((TIMED_OUT, is_done));
        let (id, send) = self.sending();
        self.answer(&send);
        self.bank.fault = None;
        id
    }
}

fn accepted(exchange_id: &str) -> WithdrawalOutcome {
    WithdrawalOutcome::Accepted(exchange_id.to_owned())
}

#[test]
fn a_withdrawal_that_was_not_sent_is_entered_after_the_exchange_was_asked_often_enough() {
    WithdrawalWorld::each(|kind, mut world| {
        let id = world.lose(false);
        let early = Err(ExchangeWithdrawalError::TooEarly(id.clone()));
        let not_sent = WithdrawalOutcome::NotSent;
        assert_eq!(world.resolve(&id, &not_sent), early, "{kind}");
        world.live(60);
        assert_eq!(world.resolve(&id, &not_sent), early, "{kind}");
        world.live(600);
        assert_eq!(world.resolve(&id, &not_sent), Ok(()), "{kind}");
        assert_eq!(world.status(), ExchangeWithdrawalStatus::NotSent, "{kind}");
        let again = Err(ExchangeWithdrawalError::NotInDoubt(id.clone()));
        assert_eq!(world.resolve(&id, &not_sent), again, "{kind}");
        assert_eq!(world.resolve(&id, &accepted("AFAKE-9")), again, "{kind}");
        world.live(600);
        assert_eq!(
            world.bank.withdrawn.len(),
            1,
            "{kind}: it is not sent again"
        );
        // The next one may follow, and the account may leave.
        let (_, send) = world.sending();
        world.answer(&send);
        world.bank.set_status("AFAKE-2", "Success");
        world.live(60);
        assert_eq!(
            world.status(),
            ExchangeWithdrawalStatus::Completed,
            "{kind}"
        );
        assert_eq!(world.disconnect(), Ok(()), "{kind}");
    });
}

#[test]
fn an_exchange_that_answers_no_more_is_waited_for_a_day() {
    WithdrawalWorld::each(|kind, mut world| {
        let id = world.lose(true);
        world.bank.list_fault = Some(TIMED_OUT);
        world.live(3_600);
        let early = Err(ExchangeWithdrawalError::TooEarly(id.clone()));
        let not_sent = WithdrawalOutcome::NotSent;
        assert_eq!(world.resolve(&id, &not_sent), early, "{kind}");
        world.pass(24 * 3_600);
        assert_eq!(world.resolve(&id, &not_sent), Ok(()), "{kind}");
    });
}

#[test]
fn a_day_without_a_server_or_by_a_clock_that_goes_back_proves_nothing() {
    WithdrawalWorld::each(|kind, mut world| {
        let id = world.lose(false);
        let early = Err(ExchangeWithdrawalError::TooEarly(id.clone()));
        let not_sent = WithdrawalOutcome::NotSent;
        world.pass(2 * 24 * 3_600);
        assert_eq!(world.resolve(&id, &not_sent), early, "{kind}");
        let now = world.world.connected.world.now;
        let before = now.minus(Duration::from_secs(9 * 24 * 3_600));
        world.world.connected.world.now = before;
        assert_eq!(world.resolve(&id, &not_sent), early, "{kind}");
    });
}

#[test]
fn a_replaced_api_key_proves_nothing_about_a_request_of_the_old_one() {
    WithdrawalWorld::each(|kind, mut world| {
        let not_sent = WithdrawalOutcome::NotSent;
        for (key, expected) in [("key", Ok(())), ("other", Err(()))] {
            let id = world.lose(false);
            let credentials = Credentials::parse(&format!("{key}\nb3RoZXI="));
            let new = NewAccount {
                is_same_account: true,
                credentials: credentials.expect("credentials"),
                ..new_account("b3RoZXI=", 1)
            };
            let now = world.world.connected.world.now;
            let (service, database) = world.world.connected.world.parts();
            let replaced = service.connect_exchange(database, &new, now, SEED);
            assert_eq!(replaced, Ok(()), "{kind}");
            world.set_trading(true);
            world.live(600);
            let resolved = world.resolve(&id, &not_sent);
            let early = ExchangeWithdrawalError::TooEarly(id.clone());
            assert_eq!(resolved, expected.map_err(|()| early), "{kind} {key}");
        }
        let id = world.latest().id;
        world.pass(24 * 3_600);
        assert_eq!(world.resolve(&id, &not_sent), Ok(()), "{kind}");
    });
}

#[test]
fn an_accepted_withdrawal_keeps_the_id_of_the_answer_and_is_entered_as_completed_or_failed() {
    WithdrawalWorld::each(|kind, mut world| {
        for (outcome, status) in [
            (
                WithdrawalOutcome::Completed,
                ExchangeWithdrawalStatus::Completed,
            ),
            (WithdrawalOutcome::Failed, ExchangeWithdrawalStatus::Failed),
        ] {
            let (id, send) = world.sending();
            world.answer(&send);
            let early = Err(ExchangeWithdrawalError::NotInDoubt(id.clone()));
            assert_eq!(world.resolve(&id, &outcome), early, "{kind}");
            world.bank.listed.clear();
            world.live(600);
            let before = world.outcome().1;
            let sent = Err(ExchangeWithdrawalError::Sent(id.clone()));
            let not_sent = WithdrawalOutcome::NotSent;
            assert_eq!(world.resolve(&id, &not_sent), sent, "{kind}");
            let answered = Err(ExchangeWithdrawalError::IdAnswered(id.clone()));
            assert_eq!(world.resolve(&id, &accepted("AOTHER-1")), answered);
            assert_eq!(world.resolve(&id, &outcome), Ok(()), "{kind}");
            let (found, exchange_id, _) = world.outcome();
            assert_eq!((found, exchange_id), (status, before), "{kind}");
        }
        let id = world.lose(false);
        world.live(600);
        for outcome in [WithdrawalOutcome::Completed, WithdrawalOutcome::Failed] {
            let unknown = Err(ExchangeWithdrawalError::NotAccepted(id.clone()));
            assert_eq!(world.resolve(&id, &outcome), unknown, "{kind}");
        }
    });
}

#[test]
fn an_answer_that_contradicts_the_operator_is_an_alarm() {
    WithdrawalWorld::each(|kind, mut world| {
        let (id, send) = world.sending();
        world.live(3_600);
        assert_eq!(world.resolve(&id, &WithdrawalOutcome::NotSent), Ok(()));
        world.world.failures.clear();
        world.report(&send, &[answered(&json!({ "refid": "AFAKE-1" }))]);
        assert_eq!(world.status(), ExchangeWithdrawalStatus::NotSent, "{kind}");
        let alarm = world.world.failures.remove(0);
        assert!(alarm.contains("AFAKE-1"), "{kind}: {alarm}");
        assert!(alarm.contains("was entered as not sent"), "{kind}: {alarm}");
    });
}

#[test]
fn the_id_that_the_operator_enters_is_of_no_other_withdrawal_and_is_asked_about() {
    WithdrawalWorld::each(|kind, mut world| {
        let (first, send) = world.sending();
        world.answer(&send);
        let doubted = Err(ExchangeWithdrawalError::NotInDoubt(first.clone()));
        assert_eq!(world.resolve(&first, &accepted("AFAKE-1")), doubted);
        world.bank.set_status("AFAKE-1", "Success");
        world.live(60);
        let wallet = world.world.connected.wallet;
        world.bank.listed.clear();
        world.bank.listed.push(Bank::entry("ABEFORE-1", wallet));
        let id = world.lose(true);
        world.bank.listed.push(Bank::entry("AOTHER-1", wallet));
        world.live(600);
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Unknown, "{kind}");
        for (entered, error) in [
            ("", ExchangeWithdrawalError::ExchangeId(String::new())),
            ("a/b", ExchangeWithdrawalError::ExchangeId("a/b".to_owned())),
            (
                "ABEFORE-1",
                ExchangeWithdrawalError::KnownBefore("ABEFORE-1".to_owned()),
            ),
            (
                "AFAKE-1",
                ExchangeWithdrawalError::OfAnother("AFAKE-1".to_owned()),
            ),
        ] {
            let refused = world.resolve(&id, &accepted(entered));
            assert_eq!(refused, Err(error), "{kind} {entered}");
        }
        assert_eq!(world.resolve("nobody", &accepted("AFAKE-2")), {
            Err(ExchangeWithdrawalError::NotInDoubt("nobody".to_owned()))
        });
        // A wrong id is not believed, and can be corrected.
        assert_eq!(world.resolve(&id, &accepted("AWRONG-1")), Ok(()), "{kind}");
        world.live(1_200);
        let (status, _, error) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Accepted, "{kind}");
        let missing = "the exchange does not list AWRONG-1";
        assert_eq!(error.as_deref(), Some(missing), "{kind}");
        assert_eq!(world.resolve(&id, &accepted("AFAKE-2")), Ok(()), "{kind}");
        world.bank.set_status("AFAKE-2", "Success");
        world.live(120);
        let completed = world.latest();
        assert_eq!(completed.status, ExchangeWithdrawalStatus::Completed);
        assert_eq!(completed.exchange_id.as_deref(), Some("AFAKE-2"), "{kind}");
        assert_eq!(completed.last_error, None, "{kind}");
    });
}
