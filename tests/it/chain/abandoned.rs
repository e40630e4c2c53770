//! Transactions that no node takes: a filler uses their nonce, and whichever form is mined settles them.

use std::time::Duration;

use alloy_primitives::B256;
use settlekit_service::operator::OperatorError;
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest};
use settlekit_tests::chain::{Connected, GAS_MONEY};
use settlekit_tests::hot_wallet::FEE;
use settlekit_tests::world::{Shop, text};

use super::sending::{
    GAS, balance, broadcast, estimated, filler_asked_for, funded, holdings, mine, mine_filler,
    sent, show, status,
};

/// A payout of 4 USDC that no node takes, until its filler is asked for: shop, payout, transaction and hash of the payout's form.
fn abandoned(connected: &mut Connected) -> (Shop, String, i64, B256) {
    let shop = funded(connected);
    let payout = connected.pay_out(&shop, "4");
    let id = estimated(connected);
    connected.estimate(id, &GAS);
    let (_, hash, _) = broadcast(connected);
    connected.broadcast((id, hash), Broadcast::Refused);
    for _ in 1..20 {
        assert_eq!(connected.failures, Vec::<String>::new());
        connected.world.pass(Duration::from_secs(16));
        let (again, same, _) = broadcast(connected);
        assert_eq!((again, same), (id, hash), "the same bytes");
        connected.broadcast((id, hash), Broadcast::Refused);
    }
    (shop, payout, id, hash)
}

/// Signs the filler that is asked for and returns its hash.
fn filled(connected: &mut Connected, id: i64) -> B256 {
    let (asked, to) = filler_asked_for(connected);
    assert_eq!((asked, to), (id, connected.wallet));
    connected.estimate(id, &GAS);
    let (again, filler, _) = broadcast(connected);
    assert_eq!(again, id);
    filler
}

