//! Fees that change while a queue of payouts is under way.

use std::collections::BTreeMap;
use std::time::Duration;

use alloy_consensus::TxEip1559;
use alloy_consensus::transaction::RlpEcdsaDecodableTx;
use alloy_primitives::{Address, B256, U256};
use serde_json::json;
use settlekit_service::block::Mined;
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest};
use settlekit_tests::chain::Connected;

use super::sending::{GAS, balance, broadcast, estimated, funded, mine, status};

const PAYOUTS: usize = 4;

/// The node of a network: it takes a transaction that pays the base fee, and mines them in the order of their nonces.
#[derive(Default)]
struct Node {
    taken: BTreeMap<u64, (B256, u128)>,
}

impl Node {
    fn answer(&mut self, base_fee: u128, hash: B256, mut signed: &[u8]) -> Broadcast {
        let decoded = TxEip1559::eip2718_decode(&mut signed).expect("a transaction");
        let (nonce, max_fee) = (decoded.tx().nonce, decoded.tx().max_fee_per_gas);
        let before = self.taken.get(&nonce);
        if max_fee < base_fee || before.is_some_and(|before| max_fee < before.1 + before.1 / 10) {
            return Broadcast::Underpriced;
        }
        self.taken.insert(nonce, (hash, max_fee));
        Broadcast::Accepted
    }
}

#[test]
fn a_base_fee_that_jumps_tenfold_delays_a_queue_of_payouts_and_pays_none_twice() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let payouts: Vec<String> = (0..PAYOUTS)
            .map(|_| connected.pay_out(&shop, "2"))
            .collect();
        for request in connected.requests() {
            if let NodeRequest::Estimate { id, .. } = request {
                connected.estimate(id, &GAS);
            }
        }
        // All are signed for the fees of now, and no node has seen one.
        connected.chain.base_fee *= 10;
        connected.blocks(1);
        let (mut node, mut next) = (Node::default(), 0_u64);
        let mut order = Vec::new();
        for _ in 0..40 {
            for request in connected.requests() {
                if let NodeRequest::Broadcast { id, hash, signed } = request {
                    let answer = node.answer(connected.chain.base_fee, hash, &signed);
                    connected.broadcast((id, hash), answer);
                }
            }
            while let Some((hash, _)) = node.taken.remove(&next) {
                mine(&mut connected, hash, next, Some(2_000_000));
                order.push(next);
                next += 1;
            }
            connected.blocks(1);
            connected.world.pass(Duration::from_secs(16));
        }
        assert_eq!(order, [0, 1, 2, 3], "{kind}");
        for payout in &payouts {
            let shown = status(&mut connected, &shop, payout);
            assert_eq!(shown, "Confirmed", "{kind}");
        }
        assert_eq!(balance(&mut connected, &shop), "2 0", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
        assert_eq!(connected.requests(), [], "{kind}");
    });
}

#[test]
fn a_block_with_an_absurd_base_fee_is_recorded_like_any_other() {
    Connected::each(|kind, mut connected| {
        connected.chain.base_fee = u128::MAX;
        connected.blocks(1);
        connected.chain.base_fee = 1_000_000_000;
        connected.blocks(1);
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_node_that_claims_an_absurd_priority_fee_holds_up_no_payout() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        connected.pay_out(&shop, "4");
        let id = estimated(&mut connected);
        let absurd = Estimate::Succeeds {
            gas: 50_000,
            priority_fee: u128::MAX,
        };
        connected.estimate(id, &absurd);
        let (_, _, signed) = broadcast(&mut connected);
        let mut signed = signed.as_slice();
        let decoded = TxEip1559::eip2718_decode(&mut signed).expect("a transaction");
        let offered = decoded.tx().max_priority_fee_per_gas;
        assert_eq!(offered, 50_000_000_000, "{kind}");
    });
}

#[test]
fn a_fee_that_no_books_can_hold_is_an_alarm_and_the_chain_goes_on() {
    Connected::each(|kind, mut connected| {
        let own = Address::repeat_byte(0xa1);
        let shop = connected.world.shop("Shop", None);
        let body = json!({
            "reference": "own", "chain_id": 8453, "currencies": ["ETH"], "address": own.to_string(),
        });
        let made = connected.world.keyed(&shop, "POST", "/v1/accounts", body);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let largest = U256::from((1_u128 << 96) - 1);
        for (nonce, fee) in [(0, U256::MAX), (1, largest + U256::ONE), (2, largest)] {
            for from in [connected.wallet, own] {
                let hash = connected.chain.hash();
                connected.chain.mine(Mined {
                    hash,
                    from,
                    nonce,
                    succeeded: true,
                    fee,
                });
            }
            connected.blocks(1);
        }
        connected.blocks(3);
        let failures = connected.failures.iter();
        let alarms = failures.filter(|failure| failure.contains("which no books can hold"));
        assert_eq!(alarms.count(), 4, "{kind}: {:?}", connected.failures);
        let head = connected.chain.head();
        let (service, database) = connected.world.parts();
        let chains = service.connected_chains(database).expect("chains");
        assert_eq!(chains[0].head, head, "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}
