//! Random withdrawals, servers that stop at any line, answers that are lost, late or wrong, and an operator who enters outcomes. Each
//! withdrawal reaches the exchange at most once, and none has an outcome that the exchange does not have.
//!
//! `SETTLEKIT_SEED=17 cargo test -p settlekit-tests --test it withdrawals::model` runs a single seed; `SETTLEKIT_STEPS` sets its steps.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use settlekit_core::value::Timestamp;
use settlekit_service::exchange::{
    ExchangeRound, ExchangeWithdrawal, ExchangeWithdrawalStatus, NewExchangeWithdrawal,
    WithdrawalFault, WithdrawalOutcome,
};
use settlekit_service::web_answer::WebAnswer;

use super::bank::{TIMED_OUT, field, unclear_answers};
use super::{WithdrawalWorld, amount, failed, hundred};
use crate::model::number;
use crate::model::random::Dice;

const STEPS: u64 = 400;

/// A withdrawal at the exchange.
#[derive(Default)]
struct Fact {
    /// Requests that the exchange has taken or refused for good.
    processed: usize,
    /// The exchange's id, if it withdraws.
    exchange_id: Option<String>,
}

struct Run {
    world: WithdrawalWorld,
    dice: Dice,
    facts: BTreeMap<String, Fact>,
    /// Rounds that no server has sent, with their times.
    unsent: Vec<(Timestamp, ExchangeRound)>,
    /// Answers that no server has reported.
    unreported: Vec<(ExchangeRound, Vec<WebAnswer>)>,
    /// The highest nonce that the exchange has seen.
    nonce: u64,
    /// The statuses that withdrawals had.
    seen: BTreeSet<&'static str>,
    log: Vec<String>,
}

impl Run {
    fn one_in(&mut self, sides: usize) -> bool {
        self.dice.below(sides) == 0
    }

    fn act(&mut self) {
        let now = self.world.world.connected.world.now;
        match self.dice.below(12) {
            0 | 1 => {
                let requested = self.world.request(&hundred());
                self.log.push(format!("request {requested:?}"));
            }
            2..=4 => {
                let seconds = [1, 1, 1, 6, 6, 31, 61, 700, 4_000][self.dice.below(9)];
                self.log.push(format!("{seconds} seconds pass"));
                self.world.pass(seconds);
            }
            5..=8 => {
                for round in self.world.world.rounds() {
                    // The server stops before it sends, or is slow.
                    match self.one_in(6) {
                        true => self.unsent.push((now, round)),
                        false => self.deliver(&round),
                    }
                }
            }
            9 => {
                if let Some(place) = self.place(self.unsent.len()) {
                    let (made_at, round) = self.unsent.remove(place);
                    // No request is on its way for a day.
                    if now.since(made_at).as_secs() < 80_000 {
                        self.log.push("late".to_owned());
                        self.deliver(&round);
                    }
                }
            }
            10 => {
                if let Some(place) = self.place(self.unreported.len()) {
                    let (round, answers) = self.unreported.remove(place);
                    self.log.push(format!("late report {answers:?}"));
                    self.world.report(&round, &answers);
                }
            }
            _ => self.decide(),
        }
    }

    fn place(&mut self, len: usize) -> Option<usize> {
        (len > 0).then(|| self.dice.below(len))
    }

    /// The exchange works, or the operator enters an outcome.
    fn decide(&mut self) {
        let listed = self.world.bank.listed.len();
        if self.one_in(2)
            && let Some(place) = self.place(listed)
        {
            let id = self.world.bank.listed[place]["refid"].clone();
            let id = id.as_str().expect("an id");
            let is_final = ["Success", "Failure"].contains(
                &self.world.bank.listed[place]["status"]
                    .as_str()
                    .expect("a status"),
            );
            if !is_final {
                let status = ["Pending", "Success", "Failure"][self.dice.below(3)];
                self.log.push(format!("{id} is {status}"));
                self.world.bank.set_status(id, status);
            }
            // Lists are in any order.
            self.world.bank.listed.rotate_left(place);
            return;
        }
        if self.one_in(3)
            && let Some(latest) = self.world.all().first().cloned()
        {
            let exchange_id = self.facts.get(&latest.id);
            let outcome = match exchange_id.and_then(|fact| fact.exchange_id.clone()) {
                Some(id) => self.found(&id),
                None => WithdrawalOutcome::NotSent,
            };
            let entered = self.world.resolve(&latest.id, &outcome);
            self.log
                .push(format!("enter {}: {outcome:?}: {entered:?}", latest.id));
        }
    }

