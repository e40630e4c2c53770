//! `POST /installation/transactions/{transaction_id}/raise-fee`.

use alloy_primitives::U256;
use serde_json::{Value, json};
use settlekit_service::block::Mined;
use settlekit_tests::chain::Connected;
use settlekit_tests::world::{Answer, SignedIn, number};

use super::{broadcast, fund, operator, read, sign};

fn raise(connected: &mut Connected, who: &SignedIn, id: i64, attempts: i64) -> Answer {
    let path = format!("/v1/installation/transactions/{id}/raise-fee");
    let body = json!({ "attempts": attempts });
    connected
        .world
        .session_with_step_up(who, "POST", &path, body)
}

fn listed(connected: &mut Connected, who: &SignedIn) -> Vec<Value> {
    let list = read(connected, who, "transactions");
    list["items"].as_array().expect("items").clone()
}

#[test]
fn a_raised_fee_is_an_eighth_higher_and_broadcast_at_once_under_the_same_nonce() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        fund(&mut connected, &shop);
        let payout = connected.pay_out(&shop, "1");
        sign(&mut connected);
        let first = broadcast(&mut connected)[0];
        let id = number(&listed(&mut connected, &olga)[0], "id");
        let raised = raise(&mut connected, &olga, id, 1);
        assert_eq!(raised.status, 200, "{kind}: {}", raised.body);
        let one = raised.data();
        assert_eq!(one["attempts"], 2, "{kind}");
        assert_eq!(one["nonce"], 0, "{kind}");
        assert_eq!(one["max_fee_gwei"], "2.252250001", "{kind}");
        let again = broadcast(&mut connected);
        assert_eq!(again.len(), 1, "{kind}");
        assert_ne!(again[0], first, "{kind}");
        // Whichever form is mined settles the payout, once.
        connected.chain.mine(Mined {
            hash: first,
            from: connected.wallet,
            nonce: 0,
            succeeded: false,
            fee: U256::from(21_000_000_000_000_u64),
        });
        connected.blocks(3);
        let shown = connected
            .world
            .read(&shop, &format!("/v1/payments/{payout}"));
        assert_eq!(shown["status"], "Failed", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        let late = raise(&mut connected, &olga, id, 2);
        assert_eq!(late.refusal(), "409 STATE_FORBIDS", "{kind}");
    });
}

#[test]
fn a_repeated_click_raises_the_fee_once() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        fund(&mut connected, &shop);
        connected.pay_out(&shop, "1");
        sign(&mut connected);
        broadcast(&mut connected);
        let id = number(&listed(&mut connected, &olga)[0], "id");
        assert_eq!(raise(&mut connected, &olga, id, 1).status, 200, "{kind}");
        let again = raise(&mut connected, &olga, id, 1);
        assert_eq!(again.refusal(), "409 STATE_FORBIDS", "{kind}");
        assert_eq!(listed(&mut connected, &olga)[0]["attempts"], 2, "{kind}");
    });
}

#[test]
fn only_the_nonce_that_the_network_waits_for_is_raised() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        fund(&mut connected, &shop);
        connected.pay_out(&shop, "1");
        connected.pay_out(&shop, "1");
        let queued = number(&listed(&mut connected, &olga)[0], "id");
        let early = raise(&mut connected, &olga, queued, 1);
        assert_eq!(early.refusal(), "409 STATE_FORBIDS", "{kind}");
        sign(&mut connected);
        broadcast(&mut connected);
        let all = listed(&mut connected, &olga);
        for one in &all {
            let is_first = one["nonce"] == 0;
            assert_eq!(one["can_raise_fee"], is_first, "{kind}");
            let raised = raise(&mut connected, &olga, number(one, "id"), 1);
            let expected = if is_first {
                "200 "
            } else {
                "409 STATE_FORBIDS"
            };
            assert_eq!(raised.refusal(), expected, "{kind}: {}", raised.body);
        }
        let unknown = raise(&mut connected, &olga, 987_654, 1);
        assert_eq!(unknown.refusal(), "404 NOT_FOUND", "{kind}");
        let never = raise(&mut connected, &olga, queued, 0);
        assert_eq!(never.refusal(), "400 OUT_OF_RANGE attempts", "{kind}");
    });
}

#[test]
fn a_fee_is_not_raised_beyond_ten_times_that_of_now_nor_on_a_paused_chain() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        fund(&mut connected, &shop);
        connected.pay_out(&shop, "1");
        sign(&mut connected);
        broadcast(&mut connected);
        let id = number(&listed(&mut connected, &olga)[0], "id");
        let mut raised = 1;
        while raise(&mut connected, &olga, id, raised).status == 200 {
            raised += 1;
        }
        // 1.125 to the power of 19 is nine and a half.
        assert_eq!(raised, 20, "{kind}");
        let last = &listed(&mut connected, &olga)[0];
        assert_eq!(last["attempts"], raised, "{kind}");
        let path = "/v1/installation/chains/8453";
        let body = json!({ "paused": true });
        let world = &mut connected.world;
        let paused = world.session_with_step_up(&olga, "PATCH", path, body);
        assert_eq!(paused.status, 200, "{kind}");
        let refused = raise(&mut connected, &olga, id, raised);
        assert_eq!(refused.refusal(), "409 STATE_FORBIDS", "{kind}");
    });
}
