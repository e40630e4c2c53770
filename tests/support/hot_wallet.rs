//! What the hot wallet of a [`Connected`] pays out, and what the chain makes of it.

use alloy_primitives::{Address, B256, U256};
use serde_json::json;
use settlekit_service::TransferIndex;
use settlekit_service::block::{Mined, Transfer};
use settlekit_service::opening::Balances;
use settlekit_service::outgoing::NodeRequest;

use crate::chain::{Connected, USDC};
use crate::world::{OTHER_WALLET, Shop};

/// What the network takes for each transaction, in wei.
pub const FEE: u64 = 21_000_000_000_000;

impl Connected {
    /// Creates a payout of USDC from the account `till` to [`OTHER_WALLET`], and queues its transaction.
    pub fn pay_out(&mut self, shop: &Shop, amount: &str) -> String {
        let body = json!({
            "account": "till", "amount": amount, "currency": "USDC", "chain_id": 8453, "address": OTHER_WALLET,
        });
        let made = self.world.signed(shop, None, "POST", "/v1/payouts", body);
        assert_eq!(made.status, 201, "{}", made.body);
        self.world.work();
        made.id()
    }

    /// Puts a transaction with its sender and nonce into the next block.
    pub fn mine(&mut self, (hash, from, nonce): (B256, Address, u64), succeeded: bool) {
        self.chain.mine(Mined {
            hash,
            from,
            nonce,
            succeeded,
            fee: U256::from(FEE),
        });
    }

    /// Puts a transfer of USDC into the next block, as the only one of its transaction.
    pub fn move_usdc(&mut self, hash: B256, (from, to): (Address, Address), units: u64) {
        self.chain.include(Transfer {
            hash,
            index: TransferIndex::Log(0),
            token: Some(USDC),
            from,
            to,
            units: U256::from(units),
        });
    }

    /// Moves USDC from an address to the hot wallet in the next block, as a sweep does.
    pub fn sweep(&mut self, from: Address, units: u64) {
        let hash = self.chain.hash();
        self.move_usdc(hash, (from, self.wallet), units);
    }

    /// Answers all requests for balances: nothing lies there.
    pub fn report_empty_wallets(&mut self) {
        self.report_wallets(0);
    }

    /// Reports for each wallet that the service asks for that it has this much USDC, in the smallest unit.
    pub fn report_wallets(&mut self, usdc: u64) {
        // An extended public key has more addresses than a round.
        for request in [self.requests(), self.requests()].concat() {
            if let NodeRequest::Balances { wallet, block, .. } = request {
                self.report_balances(&Balances {
                    wallet,
                    block,
                    units: vec![(None, U256::ZERO), (Some(USDC), U256::from(usdc))],
                });
            }
        }
    }
}