    /// What the exchange shows of a withdrawal.
    fn found(&mut self, id: &str) -> WithdrawalOutcome {
        let mut listed = self.world.bank.listed.iter();
        let listed = listed.find(|one| one["refid"] == id).expect("it is listed");
        match listed["status"].as_str().expect("a status") {
            "Success" if self.dice.below(2) == 0 => WithdrawalOutcome::Completed,
            "Failure" if self.dice.below(2) == 0 => WithdrawalOutcome::Failed,
            _ => WithdrawalOutcome::Accepted(id.to_owned()),
        }
    }

    /// The exchange gets a round; the answers may be lost.
    fn deliver(&mut self, round: &ExchangeRound) {
        let mut answers = Vec::new();
        for request in round.requests() {
            let nonce = field(&request.body, "nonce").parse().expect("a nonce");
            if nonce <= self.nonce {
                answers.push(failed("EAPI:Invalid nonce"));
                continue;
            }
            self.nonce = nonce;
            let is_instruction = request.url.ends_with("/Withdraw");
            if is_instruction && self.one_in(2) {
                let mut faults = unclear_answers();
                faults.push(failed("EFunding:Invalid amount"));
                let place = self.dice.below(faults.len());
                // A refusal is true.
                let is_done = place + 1 < faults.len() && self.one_in(2);
                self.world.bank.fault = Some((faults.swap_remove(place), is_done));
            }
            if !is_instruction && self.one_in(5) {
                self.world.bank.list_fault = Some(TIMED_OUT);
            }
            self.world.bank.is_lagging = self.one_in(6);
            let before = self.world.bank.listed.len();
            answers.push(self.world.bank.answer(request));
            if is_instruction {
                let id = round.withdrawal().expect("about one").to_owned();
                let fact = self.facts.entry(id).or_default();
                fact.processed += 1;
                if self.world.bank.listed.len() > before {
                    let id = format!("AFAKE-{}", self.world.bank.withdrawn.len());
                    fact.exchange_id = Some(id);
                }
            }
            self.world.bank.fault = None;
            self.world.bank.list_fault = None;
            self.world.bank.is_lagging = false;
        }
        self.log
            .push(format!("{:?} {answers:?}", round.withdrawal()));
        if self.one_in(5) {
            self.unreported.push((round.clone(), answers));
            return;
        }
        self.world.report(round, &answers);
        if self.one_in(8) {
            self.world.report(round, &answers);
        }
    }

    fn check(&mut self) {
        for withdrawal in self.world.all() {
            let fact = self.facts.get(&withdrawal.id);
            let processed = fact.map_or(0, |fact| fact.processed);
            assert!(processed < 2, "{withdrawal:?} was sent twice");
            let real = fact.and_then(|fact| fact.exchange_id.as_deref());
            self.is_true(&withdrawal, real);
            self.seen.insert(withdrawal.status.as_str());
        }
        self.covers_what_leaves();
        let fine: [&str; 0] = [];
        assert_eq!(self.world.world.connected.differences(), fine);
    }

