//! What stands in the way of a withdrawal: nothing has left the account then.

use std::time::Duration;

use alloy_primitives::Address;
use serde_json::{Value, json};
use settlekit_service::Seed;
use settlekit_service::exchange::{
    ExchangeError, ExchangeWithdrawalError, ExchangeWithdrawalStatus, NewExchangeWithdrawal,
    WithdrawalFault,
};
use settlekit_service::operator::NewKey;
use settlekit_service::web_answer::WebAnswer;
use settlekit_tests::chain::Connected;
use settlekit_tests::world::{World, currency};

use super::bank::{Bank, TIMED_OUT, address};
use super::{ExchangeWorld, SEED, WithdrawalWorld, amount, answer, failed, hundred};

/// Status and reason of the latest withdrawal, which was not sent.
fn reason(world: &mut WithdrawalWorld, kind: &str) -> String {
    assert!(world.bank.withdrawn.is_empty(), "{kind}: nothing left");
    let (status, exchange_id, error) = world.outcome();
    assert_eq!(
        status,
        ExchangeWithdrawalStatus::Refused,
        "{kind}: {error:?}"
    );
    assert_eq!(exchange_id, None, "{kind}");
    error.expect("a reason")
}

fn pause_chain(world: &mut WithdrawalWorld, is_paused: bool) {
    let (chain, now) = (hundred().chain, world.world.connected.world.now);
    let (service, database) = world.world.connected.world.parts();
    let paused = service.set_chain_paused(database, chain, is_paused, now);
    assert!(paused.is_ok(), "{paused:?}");
}

#[test]
fn everything_that_is_wrong_is_said_at_once_and_nothing_is_stored() {
    WithdrawalWorld::each(|kind, mut world| {
        let wrong = NewExchangeWithdrawal {
            account: "Treasury".to_owned(),
            currency: currency("DOGE"),
            chain: "1".parse().expect("a chain"),
            amount: amount("100"),
            key: String::new(),
        };
        let expected = [
            WithdrawalFault::AccountNotConnected("Treasury".to_owned()),
            WithdrawalFault::Key,
            WithdrawalFault::ChainNotConnected(wrong.chain),
            WithdrawalFault::UnknownCurrency(wrong.chain, wrong.currency.clone()),
        ];
        assert_eq!(world.faults(&wrong), expected, "{kind}");
        world.set_trading(false);
        pause_chain(&mut world, true);
        let wrong = NewExchangeWithdrawal {
            amount: amount("1000.0000001"),
            key: "a\nb".to_owned(),
            ..hundred()
        };
        let faults = world.faults(&wrong);
        assert_eq!(faults.len(), 5, "{kind}: {faults:?}");
        let text = ExchangeWithdrawalError::Faults(faults).to_string();
        for part in [
            "trading is off for Kraken",
            "the key needs 1 to 100 characters, and no control characters",
            "chain 8453 is paused",
            "1000.0000001 is no amount of USDC",
            "only 1000 USDC are available at Kraken",
        ] {
            assert!(text.contains(part), "{kind}: {text}");
        }
        world.set_trading(true);
        pause_chain(&mut world, false);
        for text in ["0", "-1"] {
            let wrong = NewExchangeWithdrawal {
                amount: amount(text),
                ..hundred()
            };
            let faults = world.faults(&wrong);
            let [WithdrawalFault::Amount(..)] = faults.as_slice() else {
                panic!("{kind} {text}: {faults:?}");
            };
        }
        assert_eq!(world.all(), Vec::new(), "{kind}");
        // Nobody has read the balances for five minutes.
        world.pass(300);
        let old = WithdrawalFault::NotAvailable("Kraken".to_owned(), hundred().currency, None);
        assert_eq!(world.faults(&hundred()), [old], "{kind}");
        world.work();
        let long = NewExchangeWithdrawal {
            key: "ü".repeat(100),
            ..hundred()
        };
        assert!(world.request(&long).is_ok(), "{kind}");
    });
}

#[test]
fn a_sandbox_and_a_test_network_get_no_real_money() {
    World::each(|kind, mut world| {
        let now = world.now;
        let (service, database) = world.parts();
        let refused = service.withdraw_from_exchange(database, &hundred(), now, SEED);
        assert_eq!(refused, Err(ExchangeWithdrawalError::Sandbox), "{kind}");
    });
    WithdrawalWorld::each(|kind, mut world| {
        world.world.connected.is_test = true;
        world.world.connected.connect();
        let test = WithdrawalFault::TestNetwork(hundred().chain);
        assert_eq!(world.faults(&hundred()), [test], "{kind}");
    });
}

