//! An operator withdraws own money from a hot wallet, and nothing of the merchants'.

mod faults;

use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_service::block::Transfer;
use settlekit_service::operator::{NewKey, NewWithdrawal, OperatorError};
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest};
use settlekit_service::{FACTORY, Seed, TransferIndex};
use settlekit_tests::chain::{CONFIRMATIONS, Connected, GAS_MONEY, USDC};
use settlekit_tests::hot_wallet::FEE;
use settlekit_tests::world::{Shop, amount};

use super::sending::{GAS, broadcast, estimated, funded, sent, status};

const OWNER: Address = Address::repeat_byte(0x77);

fn own(amount: &str, currency: &str) -> NewWithdrawal {
    NewWithdrawal {
        chain: "8453".parse().expect("a chain"),
        wallet: None,
        currency: currency.parse().expect("a currency"),
        amount: amount.parse().expect("an amount"),
        to: OWNER,
    }
}

fn withdraw(connected: &mut Connected, new: &NewWithdrawal) -> Result<Address, OperatorError> {
    let now = connected.world.now;
    let (service, database) = connected.world.parts();
    service.withdraw_own_money(database, new, now, Seed([8; 32]))
}

/// The operator's own USDC in a hot wallet and the part to withdraw.
fn dollars(connected: &mut Connected, wallet: Address) -> (i128, i128) {
    let (service, database) = connected.world.parts();
    let wallets = service.wallets(database).expect("wallets");
    let of = wallets
        .iter()
        .find(|of| of.address == wallet)
        .expect("the wallet");
    let mut holdings = of.holdings.iter();
    let held = holdings.find(|held| held.currency.as_str() == "USDC");
    held.map_or((0, 0), |held| (held.own, held.available))
}

/// The alarm about a withdrawal of 4 USDC.
fn not_executed(wallet: Address) -> String {
    format!(
        "the withdrawal of 4 USDC from hot wallet {wallet} on chain 8453 was not executed: your money there does not cover it, or the \
         network refused or reverted it"
    )
}

/// A hot wallet with 10 USDC of a merchant's and 5 of the operator's.
fn each(test: impl Fn(&str, Connected, Shop)) {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let wallet = connected.wallet;
        connected.chain.transfer(Some(USDC), wallet, 5_000_000);
        connected.blocks(CONFIRMATIONS);
        assert_eq!(
            dollars(&mut connected, wallet),
            (5_000_000, 5_000_000),
            "{kind}"
        );
        test(kind, connected, shop);
    });
}

/// The withdrawal is mined, and settled.
fn settle(connected: &mut Connected, nonce: u64, units: Option<u64>) {
    let (_, hash) = sent(connected);
    let from = connected.wallet;
    connected.mine((hash, from, nonce), units.is_some());
    if let Some(units) = units {
        connected.move_usdc(hash, (from, OWNER), units);
    }
    connected.blocks(CONFIRMATIONS);
}

#[test]
fn the_operators_own_money_leaves_and_the_books_agree_without_an_alarm() {
    each(|kind, mut connected, _| {
        let wallet = connected.wallet;
        assert_eq!(
            withdraw(&mut connected, &own("4", "USDC")),
            Ok(wallet),
            "{kind}"
        );
        settle(&mut connected, 0, Some(4_000_000));
        assert_eq!(
            dollars(&mut connected, wallet),
            (1_000_000, 1_000_000),
            "{kind}"
        );
        assert_eq!(connected.differences(), [""; 0], "{kind}");
        assert_eq!(connected.failures, [""; 0], "{kind}");
        // It is final: the next one may follow.
        assert_eq!(
            withdraw(&mut connected, &own("1", "USDC")),
            Ok(wallet),
            "{kind}"
        );
    });
}