#[test]
fn a_payout_that_no_node_takes_frees_its_nonce_and_returns_its_money_when_the_filler_is_final() {
    Connected::each(|kind, mut connected| {
        let (shop, payout, id, hash) = abandoned(&mut connected);
        let said = &connected.failures;
        assert_eq!(said.len(), 1, "{kind}: {said:?}");
        assert!(said[0].contains(&format!("{hash}")), "{kind}: {said:?}");
        // A crash at any point: the request is made again.
        filler_asked_for(&mut connected);
        connected.world.pass(Duration::from_secs(16));
        let filler = filled(&mut connected, id);
        connected.world.pass(Duration::from_secs(16));
        let (_, again, _) = broadcast(&mut connected);
        assert_eq!(again, filler, "{kind}");
        connected.broadcast((id, filler), Broadcast::Accepted);
        // Nothing is called sent or failed before the block is final.
        assert_eq!(status(&mut connected, &shop, &payout), "Pending", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 4", "{kind}");
        mine_filler(&mut connected, filler, 0);
        connected.blocks(2);
        assert_eq!(status(&mut connected, &shop, &payout), "Pending", "{kind}");
        connected.blocks(1);
        assert_eq!(status(&mut connected, &shop, &payout), "Failed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        assert_eq!(connected.requests(), [], "{kind}");
        // The next one goes on with the next nonce.
        let next = connected.pay_out(&shop, "4");
        let (_, hash) = sent(&mut connected);
        mine(&mut connected, hash, 1, Some(4_000_000));
        connected.blocks(3);
        assert_eq!(status(&mut connected, &shop, &next), "Confirmed", "{kind}");
        let expected = [
            format!("{} ETH", GAS_MONEY - 2 * FEE),
            "6000000 USDC".to_owned(),
        ];
        assert_eq!(holdings(&mut connected), expected, "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_node_that_refused_a_payout_and_sent_it_all_the_same_settles_it_once() {
    Connected::each(|kind, mut connected| {
        let (shop, payout, id, hash) = abandoned(&mut connected);
        let filler = filled(&mut connected, id);
        connected.broadcast((id, filler), Broadcast::Accepted);
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(3);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        let settled = &shown["settlement_transaction"]["transaction_hash"];
        assert_eq!(*settled, format!("{hash:#x}"), "{kind}");
        assert_eq!(balance(&mut connected, &shop), "6 0", "{kind}");
        connected.world.pass(Duration::from_secs(600));
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_payout_that_was_refused_while_it_was_mined_needs_no_filler() {
    Connected::each(|kind, mut connected| {
        let (shop, payout, id, hash) = abandoned(&mut connected);
        filler_asked_for(&mut connected);
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(1);
        // The estimate comes late.
        connected.estimate(id, &GAS);
        assert_eq!(connected.requests(), [], "{kind}");
        connected.blocks(2);
        let shown = status(&mut connected, &shop, &payout);
        assert_eq!(shown, "Confirmed", "{kind}");
    });
}

#[test]
fn a_filler_that_a_reorganisation_takes_away_decides_nothing() {
    Connected::each(|kind, mut connected| {
        let (shop, payout, id, hash) = abandoned(&mut connected);
        let filler = filled(&mut connected, id);
        connected.broadcast((id, filler), Broadcast::Accepted);
        mine_filler(&mut connected, filler, 0);
        connected.blocks(2);
        connected.reorganise(2);
        let (_, again, _) = broadcast(&mut connected);
        assert_eq!(again, filler, "{kind}");
        // The other fork has the payout.
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(3);
        let shown = status(&mut connected, &shop, &payout);
        assert_eq!(shown, "Confirmed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "6 0", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_final_filler_is_sent_again_after_a_reorganisation_and_its_money_never_goes_twice() {
    Connected::each(|kind, mut connected| {
        let (shop, payout, id, hash) = abandoned(&mut connected);
        let filler = filled(&mut connected, id);
        connected.broadcast((id, filler), Broadcast::Accepted);
        mine_filler(&mut connected, filler, 0);
        connected.blocks(4);
        assert_eq!(status(&mut connected, &shop, &payout), "Failed", "{kind}");
        connected.failures.clear();
        connected.reorganise(4);
        assert_eq!(connected.failures.len(), 1, "{kind}");
        let (_, again, _) = broadcast(&mut connected);
        assert_eq!(again, filler, "{kind}");
        connected.broadcast((id, filler), Broadcast::Accepted);
        assert_eq!(status(&mut connected, &shop, &payout), "Failed", "{kind}");
        mine_filler(&mut connected, filler, 0);
        connected.blocks(4);
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        // On a third fork the payout is mined after all: an alarm, and the money counts as returned.
        connected.reorganise(4);
        connected.failures.clear();
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(3);
        let said = &connected.failures;
        assert_eq!(said.len(), 1, "{kind}: {said:?}");
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        assert_eq!(status(&mut connected, &shop, &payout), "Failed", "{kind}");
    });
}

#[test]
fn a_lost_nonce_never_sends_a_payout_whose_money_has_gone_back() {
    Connected::each(|kind, mut connected| {
        let (shop, payout, id, _) = abandoned(&mut connected);
        let filler = filled(&mut connected, id);
        connected.broadcast((id, filler), Broadcast::Accepted);
        mine_filler(&mut connected, filler, 0);
        connected.blocks(4);
        connected.reorganise(4);
        // Somebody else with the key uses the nonce.
        let foreign = connected.chain.hash();
        mine_filler(&mut connected, foreign, 0);
        connected.blocks(3);
        connected.world.pass(Duration::from_secs(600));
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(status(&mut connected, &shop, &payout), "Failed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
    });
}

#[test]
fn a_node_that_says_a_transfer_of_nothing_reverts_is_asked_again() {
    Connected::each(|kind, mut connected| {
        let (shop, payout, id, _) = abandoned(&mut connected);
        for lie in [
            Estimate::Reverts,
            Estimate::Unaffordable,
            Estimate::Succeeds {
                gas: u64::MAX,
                priority_fee: u128::MAX,
            },
        ] {
            let (asked, _) = filler_asked_for(&mut connected);
            connected.estimate(asked, &lie);
            connected.world.pass(Duration::from_secs(61));
        }
        assert_eq!(status(&mut connected, &shop, &payout), "Pending", "{kind}");
        filled(&mut connected, id);
    });
}

#[test]
fn a_transaction_that_waits_for_an_earlier_nonce_is_not_abandoned() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        connected.pay_out(&shop, "4");
        let (first, _) = sent(&mut connected);
        connected.pay_out(&shop, "2");
        let id = estimated(&mut connected);
        connected.estimate(id, &GAS);
        for _ in 0..30 {
            for request in connected.requests() {
                match request {
                    NodeRequest::Broadcast { id, hash, .. } if id == first => {
                        connected.broadcast((id, hash), Broadcast::Accepted);
                    }
                    NodeRequest::Broadcast { id, hash, .. } => {
                        connected.broadcast((id, hash), Broadcast::Refused);
                    }
                    other => panic!("{kind}: {other:?}"),
                }
            }
            connected.world.pass(Duration::from_secs(16));
        }
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn what_somebody_else_sent_leaves_no_gap_when_a_reorganisation_takes_it_away() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let foreign = connected.chain.hash();
        mine_filler(&mut connected, foreign, 0);
        connected.blocks(1);
        let payout = connected.pay_out(&shop, "4");
        let (_, hash) = sent(&mut connected);
        connected.reorganise(1);
        // The payout has nonce 1, and nobody may ever use nonce 0 again.
        let (id, _) = filler_asked_for(&mut connected);
        connected.estimate(id, &GAS);
        let (id, filler, _) = broadcast(&mut connected);
        connected.broadcast((id, filler), Broadcast::Accepted);
        mine_filler(&mut connected, filler, 0);
        mine(&mut connected, hash, 1, Some(4_000_000));
        connected.blocks(3);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(text(&shown, "status"), "Confirmed", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn an_operator_gives_up_a_transaction_that_no_block_takes_and_its_money_returns_when_the_filler_is_final()
 {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let (id, hash) = sent(&mut connected);
        let cancel = |connected: &mut Connected, nonce: u64| {
            let (wallet, now) = ((connected.wallet, connected.chain.id), connected.world.now);
            let (service, database) = connected.world.parts();
            service.cancel_transaction(database, wallet, nonce, now)
        };
        let chain = connected.chain.id;
        let unknown = Err(OperatorError::NotUnderWay(chain, 1));
        assert_eq!(cancel(&mut connected, 1), unknown, "{kind}");
        assert_eq!(cancel(&mut connected, 0), Ok(()), "{kind}");
        let filler = filled(&mut connected, id);
        assert_ne!(filler, hash, "{kind}");
        connected.broadcast((id, filler), Broadcast::Accepted);
        let twice = Err(OperatorError::CanceledAlready(chain, 0));
        assert_eq!(cancel(&mut connected, 0), twice, "{kind}");
        let processing = "Processing";
        assert_eq!(status(&mut connected, &shop, &payout), processing, "{kind}");
        mine_filler(&mut connected, filler, 0);
        connected.blocks(2);
        assert_eq!(status(&mut connected, &shop, &payout), processing, "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 4", "{kind}");
        let mined = Err(OperatorError::NotUnderWay(chain, 0));
        assert_eq!(cancel(&mut connected, 0), mined, "{kind}");
        connected.blocks(1);
        assert_eq!(status(&mut connected, &shop, &payout), "Failed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_canceled_payout_that_is_mined_all_the_same_is_paid_once() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let (_, hash) = sent(&mut connected);
        let (wallet, now) = ((connected.wallet, connected.chain.id), connected.world.now);
        let (service, database) = connected.world.parts();
        let canceled = service.cancel_transaction(database, wallet, 0, now);
        assert_eq!(canceled, Ok(()), "{kind}");
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(3);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "6 0", "{kind}");
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}