#[test]
fn an_account_that_the_exchange_wants_left_alone_is_not_asked() {
    WithdrawalWorld::each(|kind, mut world| {
        world.pass(60);
        let round = world.round().expect("the balances");
        world.report(&round, &[failed("EAPI:Rate limit exceeded")]);
        let faults = world.faults(&hundred());
        let [WithdrawalFault::AccountPaused(name, _)] = faults.as_slice() else {
            panic!("{kind}: {faults:?}");
        };
        assert_eq!(name, "Kraken", "{kind}");
        world.pass(600);
        world.work();
        assert!(world.request(&hundred()).is_ok(), "{kind}");
    });
}

/// Changes what the exchange says of the hot wallet.
type Change<'a> = &'a dyn Fn(&mut Bank, Address);

#[test]
fn a_queued_withdrawal_is_refused_with_all_reasons_of_key_fee_and_limit() {
    let cold = Address::repeat_byte(7);
    let changes: [(Change<'_>, &[&str]); 12] = [
        (
            &|bank, _| bank.addresses = json!([]),
            &["the exchange's address book has no hot"],
        ),
        (
            &|bank, wallet| bank.addresses = json!([address("hotter", wallet)]),
            &["the exchange's address book has no hot"],
        ),
        (
            &|bank, wallet| {
                bank.addresses = json!([address("hot", wallet), address("hot", wallet)]);
            },
            &["several addresses named hot"],
        ),
        (
            &|bank, _| bank.addresses = json!([address("hot", cold)]),
            &["hot has another address at the exchange than the hot wallet"],
        ),
        (
            &|bank, _| bank.addresses[0]["address"] = json!("bc1qexample"),
            &["hot has another address"],
        ),
        (
            &|bank, _| bank.addresses[0]["method"] = json!("USDC - Arbitrum One"),
            &[
                "hot has the method USDC - Arbitrum One at the exchange, which is not known to send on chain 8453",
            ],
        ),
        (
            &|bank, _| {
                bank.info = Some(json!({
                    "method": "USDC - Arbitrum One", "limit": "9999", "amount": "99", "fee": "1",
                }));
            },
            &[
                "hot has the method USDC - Base in the exchange's address book, and USDC - Arbitrum One in its terms",
            ],
        ),
        (
            &|bank, _| bank.addresses[0]["method"] = json!("USDC - Base Sepolia"),
            &["the method USDC - Base Sepolia at the exchange"],
        ),
        (
            &|bank, _| {
                bank.addresses[0]["verified"] = json!(false);
                bank.addresses[0]["method"] = json!("USDC");
                bank.fee = "100";
            },
            &[
                "not confirmed",
                "is not known to send on chain 8453",
                "fee of 100",
            ],
        ),
        (&|bank, _| bank.limit = "98.99", &["at most 98.99"]),
        (&|bank, _| bank.fee = "101", &["fee of 101 takes the whole"]),
        (
            &|bank, _| {
                bank.list_fault = Some(failed("EGeneral:Permission denied"));
            },
            &["the API key lacks a permission: EGeneral:Permission denied"],
        ),
    ];
    WithdrawalWorld::each(|kind, mut world| {
        for (change, parts) in &changes {
            let wallet = world.world.connected.wallet;
            world.bank = Bank::new(wallet);
            change(&mut world.bank, wallet);
            world.queue();
            let check = world.withdrawal_round();
            world.answer(&check);
            let reason = reason(&mut world, kind);
            for part in *parts {
                assert!(reason.contains(part), "{kind}: {reason}");
            }
            assert_eq!(reason.matches("; ").count(), parts.len() - 1, "{reason}");
            let alarm = world.world.failures.pop().expect("an alarm");
            assert!(alarm.ends_with(&reason), "{kind}: {alarm}");
        }
    });
}

#[test]
fn a_withdrawal_that_cannot_be_checked_waits_and_is_given_up_after_an_hour() {
    WithdrawalWorld::each(|kind, mut world| {
        let other = |name: &str, value: Value| {
            let mut info = json!({ "method": "USDC", "limit": "9", "amount": "99", "fee": "1" });
            info[name] = value;
            super::answered(&info)
        };
        let broken: [WebAnswer; 5] = [
            TIMED_OUT,
            answer(502, "<html>"),
            answer(200, "<html>"),
            failed("EService:Busy"),
            other("amount", json!("990")),
        ];
        for broken in broken {
            world.bank.list_fault = Some(broken.clone());
            world.queue();
            world.live(600);
            assert_eq!(world.status(), ExchangeWithdrawalStatus::Queued, "{kind}");
            world.live(3_600);
            let late = "no server sent it within an hour of its time";
            let reason = reason(&mut world, kind);
            assert!(reason.starts_with(late), "{kind} {broken:?}: {reason}");
            assert!(reason.contains("the last error: "), "{kind}: {reason}");
        }
        // No server was there at all.
        world.bank.list_fault = None;
        world.queue();
        world.pass(3_601);
        world.work();
        assert!(reason(&mut world, kind).starts_with("no server"), "{kind}");
        // A clock that was ahead.
        world.queue();
        let now = world.world.connected.world.now;
        world.world.connected.world.now = now.minus(Duration::from_secs(7_200));
        world.work();
        assert!(reason(&mut world, kind).starts_with("no server"), "{kind}");
    });
}

#[test]
fn what_changes_while_a_withdrawal_waits_refuses_it_before_anything_leaves() {
    type Change = fn(&mut WithdrawalWorld);
    let changes: [(Change, &str); 3] = [
        (
            |world| world.set_trading(false),
            "trading is off for Kraken",
        ),
        (|world| pause_chain(world, true), "chain 8453 is paused"),
        (
            |world| {
                let now = world.world.connected.world.now;
                let (service, database) = world.world.connected.world.parts();
                let rotated = service.rotate_wallet(database, NewKey::Index(1), now, Seed([3; 32]));
                assert!(rotated.is_ok(), "{rotated:?}");
            },
            "is not the hot wallet in use any more",
        ),
    ];
    WithdrawalWorld::each(|kind, mut world| {
        for (change, expected) in changes {
            // Queued, and checked.
            for is_checked in [false, true] {
                if expected.starts_with("is not") && is_checked {
                    continue;
                }
                world.set_trading(true);
                pause_chain(&mut world, false);
                world.queue();
                if is_checked {
                    let check = world.withdrawal_round();
                    world.answer(&check);
                }
                change(&mut world);
                world.work();
                let reason = reason(&mut world, kind);
                assert!(reason.contains(expected), "{kind}: {reason}");
            }
        }
    });
}

#[test]
fn a_hot_wallet_that_is_replaced_or_a_key_that_changes_after_the_check_gets_nothing() {
    WithdrawalWorld::each(|kind, mut world| {
        world.queue();
        let check = world.withdrawal_round();
        world.answer(&check);
        // The exchange compares the address that the request names with that of the key.
        let checked = world.bank.addresses.clone();
        world.bank.addresses[0]["address"] = json!(Address::repeat_byte(7).to_string());
        world.work();
        world.live(60);
        assert_eq!(world.bank.withdrawn.len(), 1, "{kind}");
        assert!(world.bank.listed.is_empty(), "{kind}: nothing has left");
        let (status, _, error) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Refused, "{kind}");
        let words = "the exchange refuses the withdrawal: EFunding:Invalid withdrawal address";
        assert_eq!(error.as_deref(), Some(words), "{kind}");
        world.bank.withdrawn.clear();
        world.bank.addresses = checked;
        world.queue();
        let check = world.withdrawal_round();
        world.answer(&check);
        let now = world.world.connected.world.now;
        let (service, database) = world.world.connected.world.parts();
        let rotated = service.rotate_wallet(database, NewKey::Index(1), now, Seed([3; 32]));
        let new = rotated.expect("a new wallet");
        world.work();
        assert!(reason(&mut world, kind).contains("not the hot wallet"));
        // The key has the old address until it is changed at the exchange.
        world.queue();
        world.work();
        assert!(reason(&mut world, kind).contains("another address"));
        world.bank.addresses = json!([address("hot", new)]);
        world.queue();
        world.work();
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Accepted, "{kind}");
        assert_eq!(world.latest().wallet, new, "{kind}");
    });
}

