//! Refunds on a connected chain: sent as payouts are, and refunded when their block has the confirmations.

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use serde_json::{Value, json};
use settlekit_service::TransferIndex;
use settlekit_service::block::Transfer;
use settlekit_service::operator::{LimitScope, PayoutLimit};
use settlekit_service::outgoing::{Broadcast, Estimate};
use settlekit_tests::chain::{Connected, PAYER, USDC};
use settlekit_tests::world::{Answer, OTHER_WALLET, Shop, amount, currency, text};

use super::sending::{GAS, balance, broadcast, estimated, filler_asked_for, mine_filler, sent};

/// A shop with a payment of 10 USDC that a sender paid in full, all of it in the hot wallet.
fn paid_by(connected: &mut Connected, sender: Address) -> (Shop, String) {
    let shop = connected.world.shop("Shop", None);
    connected.world.account(&shop, "till", 8453, &["USDC"]);
    let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
    let payment = connected.world.post(&shop, "/v1/payments", body);
    let address: Address = text(payment.data(), "deposit_address")
        .parse()
        .expect("an address");
    for (from, to) in [(sender, address), (address, connected.wallet)] {
        let moved = Transfer {
            hash: connected.chain.hash(),
            index: TransferIndex::Log(0),
            token: Some(USDC),
            from,
            to,
            units: U256::from(10_000_000_u64),
        };
        connected.chain.include(moved);
    }
    connected.blocks(3);
    let path = format!("/v1/payments/{}", payment.id());
    (shop, path)
}

fn paid(connected: &mut Connected) -> (Shop, String) {
    paid_by(connected, PAYER)
}

fn ask(connected: &mut Connected, shop: &Shop, path: &str, body: Value) -> Answer {
    let path = format!("{path}/refunds");
    let answer = connected.world.signed(shop, None, "POST", &path, body);
    connected.world.work();
    answer
}

fn refund(connected: &mut Connected, shop: &Shop, path: &str, body: Value) {
    let answer = ask(connected, shop, path, body);
    assert_eq!(answer.status, 201, "{}", answer.body);
}

/// Status, refunded and refunding amount of a payment.
fn state(connected: &mut Connected, shop: &Shop, path: &str) -> String {
    let payment = connected.world.read(shop, path);
    let amount = |name: &str| payment[name].as_str().unwrap_or("-").to_owned();
    let amounts = [amount("refunded_amount"), amount("refunding_amount")];
    format!("{} {}", text(&payment, "status"), amounts.join(" "))
}

/// Puts a transaction of the hot wallet that pays USDC back into the next block; without an amount, it is reverted.
fn mine(connected: &mut Connected, hash: B256, nonce: u64, units: Option<u64>) {
    let from = connected.wallet;
    connected.mine((hash, from, nonce), units.is_some());
    if let Some(units) = units {
        connected.move_usdc(hash, (from, PAYER), units);
    }
}

/// How many events say that the payment was refunded.
fn refunded_events(connected: &mut Connected, shop: &Shop) -> Value {
    let log = "/v1/events?type=Payment&action=Refunded";
    connected.world.read(shop, log)["total"].clone()
}