#[test]
fn merchants_money_is_refused_and_so_is_what_is_under_way() {
    each(|kind, mut connected, shop| {
        let wallet = connected.wallet;
        let available = Some(amount("5"));
        let usdc = own("5", "USDC").currency;
        let refused = withdraw(&mut connected, &own("5.000001", "USDC"));
        assert_eq!(
            refused,
            Err(OperatorError::NotAvailable(usdc.clone(), available)),
            "{kind}"
        );
        for amount in ["0", "0.0000001"] {
            let refused = withdraw(&mut connected, &own(amount, "USDC"));
            assert!(
                matches!(refused, Err(OperatorError::Amount(..))),
                "{kind} {amount}: {refused:?}"
            );
        }
        for to in [wallet, Address::ZERO, USDC, FACTORY] {
            let new = NewWithdrawal {
                to,
                ..own("1", "USDC")
            };
            let refused = withdraw(&mut connected, &new);
            assert_eq!(refused, Err(OperatorError::ServiceAddress(to)), "{kind}");
        }
        let stranger = NewWithdrawal {
            wallet: Some(OWNER),
            ..own("1", "USDC")
        };
        assert_eq!(
            withdraw(&mut connected, &stranger),
            Err(OperatorError::UnknownWallet(OWNER)),
            "{kind}"
        );
        let unknown = own("1", "DOGE");
        assert_eq!(
            withdraw(&mut connected, &unknown),
            Err(OperatorError::UnknownCurrency(unknown.currency.clone())),
            "{kind}"
        );
        assert_eq!(
            withdraw(&mut connected, &own("5", "USDC")),
            Ok(wallet),
            "{kind}"
        );
        let second = withdraw(&mut connected, &own("1", "USDC"));
        assert_eq!(
            second,
            Err(OperatorError::IsWithdrawing(own("1", "USDC").chain, usdc)),
            "{kind}"
        );
        // The merchant's payout leaves beside it.
        let (_, hash) = sent(&mut connected);
        assert_eq!(dollars(&mut connected, wallet), (5_000_000, 0), "{kind}");
        let payout = connected.pay_out(&shop, "10");
        let id = estimated(&mut connected);
        connected.estimate(id, &GAS);
        let (id, other, _) = broadcast(&mut connected);
        connected.broadcast((id, other), Broadcast::Accepted);
        connected.mine((hash, wallet, 0), true);
        connected.move_usdc(hash, (wallet, OWNER), 5_000_000);
        super::sending::mine(&mut connected, other, 1, Some(10_000_000));
        connected.blocks(CONFIRMATIONS);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(dollars(&mut connected, wallet), (0, 0), "{kind}");
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn a_withdrawal_that_the_chain_reverts_leaves_the_money_and_says_so() {
    each(|kind, mut connected, _| {
        let wallet = connected.wallet;
        assert_eq!(
            withdraw(&mut connected, &own("4", "USDC")),
            Ok(wallet),
            "{kind}"
        );
        settle(&mut connected, 0, None);
        assert_eq!(
            dollars(&mut connected, wallet),
            (5_000_000, 5_000_000),
            "{kind}"
        );
        let expected = not_executed(wallet);
        assert_eq!(
            connected.failures,
            std::slice::from_ref(&expected),
            "{kind}"
        );
        // Refused by the node before it is signed.
        assert_eq!(
            withdraw(&mut connected, &own("4", "USDC")),
            Ok(wallet),
            "{kind}"
        );
        let id = estimated(&mut connected);
        connected.estimate(id, &Estimate::Reverts);
        assert_eq!(
            connected.failures,
            [(); 2].map(|()| not_executed(wallet)),
            "{kind}"
        );
        assert_eq!(
            dollars(&mut connected, wallet),
            (5_000_000, 5_000_000),
            "{kind}"
        );
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn money_that_is_gone_when_the_withdrawal_is_signed_is_not_taken_from_merchants() {
    each(|kind, mut connected, _| {
        let wallet = connected.wallet;
        assert_eq!(
            withdraw(&mut connected, &own("4", "USDC")),
            Ok(wallet),
            "{kind}"
        );
        let id = estimated(&mut connected);
        // Somebody else with the wallet's words takes the operator's money.
        let hash = connected.chain.hash();
        connected.move_usdc(hash, (wallet, OWNER), 5_000_000);
        connected.blocks(CONFIRMATIONS);
        connected.failures.clear();
        connected.estimate(id, &GAS);
        assert_eq!(connected.requests(), [], "{kind}: it has ended");
        assert_eq!(connected.failures, [not_executed(wallet)], "{kind}");
        assert_eq!(dollars(&mut connected, wallet), (0, 0), "{kind}");
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn a_debt_at_a_replaced_hot_wallet_counts_at_the_new_one() {
    each(|kind, mut connected, _| {
        let old = connected.wallet;
        // 9 of the merchant's 10 USDC are stolen with the operator's 5.
        let hash = connected.chain.hash();
        connected.move_usdc(hash, (old, OWNER), 14_000_000);
        connected.blocks(CONFIRMATIONS);
        let now = connected.world.now;
        let (service, database) = connected.world.parts();
        let new = service.rotate_wallet(database, NewKey::Index(1), now, Seed([3; 32]));
        let new = new.expect("a new wallet");
        connected.chain.transfer(Some(USDC), new, 9_000_000);
        connected.blocks(CONFIRMATIONS);
        assert_eq!(dollars(&mut connected, new), (9_000_000, 0), "{kind}");
        let refused = withdraw(&mut connected, &own("0.000001", "USDC"));
        assert!(
            matches!(refused, Err(OperatorError::NotAvailable(..))),
            "{kind}: {refused:?}"
        );
    });
}

#[test]
fn a_withdrawal_that_is_canceled_after_its_broadcast_stays_reserved_until_a_filler_is_final() {
    each(|kind, mut connected, _| {
        let wallet = connected.wallet;
        assert_eq!(
            withdraw(&mut connected, &own("4", "USDC")),
            Ok(wallet),
            "{kind}"
        );
        let (id, _) = sent(&mut connected);
        let (chain, now) = (connected.chain.id, connected.world.now);
        let (service, database) = connected.world.parts();
        let canceled = service.cancel_transaction(database, (wallet, chain), 0, now);
        assert_eq!(canceled, Ok(()), "{kind}");
        assert_eq!(connected.requests().len(), 1, "{kind}");
        // A node that lies ends nothing.
        connected.estimate(id, &Estimate::Unaffordable);
        assert_eq!(
            dollars(&mut connected, wallet),
            (5_000_000, 1_000_000),
            "{kind}"
        );
        connected.world.pass(Duration::from_secs(61));
        assert_eq!(connected.requests().len(), 1, "{kind}");
        connected.estimate(id, &GAS);
        let (_, filler, _) = broadcast(&mut connected);
        connected.broadcast((id, filler), Broadcast::Accepted);
        connected.mine((filler, wallet, 0), true);
        connected.blocks(CONFIRMATIONS);
        assert_eq!(
            dollars(&mut connected, wallet),
            (5_000_000, 5_000_000),
            "{kind}"
        );
        assert_eq!(connected.failures, [not_executed(wallet)], "{kind}");
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn a_withdrawal_whose_nonce_somebody_else_used_is_not_sent_again() {
    each(|kind, mut connected, _| {
        let wallet = connected.wallet;
        assert_eq!(
            withdraw(&mut connected, &own("2", "USDC")),
            Ok(wallet),
            "{kind}"
        );
        sent(&mut connected);
        // The operator's other program has sped it up.
        let hash = connected.chain.hash();
        connected.mine((hash, wallet, 0), true);
        connected.move_usdc(hash, (wallet, OWNER), 2_000_000);
        connected.blocks(CONFIRMATIONS);
        connected.world.pass(Duration::from_secs(61));
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(
            dollars(&mut connected, wallet),
            (3_000_000, 3_000_000),
            "{kind}"
        );
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn a_withdrawal_that_no_server_sends_within_an_hour_has_ended() {
    each(|kind, mut connected, _| {
        let wallet = connected.wallet;
        assert_eq!(
            withdraw(&mut connected, &own("4", "USDC")),
            Ok(wallet),
            "{kind}"
        );
        connected.world.pass(Duration::from_secs(3_601));
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(connected.failures, [not_executed(wallet)], "{kind}");
        assert_eq!(
            withdraw(&mut connected, &own("5", "USDC")),
            Ok(wallet),
            "{kind}"
        );
    });
}

#[test]
fn a_reorganisation_takes_a_withdrawal_back_and_it_is_sent_again() {
    each(|kind, mut connected, _| {
        let wallet = connected.wallet;
        assert_eq!(
            withdraw(&mut connected, &own("4", "USDC")),
            Ok(wallet),
            "{kind}"
        );
        let (_, hash) = sent(&mut connected);
        connected.mine((hash, wallet, 0), true);
        connected.move_usdc(hash, (wallet, OWNER), 4_000_000);
        connected.blocks(1);
        connected.reorganise(1);
        connected.blocks(1);
        assert_eq!(
            dollars(&mut connected, wallet),
            (5_000_000, 1_000_000),
            "{kind}"
        );
        let (_, again, _) = broadcast(&mut connected);
        assert_eq!(again, hash, "{kind}");
        connected.mine((hash, wallet, 0), true);
        connected.move_usdc(hash, (wallet, OWNER), 4_000_000);
        connected.blocks(CONFIRMATIONS);
        assert_eq!(
            dollars(&mut connected, wallet),
            (1_000_000, 1_000_000),
            "{kind}"
        );
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn coins_of_a_replaced_hot_wallet_go_on_to_the_one_in_use_except_for_the_fee() {
    each(|kind, mut connected, _| {
        let (old, now) = (connected.wallet, connected.world.now);
        let (service, database) = connected.world.parts();
        let new = service.rotate_wallet(database, NewKey::Index(1), now, Seed([3; 32]));
        let new = new.expect("a new wallet");
        let coins = |amount: &str| NewWithdrawal {
            wallet: Some(old),
            to: new,
            ..own(amount, "ETH")
        };
        let refused = withdraw(&mut connected, &coins("1"));
        assert!(
            matches!(refused, Err(OperatorError::NotAvailable(..))),
            "{kind}: {refused:?}"
        );
        assert_eq!(withdraw(&mut connected, &coins("0.9")), Ok(old), "{kind}");
        // The merchants' money moves on as well, by other requests.
        let requests = connected.requests();
        let id = requests.iter().find_map(|request| match request {
            NodeRequest::Estimate { id, to, .. } if *to == new => Some(*id),
            _ => None,
        });
        let id = id.expect("an estimate");
        connected.estimate(id, &GAS);
        let requests = connected.requests();
        let hash = requests.iter().find_map(|request| match request {
            NodeRequest::Broadcast { id: of, hash, .. } if *of == id => Some(*hash),
            _ => None,
        });
        let hash = hash.expect("a broadcast");
        connected.broadcast((id, hash), Broadcast::Accepted);
        connected.mine((hash, old, 0), true);
        connected.chain.include(Transfer {
            hash,
            index: TransferIndex::Value,
            token: None,
            from: old,
            to: new,
            units: U256::from(900_000_000_000_000_000_u64),
        });
        connected.blocks(CONFIRMATIONS);
        let (service, database) = connected.world.parts();
        let wallets = service.wallets(database).expect("wallets");
        let mut coins = wallets.iter().map(|of| {
            let held = of
                .holdings
                .iter()
                .find(|held| held.currency.as_str() == "ETH");
            held.map_or(0, |held| held.own)
        });
        let left = i128::from(GAS_MONEY) - 900_000_000_000_000_000 - i128::from(FEE);
        assert_eq!(coins.next(), Some(left), "{kind}");
        assert_eq!(coins.next(), Some(900_000_000_000_000_000), "{kind}");
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}