#[test]
fn a_refusal_ends_a_withdrawal_in_the_words_of_the_exchange_unless_it_is_listed_nevertheless() {
    WithdrawalWorld::each(|kind, mut world| {
        for (error, shown) in [
            (
                "EFunding:Unknown withdraw key",
                "the exchange refuses the withdrawal: EFunding:Unknown withdraw key",
            ),
            (
                "EFunding:Max fee exceeded",
                "the exchange refuses the withdrawal: EFunding:Max fee exceeded",
            ),
            (
                "EGeneral:Permission denied",
                "the API key lacks a permission: EGeneral:Permission denied",
            ),
            (
                "EFunding:<b>\"new\"</b>",
                "the exchange refuses the withdrawal",
            ),
        ] {
            world.bank.fault = Some((failed(error), false));
            let (_, send) = world.sending();
            world.answer(&send);
            assert_eq!(
                world.status(),
                ExchangeWithdrawalStatus::Unknown,
                "{kind} {error}"
            );
            world.live(60);
            let (status, _, error) = world.outcome();
            assert_eq!(status, ExchangeWithdrawalStatus::Refused, "{kind} {shown}");
            assert_eq!(error.as_deref(), Some(shown), "{kind}");
        }
        let sent = world.bank.withdrawn.len();
        assert_eq!(sent, 4, "{kind}: each once");
        world.bank.fault = Some((failed("EFunding:Invalid amount"), true));
        let (_, send) = world.sending();
        world.answer(&send);
        world.world.failures.clear();
        world.live(30);
        let (status, exchange_id, error) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Unknown, "{kind}");
        assert_eq!(exchange_id, None, "{kind}");
        let error = error.expect("both");
        assert!(error.contains("EFunding:Invalid amount"), "{kind}: {error}");
        assert!(error.contains("lists AFAKE-5"), "{kind}: {error}");
        assert!(world.world.failures[0].ends_with(&error), "{kind}");
        // Whatever is listed later, it is not refused.
        let listed = std::mem::take(&mut world.bank.listed);
        world.live(600);
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Unknown, "{kind}");
        world.bank.listed = listed;
        world.live(600);
        let (status, exchange_id, _) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Accepted, "{kind}");
        assert_eq!(exchange_id.as_deref(), Some("AFAKE-5"), "{kind}");
    });
}

