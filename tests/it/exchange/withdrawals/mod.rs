//! Withdrawals from exchange accounts to the hot wallet: sent at most once, and their outcome is asked for until it is known.

mod balances;
mod bank;
mod lost;
mod model;
mod refused;
mod resolved;

use std::time::Duration;

use alloy_primitives::Address;
use serde_json::json;
use settlekit_service::exchange::{
    ExchangeAccountError, ExchangeRound, ExchangeWithdrawal, ExchangeWithdrawalError,
    ExchangeWithdrawalStatus, NewAccount, NewExchangeWithdrawal, WithdrawalFault,
};
use settlekit_service::master_key::Rotated;
use settlekit_service::web_answer::WebAnswer;
use settlekit_service::{Options, Seed, Service};
use settlekit_tests::chain::{CONFIRMATIONS, USDC};
use settlekit_tests::world::{amount, currency};

use self::bank::{Bank, HASH, field};
use super::{ExchangeWorld, SEED, answer, answered, new_account};

fn failed(error: &str) -> WebAnswer {
    answer(200, &json!({ "error": [error] }).to_string())
}

/// 100 dollars to the hot wallet on Base.
fn hundred() -> NewExchangeWithdrawal {
    NewExchangeWithdrawal {
        account: "Kraken".to_owned(),
        currency: currency("USDC"),
        chain: "8453".parse().expect("a chain"),
        amount: amount("100"),
        key: "hot".to_owned(),
    }
}

/// An account with 1 000 dollars on which trading is on.
struct WithdrawalWorld {
    world: ExchangeWorld,
    bank: Bank,
    seeds: u64,
}

impl WithdrawalWorld {
    fn each(test: impl Fn(&str, Self)) {
        ExchangeWorld::each(|kind, world| {
            let bank = Bank::new(world.connected.wallet);
            let mut world = Self {
                world,
                bank,
                seeds: 0,
            };
            world.set_trading(true);
            world.work();
            test(kind, world);
        });
    }

    fn set_trading(&mut self, is_on: bool) {
        let (service, database) = self.world.connected.world.parts();
        let set = service.set_exchange_trading(database, "Kraken", is_on);
        assert_eq!(set, Ok(()));
    }

    fn request(&mut self, new: &NewExchangeWithdrawal) -> Result<String, ExchangeWithdrawalError> {
        self.seeds += 1;
        let mut seed = [0xee; 32];
        seed[..8].copy_from_slice(&self.seeds.to_be_bytes());
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        service.withdraw_from_exchange(database, new, now, Seed(seed))
    }

    /// Queues the withdrawal of 100 dollars, a second after all before.
    fn queue(&mut self) -> String {
        self.pass(1);
        self.request(&hundred()).expect("a withdrawal")
    }

    fn faults(&mut self, new: &NewExchangeWithdrawal) -> Vec<WithdrawalFault> {
        match self.request(new) {
            Err(ExchangeWithdrawalError::Faults(faults)) => faults,
            other => panic!("it has faults: {other:?}"),
        }
    }

    /// The round that is due, if any.
    fn round(&mut self) -> Option<ExchangeRound> {
        let mut rounds = self.world.rounds();
        assert!(rounds.len() < 2, "{rounds:?}");
        rounds.pop()
    }

    /// The next round about a withdrawal. Those of balances are answered.
    fn withdrawal_round(&mut self) -> ExchangeRound {
        loop {
            let round = self.round().expect("a round is due");
            if round.withdrawal().is_some() {
                return round;
            }
            self.answer(&round);
        }
    }

    fn report(&mut self, round: &ExchangeRound, answers: &[WebAnswer]) {
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        let failures = service.report_exchange(database, round, answers, now, SEED);
        self.world.failures.extend(failures.expect("a report"));
    }

    /// The exchange gets a round, and answers.
    fn answers(&mut self, round: &ExchangeRound) -> Vec<WebAnswer> {
        let requests = round.requests().iter();
        requests.map(|request| self.bank.answer(request)).collect()
    }