#[test]
fn a_refund_is_signed_sent_to_the_payer_and_refunded_when_its_block_has_the_confirmations() {
    Connected::each(|kind, mut connected| {
        let (shop, path) = paid(&mut connected);
        refund(&mut connected, &shop, &path, json!({}));
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Confirmed - 10",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "10 10", "{kind}");
        let id = estimated(&mut connected);
        connected.estimate(id, &GAS);
        let (id, hash, signed) = broadcast(&mut connected);
        // A crash after the broadcast: the same bytes again.
        connected.world.pass(Duration::from_secs(60));
        assert_eq!(broadcast(&mut connected), (id, hash, signed), "{kind}");
        connected.broadcast((id, hash), Broadcast::Accepted);
        mine(&mut connected, hash, 0, Some(10_000_000));
        connected.blocks(2);
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Confirmed - 10",
            "{kind}"
        );
        connected.blocks(1);
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Refunded 10 -",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "0 0", "{kind}");
        let movements = connected
            .world
            .read(&shop, "/v1/accounts/till/movement?sort=asc");
        assert_eq!(movements["items"][0]["status"], "Refunded", "{kind}");
        let back = &movements["items"][1];
        assert_eq!(text(back, "to_address"), PAYER.to_string(), "{kind}");
        assert_eq!(
            text(back, "transaction_hash"),
            format!("{hash:#x}"),
            "{kind}"
        );
        assert_eq!(refunded_events(&mut connected, &shop), 1, "{kind}");
        assert_eq!(connected.requests(), [], "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_refund_that_is_reverted_refused_or_abandoned_gives_the_money_back() {
    Connected::each(|kind, mut connected| {
        let (shop, path) = paid(&mut connected);
        refund(&mut connected, &shop, &path, json!({ "amount": "4" }));
        let (_, hash) = sent(&mut connected);
        mine(&mut connected, hash, 0, None);
        connected.blocks(3);
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Confirmed - -",
            "{kind}"
        );
        refund(&mut connected, &shop, &path, json!({ "amount": "4" }));
        let id = estimated(&mut connected);
        connected.estimate(id, &Estimate::Reverts);
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Confirmed - -",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        // No node takes it: a filler uses its nonce.
        refund(&mut connected, &shop, &path, json!({ "amount": "4" }));
        let id = estimated(&mut connected);
        connected.estimate(id, &GAS);
        for _ in 0..20 {
            let (id, hash, _) = broadcast(&mut connected);
            connected.broadcast((id, hash), Broadcast::Refused);
            connected.world.pass(Duration::from_secs(16));
        }
        filler_asked_for(&mut connected);
        connected.estimate(id, &GAS);
        let (_, filler, _) = broadcast(&mut connected);
        connected.broadcast((id, filler), Broadcast::Accepted);
        mine_filler(&mut connected, filler, 1);
        connected.blocks(2);
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Confirmed - 4",
            "{kind}"
        );
        connected.blocks(1);
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Confirmed - -",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        assert_eq!(refunded_events(&mut connected, &shop), 0, "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_reorganisation_refunds_once_before_and_after_the_confirmations() {
    Connected::each(|kind, mut connected| {
        let (shop, path) = paid(&mut connected);
        refund(&mut connected, &shop, &path, json!({ "amount": "4" }));
        let (id, hash) = sent(&mut connected);
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(1);
        for depth in [1, 4] {
            connected.reorganise(depth);
            let (again, same, _) = broadcast(&mut connected);
            assert_eq!((again, same), (id, hash), "{kind}");
            connected.broadcast((id, hash), Broadcast::Accepted);
            mine(&mut connected, hash, 0, Some(4_000_000));
            connected.blocks(4);
            let expected = "PartialRefunded 4 -";
            assert_eq!(state(&mut connected, &shop, &path), expected, "{kind}");
            assert_eq!(balance(&mut connected, &shop), "6 0", "{kind}");
            assert_eq!(refunded_events(&mut connected, &shop), 1, "{kind}");
        }
        // The second one took away what was settled.
        let said = &connected.failures;
        assert_eq!(said.len(), 1, "{kind}: {said:?}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn two_refunds_of_one_payment_never_return_more_than_was_paid() {
    Connected::each(|kind, mut connected| {
        let (shop, path) = paid(&mut connected);
        refund(&mut connected, &shop, &path, json!({ "amount": "6" }));
        let over = ask(
            &mut connected,
            &shop,
            &path,
            json!({ "amount": "4.000001" }),
        );
        assert_eq!(over.refusal(), "400 OUT_OF_RANGE amount", "{kind}");
        refund(&mut connected, &shop, &path, json!({}));
        let third = ask(&mut connected, &shop, &path, json!({ "amount": "1" }));
        assert_eq!(third.refusal(), "409 STATE_FORBIDS", "{kind}");
        // Both are under way; the later one fails and only the first counts.
        let ids: Vec<i64> = connected
            .requests()
            .iter()
            .map(|request| match request {
                settlekit_service::outgoing::NodeRequest::Estimate { id, .. } => *id,
                other => panic!("not an estimate: {other:?}"),
            })
            .collect();
        assert_eq!(ids.len(), 2, "{kind}");
        connected.estimate(ids[1], &Estimate::Reverts);
        connected.estimate(ids[0], &GAS);
        let (id, hash, _) = broadcast(&mut connected);
        connected.broadcast((id, hash), Broadcast::Accepted);
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Confirmed - 6",
            "{kind}"
        );
        mine(&mut connected, hash, 0, Some(6_000_000));
        connected.blocks(3);
        assert_eq!(
            state(&mut connected, &shop, &path),
            "PartialRefunded 6 -",
            "{kind}"
        );
        refund(&mut connected, &shop, &path, json!({}));
        let (_, hash) = sent(&mut connected);
        mine(&mut connected, hash, 1, Some(4_000_000));
        connected.blocks(3);
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Refunded 10 -",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "0 0", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_refund_above_a_limit_waits_for_a_second_member() {
    Connected::each(|kind, mut connected| {
        let (shop, path) = paid(&mut connected);
        let limit = PayoutLimit {
            scope: LimitScope::Installation,
            currency: currency("USDC"),
            per_payout: Some(amount("5")),
            per_day: None,
        };
        let now = connected.world.now;
        let (service, database) = connected.world.parts();
        let set = service.set_payout_limit(database, &limit, now);
        assert_eq!(set, Ok(()));
        refund(&mut connected, &shop, &path, json!({}));
        assert_eq!(connected.requests(), [], "{kind}");
        let payout = connected.world.read(&shop, "/v1/payouts")["items"][0].clone();
        assert_eq!(payout["reason"], "ApprovalRequired", "{kind}");
        let ada = connected.world.sign_in(&shop, "ada@shop.example");
        let decide = |word: &str, id: &Value| format!("/v1/payouts/{}/{word}", text(id, "id"));
        let refuse = decide("refuse", &payout);
        let world = &mut connected.world;
        let refused = world.session_with_step_up(&ada, "POST", &refuse, Value::Null);
        assert_eq!(refused.status, 200, "{kind}: {}", refused.body);
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Confirmed - -",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        refund(&mut connected, &shop, &path, json!({}));
        let payout = connected.world.read(&shop, "/v1/payouts")["items"][0].clone();
        let approve = decide("approve", &payout);
        let world = &mut connected.world;
        let approved = world.session_with_step_up(&ada, "POST", &approve, Value::Null);
        assert_eq!(approved.status, 200, "{kind}: {}", approved.body);
        connected.world.work();
        let (_, hash) = sent(&mut connected);
        mine(&mut connected, hash, 0, Some(10_000_000));
        connected.blocks(3);
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Refunded 10 -",
            "{kind}"
        );
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_refund_of_money_that_is_paid_out_already_is_refused() {
    Connected::each(|kind, mut connected| {
        let (shop, path) = paid(&mut connected);
        let body = json!({
            "account": "till", "amount": "4", "currency": "USDC", "chain_id": 8453, "address": OTHER_WALLET,
        });
        connected.world.create(&shop, "/v1/payouts", body);
        let refused = ask(&mut connected, &shop, &path, json!({}));
        assert_eq!(refused.refusal(), "422 INSUFFICIENT_FUNDS amount", "{kind}");
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Confirmed - -",
            "{kind}"
        );
        assert_eq!(balance(&mut connected, &shop), "10 4", "{kind}");
    });
}

#[test]
fn nothing_is_refunded_to_nobody_nor_to_the_service_itself() {
    // Newly minted tokens come from the zero address.
    Connected::each(|kind, mut connected| {
        let (shop, path) = paid_by(&mut connected, Address::ZERO);
        let to_itself = json!({ "address": connected.wallet.to_string() });
        for body in [json!({}), to_itself] {
            let refused = ask(&mut connected, &shop, &path, body);
            assert_eq!(refused.refusal(), "422 NOT_SUPPORTED address", "{kind}");
        }
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
        refund(
            &mut connected,
            &shop,
            &path,
            json!({ "address": OTHER_WALLET }),
        );
        assert_eq!(
            state(&mut connected, &shop, &path),
            "Confirmed - 10",
            "{kind}"
        );
    });
}
