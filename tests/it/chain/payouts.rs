//! Payouts on a connected chain: signed once, broadcast, replaced, mined, settled.

use std::time::Duration;

use alloy_primitives::U256;
use settlekit_service::FACTORY;
use settlekit_service::TransferIndex;
use settlekit_service::block::Transfer;
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest};
use settlekit_tests::chain::{Connected, GAS_MONEY, USDC};
use settlekit_tests::hot_wallet::FEE;
use settlekit_tests::world::{text, texts};

use super::sending::{
    GAS, balance, broadcast, estimated, filler_asked_for, funded, holdings, mine, sent, show,
    status,
};

#[test]
fn a_payout_is_sent_when_a_node_takes_it_and_confirmed_when_its_block_has_the_confirmations() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        assert_eq!(status(&mut connected, &shop, &payout), "Pending", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 4", "{kind}");
        let id = estimated(&mut connected);
        // In flight: it is not asked again.
        assert_eq!(connected.requests(), [], "{kind}");
        connected.estimate(id, &GAS);
        let (id, hash, signed) = broadcast(&mut connected);
        assert_eq!(status(&mut connected, &shop, &payout), "Pending", "{kind}");
        // No report came back: the same bytes again.
        connected.world.pass(Duration::from_secs(60));
        assert_eq!(broadcast(&mut connected), (id, hash, signed), "{kind}");
        connected.broadcast((id, hash), Broadcast::Accepted);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Processing", "{kind}");
        let sent = &shown["settlement_transaction"]["transaction_hash"];
        assert_eq!(*sent, format!("{hash:#x}"), "{kind}");
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(2);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Processing",
            "{kind}"
        );
        connected.blocks(1);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "6 0", "{kind}");
        let expected = [
            format!("{} ETH", GAS_MONEY - FEE),
            "6000000 USDC".to_owned(),
        ];
        assert_eq!(holdings(&mut connected), expected, "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        assert_eq!(connected.requests(), [], "{kind}");
    });
}

#[test]
fn a_stuck_transaction_is_replaced_with_the_same_nonce_and_either_form_settles_it() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let (id, first) = sent(&mut connected);
        connected.world.pass(Duration::from_secs(60));
        let (again, second, _) = broadcast(&mut connected);
        assert_eq!(again, id, "{kind}");
        assert_ne!(first, second, "{kind}");
        connected.broadcast((id, second), Broadcast::Accepted);
        let shown = show(&mut connected, &shop, &payout);
        let sent = &shown["settlement_transaction"]["transaction_hash"];
        assert_eq!(*sent, format!("{second:#x}"), "{kind}");
        // The first form was faster after all.
        mine(&mut connected, first, 0, Some(4_000_000));
        connected.blocks(3);
        let shown = show(&mut connected, &shop, &payout);
        assert_eq!(shown["status"], "Confirmed", "{kind}");
        let sent = &shown["settlement_transaction"]["transaction_hash"];
        assert_eq!(*sent, format!("{first:#x}"), "{kind}");
        assert_eq!(balance(&mut connected, &shop), "6 0", "{kind}");
        connected.world.pass(Duration::from_secs(600));
        assert_eq!(connected.requests(), [], "{kind}");
    });
}