    fn answer(&mut self, round: &ExchangeRound) {
        let answers = self.answers(round);
        self.report(round, &answers);
    }

    /// Answers the rounds that are due now.
    fn work(&mut self) {
        while let Some(round) = self.round() {
            self.answer(&round);
        }
    }

    /// Queues 100 dollars; the round that sends it.
    fn sending(&mut self) -> (String, ExchangeRound) {
        let id = self.queue();
        let check = self.withdrawal_round();
        assert_eq!(check.requests().len(), 3, "{check:?}");
        self.answer(&check);
        let send = self.withdrawal_round();
        assert_eq!(send.requests().len(), 1, "{send:?}");
        assert!(send.requests()[0].url.ends_with("/0/private/Withdraw"));
        (id, send)
    }

    fn pass(&mut self, seconds: u64) {
        self.world.pass(Duration::from_secs(seconds));
    }

    /// Lets time pass in steps, and answers the due rounds after each.
    fn live(&mut self, seconds: u64) {
        for _ in 0..seconds.div_ceil(30) {
            self.pass(30);
            self.work();
        }
    }

    fn all(&mut self) -> Vec<ExchangeWithdrawal> {
        let (service, database) = self.world.connected.world.parts();
        service.exchange_withdrawals(database).expect("withdrawals")
    }

    fn latest(&mut self) -> ExchangeWithdrawal {
        self.all().remove(0)
    }

    /// Status, id of the exchange and error of the latest withdrawal.
    fn outcome(&mut self) -> (ExchangeWithdrawalStatus, Option<String>, Option<String>) {
        let latest = self.latest();
        (latest.status, latest.exchange_id, latest.last_error)
    }

    fn status(&mut self) -> ExchangeWithdrawalStatus {
        self.latest().status
    }

    fn disconnect(&mut self) -> Result<(), ExchangeAccountError> {
        let (service, database) = self.world.connected.world.parts();
        service.disconnect_exchange(database, "Kraken")
    }

    fn is_sound(&mut self, kind: &str) {
        assert_eq!(self.world.connected.differences(), [""; 0], "{kind}");
    }

    /// The operator's own dollars in the hot wallet, in the smallest unit.
    fn own(&mut self, wallet: Address) -> i128 {
        let (service, database) = self.world.connected.world.parts();
        let wallets = service.wallets(database).expect("wallets");
        let mut wallets = wallets.iter();
        let wallet = wallets.find(|of| of.address == wallet).expect("the wallet");
        let mut holdings = wallet.holdings.iter();
        let held = holdings.find(|held| held.currency.as_str() == "USDC");
        held.map_or(0, |held| held.own)
    }
}

