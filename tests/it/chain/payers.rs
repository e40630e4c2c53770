//! A payer of signed transfers (EIP-3009) and a shop, on a live service whose operator pays the network.

use std::collections::HashMap;

use alloy_primitives::{Address, B256, U256};
use serde_json::{Value, json};
use settlekit_service::node_calls::{NodeAnswers, NodeCalls};
use settlekit_service::step::WireRequest;
use settlekit_tests::chain::Connected;
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{Answer, Shop, World};

use super::sending::balance;

pub(crate) const NO_DIFFERENCES: Vec<String> = Vec::new();

/// What the nodes tell about a payer's token.
#[derive(Clone, Copy)]
pub(crate) struct Token {
    pub(crate) used: bool,
    pub(crate) held: u64,
    pub(crate) reverts: bool,
}

/// A payer who has 100 USDC.
pub(crate) const RICH: Token = Token {
    used: false,
    held: 100_000_000,
    reverts: false,
};

pub(crate) struct Payers {
    pub(crate) connected: Connected,
    pub(crate) shop: Shop,
    pub(crate) payer: Wallet,
    /// The nonces that were signed at the checkout, by payment.
    pub(crate) nonces: HashMap<String, B256>,
}

impl Payers {
    pub(crate) fn each(test: impl Fn(&str, Self)) {
        Connected::each(|kind, mut connected| {
            let shop = connected.world.shop("Tea", None);
            connected.world.account(&shop, "till", 8453, &["USDC"]);
            let mut payers = Self {
                connected,
                shop,
                payer: Wallet::new([7; 32]),
                nonces: HashMap::new(),
            };
            payers.pay_fees(Some(1_000_000_000_000_000_000));
            test(kind, payers);
        });
    }

    pub(crate) fn world(&mut self) -> &mut World {
        &mut self.connected.world
    }

    /// Sets what the operator pays the network for payers in a day.
    pub(crate) fn pay_fees(&mut self, per_day: Option<i128>) {
        let now = self.connected.world.now;
        let chain = self.connected.chain.id;
        let (service, database) = self.connected.world.parts();
        let set = service.set_payer_fees(database, chain, per_day, now);
        set.expect("a connected chain");
    }

    /// The address of the payer's wallet.
    pub(crate) fn from(&self) -> Address {
        self.payer.address().parse().expect("an address")
    }

    /// Sends a request, for which the nodes tell of the token.
    pub(crate) fn send(&mut self, asked: &WireRequest, token: Token) -> Answer {
        let world = self.world();
        let now = world.now;
        world.send_with_nodes(asked, |calls| {
            (calls.nodes.iter())
                .map(|_| answers(calls, token, now.seconds()))
                .collect()
        })
    }

    /// Puts a signed transfer of USDC into the next block, in a transaction that may be anybody's.
    pub(crate) fn include(
        &mut self,
        hash: B256,
        (from, to, units): (Address, Address, u64),
        nonce: B256,
    ) {
        self.connected.move_usdc(hash, (from, to), units);
        self.connected.chain.authorized(hash, (from, nonce));
    }

    /// The balance of the shop's till.
    pub(crate) fn till(&mut self) -> String {
        balance(&mut self.connected, &self.shop.clone())
    }
}

/// A node's answer to each batch of calls.
fn answers(calls: &NodeCalls, token: Token, now: i64) -> NodeAnswers {
    let word = |number: u64| json!(B256::from(U256::from(number)).to_string());
    let batches = calls.batches.iter().map(|batch| {
        let header = json!({ "hash": batch.block.to_string(), "timestamp": format!("{now:#x}") });
        let mut results = vec![json!({ "result": "0x2105" }), json!({ "result": header })];
        results.push(json!({ "result": word(u64::from(token.used)) }));
        results.push(json!({ "result": word(token.held) }));
        results.push(match token.reverts {
            true => json!({ "error": { "code": 3, "message": "execution reverted" } }),
            false => json!({ "result": "0x" }),
        });
        let results = results.into_iter().enumerate().map(|(id, mut result)| {
            result["id"] = json!(id);
            result
        });
        Ok(Value::Array(results.collect()).to_string().into_bytes())
    });
    batches.collect()
}