#[test]
fn a_reverted_or_refused_payout_returns_the_money() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let (_, hash) = sent(&mut connected);
        mine(&mut connected, hash, 0, None);
        connected.blocks(3);
        assert_eq!(status(&mut connected, &shop, &payout), "Failed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        let payout = connected.pay_out(&shop, "4");
        let id = estimated(&mut connected);
        connected.estimate(id, &Estimate::Reverts);
        assert_eq!(status(&mut connected, &shop, &payout), "Failed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        let failed = connected.world.list(&shop, "/v1/movements?status=Failed");
        let failures = texts(&failed, "failure");
        assert_eq!(failures, ["Reverted", "NotAccepted"], "{kind}");
        assert_eq!(connected.requests(), [], "{kind}");
        let expected = [
            format!("{} ETH", GAS_MONEY - FEE),
            "10000000 USDC".to_owned(),
        ];
        assert_eq!(holdings(&mut connected), expected, "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_reorganisation_broadcasts_the_same_bytes_again_and_books_once() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let (id, hash) = sent(&mut connected);
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(1);
        connected.reorganise(1);
        let (again, same, _) = broadcast(&mut connected);
        assert_eq!((again, same), (id, hash), "{kind}");
        connected.broadcast((id, hash), Broadcast::Accepted);
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(4);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
        // Deeper than settled: an alarm, and the chain is made to agree with the books.
        connected.reorganise(4);
        assert_eq!(
            connected.failures.len(),
            1,
            "{kind}: {:?}",
            connected.failures
        );
        let shown = |connected: &mut Connected| {
            let path = format!("/v1/payments/{payout}");
            let read = connected.world.read(&shop, &path)["settlement_transaction"].take();
            let log = format!("/v1/events?type=Payment&document_id={payout}&limit=1");
            let event = connected.world.read(&shop, &log)["items"][0].take();
            let told = &event["data"]["settlement_transaction"];
            assert_eq!(told["block_number"], read["block_number"], "{kind}");
            format!("{} {}", text(&event, "action"), told["confirmations"])
        };
        assert_eq!(shown(&mut connected), "Updated 0", "{kind}");
        assert!(!connected.differences().is_empty(), "{kind}: it is lost");
        let (_, same, _) = broadcast(&mut connected);
        assert_eq!(same, hash, "{kind}");
        connected.broadcast((id, hash), Broadcast::Accepted);
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(4);
        assert_eq!(shown(&mut connected), "Updated 3", "{kind}");
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "6 0", "{kind}");
        let expected = [
            format!("{} ETH", GAS_MONEY - FEE),
            "6000000 USDC".to_owned(),
        ];
        assert_eq!(holdings(&mut connected), expected, "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_payout_whose_nonce_somebody_else_used_is_sent_again_only_when_that_is_final() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let (id, hash) = sent(&mut connected);
        let foreign = connected.chain.hash();
        mine(&mut connected, foreign, 0, Some(1_000_000));
        connected.blocks(2);
        connected.world.pass(Duration::from_secs(60));
        assert_eq!(connected.requests(), [], "{kind}");
        connected.blocks(1);
        assert_eq!(
            connected.failures.len(),
            1,
            "{kind}: {:?}",
            connected.failures
        );
        assert_eq!(estimated(&mut connected), id, "{kind}");
        connected.estimate(id, &GAS);
        let (_, again, _) = broadcast(&mut connected);
        assert_ne!(again, hash, "{kind}");
        connected.broadcast((id, again), Broadcast::Accepted);
        mine(&mut connected, again, 1, Some(4_000_000));
        connected.blocks(3);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        // The stolen million is missing from the wallet, and is not the merchant's loss.
        let expected = [
            format!("{} ETH", GAS_MONEY - 2 * FEE),
            "5000000 USDC".to_owned(),
        ];
        assert_eq!(holdings(&mut connected), expected, "{kind}");
        assert_eq!(balance(&mut connected, &shop), "6 0", "{kind}");
    });
}

#[test]
fn payouts_wait_for_money_and_never_spend_the_same_money_twice() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        connected.pay_out(&shop, "4");
        sent(&mut connected);
        // The merchant has more, but it lies at the proxy.
        let till = connected.world.read(&shop, "/v1/accounts/till");
        let proxy = text(&till, "address").parse().expect("an address");
        connected.chain.transfer(Some(USDC), proxy, 5_000_000);
        connected.blocks(3);
        connected.pay_out(&shop, "9");
        // Not the payout, but a sweep of what it needs.
        assert_eq!(connected.requests(), [], "{kind}");
        let requests = connected.requests();
        let [NodeRequest::Estimate { id, to, .. }] = requests.as_slice() else {
            panic!("not one estimate: {requests:?}");
        };
        assert_eq!(*to, FACTORY, "{kind}");
        connected.estimate(*id, &GAS);
        let (id, hash, _) = broadcast(&mut connected);
        connected.broadcast((id, hash), Broadcast::Accepted);
        mine(&mut connected, hash, 1, None);
        connected.chain.include(Transfer {
            hash,
            index: TransferIndex::Log(0),
            token: Some(USDC),
            from: proxy,
            to: connected.wallet,
            units: U256::from(5_000_000_u64),
        });
        connected.blocks(3);
        connected.world.pass(Duration::from_secs(16));
        let requests = connected.requests();
        let estimates = requests
            .iter()
            .filter(|request| matches!(request, NodeRequest::Estimate { to, .. } if *to == USDC));
        assert_eq!(estimates.count(), 1, "{kind}: {requests:?}");
    });
}

