//! Withdrawals of the operator's own money: reorganisations, higher fees, tokens with a fee, external signers, several servers.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use settlekit_service::block::Transfer;
use settlekit_service::operator::OperatorError;
use settlekit_service::outgoing::{Broadcast, NodeRequest, Signature};
use settlekit_service::store::postgres::Postgres;
use settlekit_service::{Service, TransferIndex};
use settlekit_tests::chain::{CONFIRMATIONS, Connected, USDC};
use settlekit_tests::postgres;

use super::super::at_once::{at_once, seed};
use super::super::sending::{GAS, broadcast, estimated, funded, sent};
use super::super::signer;
use super::{OWNER, dollars, each, not_executed, own, settle, withdraw};

/// Takes the final blocks back, with the withdrawal.
fn take_back(connected: &mut Connected) {
    let depth = usize::try_from(CONFIRMATIONS).expect("few") + 1;
    connected.reorganise(depth);
    connected.blocks(1);
}

#[test]
fn a_reorganisation_of_final_blocks_takes_the_entry_back_and_the_same_bytes_are_sent_again() {
    each(|kind, mut connected, _| {
        let wallet = connected.wallet;
        let of = withdraw(&mut connected, &own("4", "USDC"));
        assert_eq!(of, Ok(wallet), "{kind}");
        let (_, hash) = sent(&mut connected);
        connected.mine((hash, wallet, 0), true);
        connected.move_usdc(hash, (wallet, OWNER), 4_000_000);
        connected.blocks(CONFIRMATIONS);
        let (own_money, _) = dollars(&mut connected, wallet);
        assert_eq!(own_money, 1_000_000, "{kind}");
        take_back(&mut connected);
        let shown = dollars(&mut connected, wallet);
        assert_eq!(shown, (5_000_000, 1_000_000), "{kind}");
        assert_eq!(connected.differences(), [""; 0], "{kind}");
        let (_, again, _) = broadcast(&mut connected);
        assert_eq!(again, hash, "{kind}");
        connected.mine((hash, wallet, 0), true);
        connected.move_usdc(hash, (wallet, OWNER), 4_000_000);
        connected.blocks(CONFIRMATIONS);
        let shown = dollars(&mut connected, wallet);
        assert_eq!(shown, (1_000_000, 1_000_000), "{kind}");
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn a_reverted_withdrawal_may_succeed_after_a_reorganisation_of_final_blocks() {
    each(|kind, mut connected, _| {
        let wallet = connected.wallet;
        let of = withdraw(&mut connected, &own("4", "USDC"));
        assert_eq!(of, Ok(wallet), "{kind}");
        let (_, hash) = sent(&mut connected);
        connected.mine((hash, wallet, 0), false);
        connected.blocks(CONFIRMATIONS);
        assert_eq!(connected.failures, [not_executed(wallet)], "{kind}");
        take_back(&mut connected);
        // It can be in a block again at any time: the money stays reserved.
        let shown = dollars(&mut connected, wallet);
        assert_eq!(shown, (5_000_000, 1_000_000), "{kind}");
        connected.mine((hash, wallet, 0), true);
        connected.move_usdc(hash, (wallet, OWNER), 4_000_000);
        connected.blocks(CONFIRMATIONS);
        let shown = dollars(&mut connected, wallet);
        assert_eq!(shown, (1_000_000, 1_000_000), "{kind}");
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn a_stuck_withdrawal_is_sent_at_a_higher_fee_and_either_form_settles_it() {
    for takes_first in [false, true] {
        each(|kind, mut connected, _| {
            let wallet = connected.wallet;
            let of = withdraw(&mut connected, &own("4", "USDC"));
            assert_eq!(of, Ok(wallet), "{kind}");
            let (id, first) = sent(&mut connected);
            connected.world.pass(Duration::from_secs(60));
            let (again, second, _) = broadcast(&mut connected);
            assert_eq!(again, id, "{kind}");
            assert_ne!(first, second, "{kind}");
            connected.broadcast((id, second), Broadcast::Accepted);
            // Reserved once, not for each form.
            let shown = dollars(&mut connected, wallet);
            assert_eq!(shown, (5_000_000, 1_000_000), "{kind}");
            let hash = if takes_first { first } else { second };
            connected.mine((hash, wallet, 0), true);
            connected.move_usdc(hash, (wallet, OWNER), 4_000_000);
            connected.blocks(CONFIRMATIONS);
            let shown = dollars(&mut connected, wallet);
            assert_eq!(shown, (1_000_000, 1_000_000), "{kind}");
            connected.world.pass(Duration::from_secs(600));
            assert_eq!(connected.requests(), [], "{kind}");
            assert_eq!(connected.differences(), [""; 0], "{kind}");
            assert_eq!(connected.failures, [""; 0], "{kind}");
        });
    }
}

/// Puts the withdrawal of a token into the next block that keeps a part of it.
fn kept(connected: &mut Connected, hash: B256, parts: [(Address, u64); 2]) {
    let from = connected.wallet;
    for (index, (to, units)) in parts.into_iter().enumerate() {
        connected.chain.include(Transfer {
            hash,
            index: TransferIndex::Log(u32::try_from(index).expect("few")),
            token: Some(USDC),
            from,
            to,
            units: U256::from(units),
        });
    }
}

#[test]
fn what_a_token_keeps_of_a_withdrawal_is_the_operators() {
    each(|kind, mut connected, _| {
        let wallet = connected.wallet;
        let of = withdraw(&mut connected, &own("4", "USDC"));
        assert_eq!(of, Ok(wallet), "{kind}");
        let (_, hash) = sent(&mut connected);
        connected.mine((hash, wallet, 0), true);
        kept(&mut connected, hash, [(OWNER, 3_900_000), (USDC, 100_000)]);
        connected.blocks(CONFIRMATIONS);
        let shown = dollars(&mut connected, wallet);
        assert_eq!(shown, (1_000_000, 1_000_000), "{kind}");
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn what_a_token_takes_beyond_the_withdrawal_is_the_operators_debt() {
    each(|kind, mut connected, _| {
        let wallet = connected.wallet;
        let of = withdraw(&mut connected, &own("5", "USDC"));
        assert_eq!(of, Ok(wallet), "{kind}");
        let (_, hash) = sent(&mut connected);
        connected.mine((hash, wallet, 0), true);
        kept(&mut connected, hash, [(OWNER, 5_000_000), (USDC, 50_000)]);
        connected.blocks(CONFIRMATIONS);
        // The merchant's 10 USDC are owed in full: the books have it as the operator's cost, and nothing is available.
        assert_eq!(dollars(&mut connected, wallet), (-50_000, 0), "{kind}");
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn an_external_signer_signs_a_withdrawal_and_a_refusal_leaves_the_money() {
    Connected::each_with_signer(signer::address(), |kind, mut connected| {
        funded(&mut connected);
        let wallet = connected.wallet;
        connected.chain.transfer(Some(USDC), wallet, 5_000_000);
        connected.blocks(CONFIRMATIONS);
        let of = withdraw(&mut connected, &own("4", "USDC"));
        assert_eq!(of, Ok(wallet), "{kind}");
        let id = estimated(&mut connected);
        connected.estimate(id, &GAS);
        let (form, transaction) = signer::asked(&mut connected);
        assert_eq!(transaction.to, USDC, "{kind}");
        // A signer that refuses is asked again; the money stays reserved.
        connected.sign(form, &Signature::Refused);
        let shown = dollars(&mut connected, wallet);
        assert_eq!(shown, (5_000_000, 1_000_000), "{kind}");
        connected.world.pass(Duration::from_secs(600));
        let (_, hash) = signer::sent(&mut connected);
        connected.mine((hash, wallet, 0), true);
        connected.move_usdc(hash, (wallet, OWNER), 4_000_000);
        connected.blocks(CONFIRMATIONS);
        let shown = dollars(&mut connected, wallet);
        assert_eq!(shown, (1_000_000, 1_000_000), "{kind}");
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn on_a_paused_chain_no_withdrawal_is_queued() {
    each(|kind, mut connected, _| {
        let (chain, now) = (connected.chain.id, connected.world.now);
        let (service, database) = connected.world.parts();
        let paused = service.set_chain_paused(database, chain, true, now);
        paused.expect("a connected chain");
        let refused = withdraw(&mut connected, &own("4", "USDC"));
        assert_eq!(refused, Err(OperatorError::Paused(chain)), "{kind}");
        let (service, database) = connected.world.parts();
        let paused = service.set_chain_paused(database, chain, false, now);
        paused.expect("a connected chain");
        let of = withdraw(&mut connected, &own("4", "USDC"));
        assert_eq!(of, Ok(connected.wallet), "{kind}");
        settle(&mut connected, 0, Some(4_000_000));
        assert_eq!(connected.differences(), [""; 0], "{kind}");
    });
}

#[test]
fn of_withdrawals_at_one_instant_one_is_queued() {
    let address = postgres::database();
    let database = Postgres::open(&address).expect("a connection");
    let mut connected = Connected::live(Box::new(database));
    funded(&mut connected);
    let wallet = connected.wallet;
    connected.chain.transfer(Some(USDC), wallet, 5_000_000);
    connected.blocks(CONFIRMATIONS);
    let (service, now): (Service, _) = (connected.world.parts().0.clone(), connected.world.now);
    let new = own("3", "USDC");
    let outcomes = at_once(&address, 4, |server, database| {
        service.withdraw_own_money(database, &new, now, seed(server))
    });
    let refused = OperatorError::IsWithdrawing(new.chain, new.currency);
    let queued = outcomes.iter().filter(|outcome| **outcome == Ok(wallet));
    assert_eq!(queued.count(), 1, "{outcomes:?}");
    let refused = outcomes
        .iter()
        .filter(|outcome| outcome.as_ref() == Err(&refused));
    assert_eq!(refused.count(), 3, "{outcomes:?}");
    let estimates = connected.requests();
    assert!(
        matches!(estimates.as_slice(), [NodeRequest::Estimate { .. }]),
        "{estimates:?}"
    );
}