#[test]
fn a_refusal_needs_two_lists_without_the_withdrawal() {
    WithdrawalWorld::each(|kind, mut world| {
        world.bank.fault = Some((failed("EFunding:Invalid amount"), true));
        let (_, send) = world.sending();
        world.answer(&send);
        world.bank.is_lagging = true;
        world.live(30);
        let (status, _, error) = world.outcome();
        assert_eq!(status, ExchangeWithdrawalStatus::Unknown, "{kind}");
        let words = "the exchange refuses the withdrawal: EFunding:Invalid amount";
        assert_eq!(error.as_deref(), Some(words), "{kind}");
        world.bank.is_lagging = false;
        world.live(120);
        assert_eq!(world.status(), ExchangeWithdrawalStatus::Accepted, "{kind}");
    });
}

#[test]
fn an_amount_that_the_exchange_would_round_is_refused() {
    WithdrawalWorld::each(|kind, mut world| {
        world.bank.info = Some(json!({
            "method": "USDC - Base", "limit": "9999", "amount": "99.1234", "fee": "1",
        }));
        let fine = NewExchangeWithdrawal {
            amount: amount("100.123456"),
            ..hundred()
        };
        assert!(world.request(&fine).is_ok(), "{kind}");
        world.work();
        let expected = "the exchange takes fewer decimal places: it would send 100.1234";
        assert_eq!(reason(&mut world, kind), expected, "{kind}");
    });
}

#[test]
fn a_withdrawal_without_a_hot_wallet_has_nowhere_to_go() {
    ExchangeWorld::each(|kind, mut world| {
        let Connected {
            world: connected, ..
        } = &mut world.connected;
        let now = connected.now;
        let (service, database) = connected.parts();
        database
            .execute("DELETE FROM nonces_of_wallets", &[])
            .expect("no nonces");
        database.execute("DELETE FROM wallets", &[]).expect("none");
        let refused = service.withdraw_from_exchange(database, &hundred(), now, SEED);
        let Err(ExchangeWithdrawalError::Faults(faults)) = refused else {
            panic!("{kind}: {refused:?}");
        };
        assert!(
            faults.contains(&WithdrawalFault::NoWallet),
            "{kind}: {faults:?}"
        );
    });
}

#[test]
fn damaged_credentials_refuse_a_queued_withdrawal_and_make_the_outcome_of_a_sent_one_unknown() {
    WithdrawalWorld::each(|kind, mut world| {
        let (_, send) = world.sending();
        let _lost = world.answers(&send);
        let coins = NewExchangeWithdrawal {
            currency: currency("ETH"),
            amount: amount("1"),
            ..hundred()
        };
        world.pass(60);
        assert!(world.request(&coins).is_ok(), "{kind}");
        let (_, database) = world.world.connected.world.parts();
        let damage = "UPDATE exchange_accounts SET credentials = ?1";
        let damaged = database.execute(damage, &[b"damaged".as_slice().into()]);
        damaged.expect("an update");
        assert!(world.round().is_none(), "{kind}");
        let shown = world
            .all()
            .into_iter()
            .map(|one| (one.status, one.last_error));
        let error = Some(ExchangeError::CredentialsDamaged.to_string());
        let expected = [
            (ExchangeWithdrawalStatus::Refused, error.clone()),
            (ExchangeWithdrawalStatus::Unknown, error),
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{kind}");
    });
}