#[test]
fn gas_is_paid_by_the_operator_only_and_a_receiver_cannot_ask_for_more() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let id = estimated(&mut connected);
        // All of the operator's gas money would not do.
        connected.chain.base_fee = 20_000_000_000_000;
        connected.blocks(1);
        connected.estimate(id, &GAS);
        assert_eq!(connected.requests(), [], "{kind}");
        connected.chain.base_fee = 1_000_000_000;
        connected.blocks(1);
        connected.world.pass(Duration::from_secs(61));
        assert_eq!(estimated(&mut connected), id, "{kind}");
        let lie = Estimate::Succeeds {
            gas: 50_000,
            priority_fee: u128::MAX,
        };
        connected.estimate(id, &lie);
        let (id, hash, _) = broadcast(&mut connected);
        connected.broadcast((id, hash), Broadcast::Accepted);
        let greedy = connected.pay_out(&shop, "4");
        let id = estimated(&mut connected);
        let greed = Estimate::Succeeds {
            gas: 1_000_001,
            priority_fee: 1,
        };
        connected.estimate(id, &greed);
        assert_eq!(status(&mut connected, &shop, &greedy), "Failed", "{kind}");
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Processing",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "10 4", "{kind}");
    });
}

#[test]
fn two_payouts_of_the_same_money_in_one_round_are_not_both_signed() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        // The merchant has 16 USDC, 6 of them at the proxy; each payout needs more than half of the wallet.
        let till = connected.world.read(&shop, "/v1/accounts/till");
        let proxy = text(&till, "address").parse().expect("an address");
        connected.chain.transfer(Some(USDC), proxy, 6_000_000);
        connected.blocks(3);
        let payouts = [connected.pay_out(&shop, "8"), connected.pay_out(&shop, "8")];
        let requests = connected.requests();
        let ids = requests.iter().filter_map(|request| match request {
            NodeRequest::Estimate { id, .. } => Some(*id),
            _ => None,
        });
        let ids: Vec<i64> = ids.collect();
        assert_eq!(ids.len(), 2, "{kind}: {requests:?}");
        for id in ids {
            connected.estimate(id, &GAS);
        }
        broadcast(&mut connected);
        for payout in payouts {
            assert_eq!(status(&mut connected, &shop, &payout), "Pending", "{kind}");
        }
    });
}

#[test]
fn the_fee_of_replacements_has_a_limit() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        connected.pay_out(&shop, "4");
        let (id, _) = sent(&mut connected);
        let mut hashes = std::collections::BTreeSet::new();
        for _ in 0..60 {
            connected.world.pass(Duration::from_secs(60));
            let (_, hash, _) = broadcast(&mut connected);
            hashes.insert(hash);
            connected.broadcast((id, hash), Broadcast::Accepted);
        }
        // An eighth more each time: ten times the first fee after twenty.
        assert!(hashes.len() <= 20, "{kind}: {} forms", hashes.len());
        let said = &connected.failures;
        assert_eq!(said.len(), 1, "{kind}: {said:?}");
        let advice = "`settlekit wallet cancel --chain 8453 --nonce 0`";
        assert!(said[0].contains(advice), "{kind}: {said:?}");
    });
}

