//! The operator enters what the exchange shows of a withdrawal whose outcome is unknown.

use settlekit_service::exchange::{
    ExchangeWithdrawalError, ExchangeWithdrawalStatus, WithdrawalOutcome,
};

use serde_json::json;

use super::bank::{Bank, TIMED_OUT};
use super::{WithdrawalWorld, answered};

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
        world.live(60);
        let completed = world.latest();
        assert_eq!(completed.status, ExchangeWithdrawalStatus::Completed);
        assert_eq!(completed.exchange_id.as_deref(), Some("AFAKE-2"), "{kind}");
        assert_eq!(completed.last_error, None, "{kind}");
    });
}