#[test]
fn a_withdrawal_is_checked_sent_once_and_followed_until_the_money_is_in_the_hot_wallet() {
    WithdrawalWorld::each(|kind, mut world| {
        let wallet = world.world.connected.wallet;
        // An earlier withdrawal with the same terms.
        world.bank.listed.push(Bank::entry("ABEFORE-1", wallet));
        let id = world.queue();
        let check = world.withdrawal_round();
        assert_eq!(check.withdrawal(), Some(id.as_str()), "{kind}");
        let paths = check.requests().iter().map(|request| &request.url[24..]);
        let paths: Vec<&str> = paths.collect();
        let expected = [
            "/0/private/WithdrawAddresses",
            "/0/private/WithdrawInfo",
            "/0/private/WithdrawStatus",
        ];
        assert_eq!(paths, expected, "{kind}");
        world.answer(&check);
        let send = world.withdrawal_round();
        // Durable before the request leaves.
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Sending, "{kind}");
        let body = &send.requests()[0].body;
        for (name, value) in [
            ("asset", "USDC"),
            ("key", "hot"),
            ("address", wallet.to_string().to_lowercase().as_str()),
            ("amount", "100"),
            ("max_fee", "1"),
        ] {
            assert_eq!(field(body, name), value, "{kind} {name}");
        }
        assert!(world.round().is_none(), "{kind}: one at a time");
        world.answer(&send);
        let accepted = ExchangeWithdrawalStatus::Accepted;
        let exchange_id = Some("AFAKE-1".to_owned());
        assert_eq!(world.outcome(), (accepted, exchange_id.clone(), None));
        world.is_sound(kind);
        for status in ["Initial", "Pending", "Settled", "Something new"] {
            world.bank.set_status("AFAKE-1", status);
            world.live(60);
            assert_eq!(world.status(), accepted, "{kind} {status}");
            world.is_sound(kind);
        }
        assert_eq!(world.own(wallet), 0, "{kind}: nothing has arrived");
        world.bank.set_status("AFAKE-1", "Success");
        world.live(60);
        let completed = world.latest();
        assert_eq!(completed.status, ExchangeWithdrawalStatus::Completed);
        assert_eq!(completed.exchange_id, exchange_id, "{kind}");
        assert_eq!(completed.fee, Some(amount("1")), "{kind}");
        let hash = completed.hash.expect("a transaction").to_string();
        assert_eq!(hash, HASH, "{kind}");
        world.is_sound(kind);
        world
            .world
            .connected
            .chain
            .transfer(Some(USDC), wallet, 99_000_000);
        world.world.connected.blocks(CONFIRMATIONS);
        assert_eq!(world.own(wallet), 99_000_000, "{kind}");
        world.is_sound(kind);
        world.live(3_600);
        assert_eq!(world.bank.withdrawn.len(), 1, "{kind}: it is sent once");
        assert_eq!(world.world.failures, [""; 0], "{kind}");
        assert_eq!(world.world.connected.failures, [""; 0], "{kind}");
        assert_eq!(world.disconnect(), Ok(()), "{kind}");
        assert_eq!(world.all().len(), 1, "{kind}: it is still listed");
    });
}

#[test]
fn a_withdrawal_that_fails_after_it_was_accepted_leaves_the_money_for_the_next_one() {
    WithdrawalWorld::each(|kind, mut world| {
        let (_, send) = world.sending();
        world.answer(&send);
        world.bank.set_status("AFAKE-1", "Failure");
        world.live(60);
        let (status, _, error) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Failed, "{kind}");
        let error = error.expect("a reason");
        assert!(error.contains("stays in the account"), "{kind}: {error}");
        let [alarm] = world.world.failures.as_slice() else {
            panic!("{kind}: {:?}", world.world.failures);
        };
        assert!(alarm.ends_with(&error), "{kind}: {alarm}");
        let (_, send) = world.sending();
        world.answer(&send);
        let (status, exchange_id, _) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Accepted, "{kind}");
        assert_eq!(exchange_id.as_deref(), Some("AFAKE-2"), "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn an_account_sends_one_withdrawal_of_a_currency_at_a_time_whoever_asks() {
    WithdrawalWorld::each(|kind, mut world| {
        let (_, send) = world.sending();
        let usdc = hundred().currency;
        let under_way = [WithdrawalFault::UnderWay("Kraken".to_owned(), usdc)];
        assert_eq!(world.faults(&hundred()), under_way, "{kind}");
        // Two other servers ask.
        assert!(world.round().is_none(), "{kind}");
        world.pass(59);
        assert!(world.round().is_none(), "{kind}");
        world.answer(&send);
        assert_eq!(world.faults(&hundred()), under_way, "{kind}");
        // A report counts once.
        world.report(&send, &[failed("EFunding:Invalid amount")]);
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Accepted, "{kind}");
        // Coins are another currency.
        let coins = NewExchangeWithdrawal {
            currency: currency("ETH"),
            amount: amount("1"),
            ..hundred()
        };
        assert!(world.request(&coins).is_ok(), "{kind}");
        assert_eq!(world.all().len(), 2, "{kind}");
    });
}

