//! Payments by programs over HTTP 402.

mod facilitator;
mod resource;
mod sandbox;
mod test_networks;

use std::time::Duration;

use alloy_primitives::{Address, B256};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use settlekit_service::step::WireRequest;
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{Answer, Shop, World, request, text};

use crate::chain::payers::{Payers, RICH, Token};
use crate::chain::sending::sent;

pub(crate) fn encoded(json: &Value) -> String {
    STANDARD.encode(json.to_string())
}

/// The JSON of a header.
pub(crate) fn header(answer: &Answer, name: &str) -> Value {
    let header = answer.header(name).unwrap_or_default();
    let bytes = STANDARD.decode(header).expect("base64");
    serde_json::from_slice(&bytes).expect("JSON")
}

pub(crate) fn resource(paylink: &str, headers: Vec<(String, String)>) -> WireRequest {
    request("GET", &format!("/v1/x402/{paylink}"), &Value::Null, headers)
}

/// The signed transfer for the requirements of version 2, as a payload.
pub(crate) fn signed(wallet: &Wallet, accepted: &Value, nonce: u8, until: i64) -> Value {
    signed_with(
        wallet,
        accepted,
        &B256::repeat_byte(nonce).to_string(),
        until,
    )
}

/// As [`signed`], with 32 bytes as nonce.
pub(crate) fn signed_with(wallet: &Wallet, accepted: &Value, nonce: &str, until: i64) -> Value {
    let chain = text(accepted, "network");
    let chain = chain.strip_prefix("eip155:").expect("an EVM chain");
    let body = wallet.authorize(
        &json!({
            "to": accepted["payTo"], "value": accepted["amount"], "token_address": accepted["asset"],
            "domain_name": accepted["extra"]["name"], "domain_version": accepted["extra"]["version"],
            "valid_before": until, "nonce": nonce,
        }),
        chain.parse().expect("a number"),
    );
    json!({
        "signature": body["signature"],
        "authorization": {
            "from": body["from"], "to": accepted["payTo"], "value": accepted["amount"], "validAfter": "0",
            "validBefore": until.to_string(), "nonce": nonce,
        },
    })
}

/// A payment of version 2 as a client makes it.
pub(crate) fn payment(wallet: &Wallet, accepted: &Value, nonce: u8, until: i64) -> Value {
    json!({"x402Version": 2, "accepted": accepted, "payload": signed(wallet, accepted, nonce, until)})
}

/// A paylink of 10 USDC.
pub(crate) fn paylink(world: &mut World, shop: &Shop) -> String {
    let body = json!({"name": "Tea", "amount": "10", "currency": "USDC"});
    world.post(shop, "/v1/paylinks", body).id()
}

/// What a paylink asks for first, in version 2.
pub(crate) fn accepted(world: &mut World, paylink: &str) -> Value {
    let asked = world.send(resource(paylink, Vec::new()));
    assert_eq!(asked.status, 402, "{}", asked.body);
    header(&asked, "payment-required")["accepts"][0].clone()
}

impl Payers {
    /// As [`paylink`], of the shop.
    pub(crate) fn paylink(&mut self) -> String {
        let shop = self.shop.clone();
        paylink(self.world(), &shop)
    }

    /// The end of a transfer's validity, five minutes from now.
    pub(crate) fn until(&self) -> i64 {
        let until = self.connected.world.now.plus(Duration::from_secs(300));
        until.seconds()
    }

    /// The payment of a paylink with a nonce.
    pub(crate) fn payment_for(&mut self, paylink: &str, nonce: u8) -> Value {
        let accepted = accepted(self.world(), paylink);
        payment(&self.payer, &accepted, nonce, self.until())
    }

    /// Asks for a paylink's receipt with a payment of version 2.
    pub(crate) fn pay(&mut self, paylink: &str, payment: &Value) -> Answer {
        self.pay_as(paylink, payment, RICH)
    }

    pub(crate) fn pay_as(&mut self, paylink: &str, payment: &Value, token: Token) -> Answer {
        let headers = vec![("PAYMENT-SIGNATURE".to_owned(), encoded(payment))];
        self.send(&resource(paylink, headers), token)
    }

    /// The queued transfer is sent, and the next block executes it.
    pub(crate) fn execute_payment(&mut self, payment: &Value, nonce: u64) -> B256 {
        let (_, hash) = sent(&mut self.connected);
        self.execute_in(payment, (hash, nonce));
        hash
    }

    /// The next block executes a transfer in a transaction of the hot wallet.
    pub(crate) fn execute_in(&mut self, payment: &Value, (hash, nonce): (B256, u64)) {
        let wallet = self.connected.wallet;
        self.connected.mine((hash, wallet, nonce), true);
        self.include_payment(payment, hash);
    }

    /// The next block executes a transfer in a transaction of somebody else.
    pub(crate) fn execute_by_another(&mut self, payment: &Value) {
        let hash = self.connected.chain.hash();
        self.include_payment(payment, hash);
    }

    fn include_payment(&mut self, payment: &Value, hash: B256) {
        let authorization = &payment["payload"]["authorization"];
        let address = |name: &str| -> Address { text(authorization, name).parse().expect("hex") };
        let units: u64 = text(authorization, "value").parse().expect("units");
        let moved = (address("from"), address("to"), units);
        let nonce = text(authorization, "nonce").parse().expect("32 bytes");
        self.include(hash, moved, nonce);
        self.connected.blocks(1);
    }

    /// The shop's payments.
    pub(crate) fn payments(&mut self) -> Vec<Value> {
        let shop = self.shop.clone();
        self.world().list(&shop, "/v1/payments")
    }
}