    /// The available balance is never more than the account holds after all waiting withdrawals.
    fn covers_what_leaves(&mut self) {
        let all = self.world.all().into_iter();
        let waiting = all.filter(|one| {
            let is_under_way = matches!(
                one.status,
                ExchangeWithdrawalStatus::Queued
                    | ExchangeWithdrawalStatus::Sending
                    | ExchangeWithdrawalStatus::Unknown
            );
            let fact = self.facts.get(&one.id);
            is_under_way && fact.is_none_or(|fact| fact.processed == 0)
        });
        let waiting = i64::try_from(waiting.count()).expect("few") * 100;
        let rest = self.world.bank.balance - waiting;
        let more = NewExchangeWithdrawal {
            amount: amount("100000000"),
            ..hundred()
        };
        for fault in self.world.faults(&more) {
            if let WithdrawalFault::NotAvailable(_, _, Some(available)) = fault {
                assert!(
                    available <= amount(&rest.to_string()),
                    "{available} of {rest} is available"
                );
            }
        }
    }

    /// Whether the exchange has what the withdrawal says.
    fn is_true(&self, withdrawal: &ExchangeWithdrawal, real: Option<&str>) {
        let known = withdrawal.exchange_id.as_deref();
        assert!(known.is_none() || known == real, "{withdrawal:?}: {real:?}");
        let mut listed = self.world.bank.listed.iter();
        let listed = listed.find(|one| Some(one["refid"].as_str().expect("an id")) == real);
        let status = listed.map(|one| one["status"].as_str().expect("a status"));
        match withdrawal.status {
            ExchangeWithdrawalStatus::Refused | ExchangeWithdrawalStatus::NotSent => {
                assert_eq!(real, None, "{withdrawal:?}");
            }
            ExchangeWithdrawalStatus::Completed => {
                assert_eq!(status, Some("Success"), "{withdrawal:?}");
            }
            ExchangeWithdrawalStatus::Failed => {
                assert_eq!(status, Some("Failure"), "{withdrawal:?}");
            }
            ExchangeWithdrawalStatus::Queued => assert_eq!(real, None, "{withdrawal:?}"),
            _ => {}
        }
    }

    /// Everything is answered at last: what the exchange has is found.
    fn finish(&mut self) {
        self.unsent.clear();
        // What is queued is too old to be sent.
        self.world.pass(4_000);
        self.world.live(4_200);
        for listed in &mut self.world.bank.listed {
            if listed["status"] != "Failure" {
                listed["status"] = "Success".into();
            }
        }
        self.world.live(1_500);
        self.check();
        for withdrawal in self.world.all() {
            let fact = self.facts.get(&withdrawal.id);
            let is_real = fact.is_some_and(|fact| fact.exchange_id.is_some());
            let is_ended = matches!(
                withdrawal.status,
                ExchangeWithdrawalStatus::Completed | ExchangeWithdrawalStatus::Failed
            );
            assert_eq!(is_real, is_ended, "{withdrawal:?}");
        }
    }
}

#[test]
fn random_withdrawals_leave_at_most_once_and_have_no_outcome_that_the_exchange_does_not_have() {
    let seeds = number("SETTLEKIT_SEED").map_or(1..4, |seed| seed..seed + 1);
    let steps = number("SETTLEKIT_STEPS").unwrap_or(STEPS);
    let seen = RefCell::new(BTreeSet::new());
    for seed in seeds {
        WithdrawalWorld::each(|kind, mut world| {
            world.bank.balance = 1_000_000;
            let mut run = Run {
                world,
                dice: Dice::new(seed),
                facts: BTreeMap::new(),
                unsent: Vec::new(),
                unreported: Vec::new(),
                nonce: 0,
                seen: BTreeSet::new(),
                log: vec![format!("{kind}, SETTLEKIT_SEED={seed}")],
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                for _ in 0..steps {
                    run.act();
                    run.check();
                }
                run.finish();
            }));
            if let Err(panic) = outcome {
                eprintln!("{}", run.log.join("\n"));
                resume_unwind(panic);
            }
            seen.borrow_mut().extend(run.seen);
        });
    }
    for status in [
        "Sending",
        "Unknown",
        "Accepted",
        "Completed",
        "Failed",
        "Refused",
    ] {
        assert!(seen.borrow().contains(status), "{status} is tested");
    }
}