#[test]
fn a_settled_revert_is_never_sent_again() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let (_, hash) = sent(&mut connected);
        mine(&mut connected, hash, 0, None);
        connected.blocks(4);
        assert_eq!(status(&mut connected, &shop, &payout), "Failed", "{kind}");
        connected.reorganise(4);
        connected.blocks(1);
        connected.world.pass(Duration::from_secs(600));
        // Only its nonce is to be used, by a transfer of nothing.
        let (_, to) = filler_asked_for(&mut connected);
        assert_eq!(to, connected.wallet, "{kind}");
        // Somebody else broadcasts it, and now it succeeds: an alarm, and nothing is booked.
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(3);
        assert_eq!(
            connected.failures.len(),
            2,
            "{kind}: {:?}",
            connected.failures
        );
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
    });
}

#[test]
fn a_sweep_that_needs_absurd_gas_is_given_up_and_holds_up_no_payout() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let till = connected.world.read(&shop, "/v1/accounts/till");
        let proxy = text(&till, "address").parse().expect("an address");
        connected.chain.transfer(Some(USDC), proxy, 5_000_000);
        connected.blocks(3);
        connected.world.pass(Duration::from_secs(3601));
        let requests = connected.requests();
        let [NodeRequest::Estimate { id, to, .. }] = requests.as_slice() else {
            panic!("not one estimate: {requests:?}");
        };
        assert_eq!(*to, FACTORY, "{kind}");
        let greed = Estimate::Succeeds {
            gas: 15_000_000,
            priority_fee: 1,
        };
        connected.estimate(*id, &greed);
        assert_eq!(connected.requests(), [], "{kind}: tried again a day later");
        connected.pay_out(&shop, "4");
        sent(&mut connected);
    });
}

#[test]
fn a_payout_is_canceled_until_it_is_signed() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let cancel = |connected: &mut Connected, payout: &str| {
            let path = format!("/v1/payments/{payout}");
            let world = &mut connected.world;
            world.keyed(&shop, "DELETE", &path, serde_json::Value::Null)
        };
        // A node is asked what it needs; its answer comes too late.
        let first = connected.pay_out(&shop, "4");
        let id = estimated(&mut connected);
        assert_eq!(cancel(&mut connected, &first).status, 200, "{kind}");
        connected.estimate(id, &GAS);
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");

        let second = connected.pay_out(&shop, "3");
        let id = estimated(&mut connected);
        connected.estimate(id, &GAS);
        let refused = cancel(&mut connected, &second);
        assert_eq!(refused.refusal(), "409 NOT_CANCELLABLE", "{kind}");
        let (id, hash, _) = broadcast(&mut connected);
        connected.broadcast((id, hash), Broadcast::Accepted);
        mine(&mut connected, hash, 0, Some(3_000_000));
        connected.blocks(3);
        let shown = [&first, &second].map(|payout| status(&mut connected, &shop, payout));
        assert_eq!(shown, ["Canceled", "Confirmed"], "{kind}");
        assert_eq!(balance(&mut connected, &shop), "7 0", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_late_estimate_of_a_canceled_payout_concerns_no_other_transaction() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let canceled = connected.pay_out(&shop, "4");
        let late = estimated(&mut connected);
        let path = format!("/v1/payments/{canceled}");
        let world = &mut connected.world;
        let answer = world.keyed(&shop, "DELETE", &path, serde_json::Value::Null);
        assert_eq!(answer.status, 200, "{kind}: {}", answer.body);

        let payout = connected.pay_out(&shop, "3");
        let id = estimated(&mut connected);
        assert_ne!(id, late, "{kind}");
        connected.estimate(late, &Estimate::Reverts);
        assert_eq!(status(&mut connected, &shop, &payout), "Pending", "{kind}");
        connected.estimate(id, &GAS);
        let (id, hash, _) = broadcast(&mut connected);
        connected.broadcast((id, hash), Broadcast::Accepted);
        mine(&mut connected, hash, 0, Some(3_000_000));
        connected.blocks(3);
        assert_eq!(
            status(&mut connected, &shop, &payout),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "7 0", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}