#[test]
fn a_withdrawal_goes_on_after_a_restart_at_any_step() {
    WithdrawalWorld::each(|kind, mut world| {
        world.queue();
        let _lost = world.withdrawal_round();
        world.pass(59);
        assert!(world.round().is_none(), "{kind}: it may be under way");
        world.pass(1);
        let check = world.withdrawal_round();
        assert_eq!(check.requests().len(), 3, "{kind}: it is checked again");
        world.answer(&check);
        // What was checked is old after half a minute.
        world.pass(31);
        let check = world.withdrawal_round();
        assert_eq!(check.requests().len(), 3, "{kind}: and again");
        world.answer(&check);
        let send = world.withdrawal_round();
        let _lost = world.answers(&send);
        // All servers were away for two days.
        let sent = world.world.connected.world.now.seconds();
        world.pass(2 * 24 * 3_600);
        let find = world.withdrawal_round();
        let start = field(&find.requests()[0].body, "start");
        assert_eq!(start, (sent - 24 * 3_600).to_string(), "{kind}");
        assert!(
            find.requests()[0].url.ends_with("/WithdrawStatus"),
            "{kind}"
        );
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Unknown, "{kind}");
        world.answer(&find);
        let (status, exchange_id, error) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Accepted, "{kind}");
        assert_eq!((exchange_id.as_deref(), error), (Some("AFAKE-1"), None));
        world.bank.set_status("AFAKE-1", "Success");
        world.pass(24 * 3_600);
        world.live(60);
        let completed = ExchangeWithdrawalStatus::Completed;
        assert_eq!(world.status(), completed, "{kind}");
        assert_eq!(world.bank.withdrawn.len(), 1, "{kind}: it is sent once");
    });
}

#[test]
fn a_server_with_the_new_master_key_sends_what_was_queued_under_the_old_one() {
    WithdrawalWorld::each(|kind, mut world| {
        world.queue();
        let now = world.world.connected.world.now;
        let (service, database) = world.world.connected.world.parts();
        let rotated = service.rotate_master_key(database, &[9; 32], SEED);
        assert!(matches!(rotated, Ok(Rotated::Done(_))), "{kind}");
        let refused = service.exchange_rounds(database, now, SEED);
        assert!(refused.is_err(), "{kind}: the old key");
        let other = Service::new(Options {
            master_key: [9; 32],
            ..service.options().clone()
        });
        for requests in [3, 1] {
            let (_, database) = world.world.connected.world.parts();
            let (rounds, _) = other.exchange_rounds(database, now, SEED).expect("rounds");
            assert_eq!(rounds[0].requests().len(), requests, "{kind}");
            let answers = world.answers(&rounds[0]);
            let (_, database) = world.world.connected.world.parts();
            let reported = other.report_exchange(database, &rounds[0], &answers, now, SEED);
            assert_eq!(reported, Ok(Vec::new()), "{kind}");
        }
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Accepted, "{kind}");
    });
}

#[test]
fn an_account_with_a_withdrawal_under_way_stays_connected() {
    WithdrawalWorld::each(|kind, mut world| {
        let (_, send) = world.sending();
        let under_way = || {
            Err(ExchangeAccountError::WithdrawalUnderWay(
                "Kraken".to_owned(),
            ))
        };
        assert_eq!(world.disconnect(), under_way(), "{kind}");
        assert_eq!(world.world.connect("b3RoZXI=", 1), under_way(), "{kind}");
        // Another key of the same account finds the withdrawal, though trading is off for it.
        let _lost = world.answers(&send);
        let new = NewAccount {
            is_same_account: true,
            ..new_account("b3RoZXI=", 1)
        };
        let now = world.world.connected.world.now;
        let (service, database) = world.world.connected.world.parts();
        let replaced = service.connect_exchange(database, &new, now, SEED);
        assert_eq!(replaced, Ok(()), "{kind}");
        world.live(120);
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Accepted, "{kind}");
        assert_eq!(world.disconnect(), under_way(), "{kind}");
        assert_eq!(world.bank.withdrawn.len(), 1, "{kind}");
    });
}
