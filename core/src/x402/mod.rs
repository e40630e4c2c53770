//! Payments by programs over HTTP 402: x402, versions 1 and 2, scheme `exact` on EVM chains.
//!
//! A resource answers 402 with the [`Requirements`] that it accepts. The client signs a transfer for one of them, an [`Authorization`]
//! (EIP-3009), and repeats the request with it. Shapes and error codes are those of the specification
//! (<https://github.com/x402-foundation/x402>, `specs`), not of the contract; amounts are whole numbers of the token's smallest unit.

mod failure;
mod network;
mod operations;
mod payload;
mod requirements;
mod settlement;

pub use failure::Failure;
pub use network::Network;
pub use operations::{
    GetX402Resource, ListX402Kinds, PreflightX402Resource, SettleX402, VerifyX402,
    X402PreflightPath, X402ResourcePath,
};
pub use payload::{Authorization, PaymentPayload};
pub use requirements::{PaymentRequired, Requirements, Resource};
pub use settlement::SettlementResponse;

/// Header of a 402 answer with the payments that the resource accepts, base64 (version 2).
pub const PAYMENT_REQUIRED: &str = "payment-required";
/// Header of a request with the payment, base64 (version 2).
pub const PAYMENT_SIGNATURE: &str = "payment-signature";
/// Header of an answer with the settlement, base64 (version 2).
pub const PAYMENT_RESPONSE: &str = "payment-response";
/// Header of a request with the payment, base64 (version 1).
pub const X_PAYMENT: &str = "x-payment";
/// Header of an answer with the settlement, base64 (version 1).
pub const X_PAYMENT_RESPONSE: &str = "x-payment-response";

/// The headers that pages of other origins may send to a paylink.
pub const REQUEST_HEADERS: &str = "payment-signature, x-payment";
/// The headers that they may read.
pub const RESPONSE_HEADERS: &str = "payment-required, payment-response, x-payment-response";

/// The only scheme: the exact amount, by a signed transfer.
pub const EXACT: &str = "exact";

/// Version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// Payments in `X-PAYMENT`, networks by name.
    One,
    /// Payments in `PAYMENT-SIGNATURE`, networks by CAIP-2 id.
    Two,
}

impl Version {
    /// Its number on the wire.
    pub const fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// The version of a message.
    ///
    /// # Errors
    /// If it has none, or another.
    pub fn of(message: &serde_json::Value) -> Result<Self, Failure> {
        match message
            .get("x402Version")
            .and_then(serde_json::Value::as_u64)
        {
            Some(1) => Ok(Self::One),
            Some(2) => Ok(Self::Two),
            _ => Err(Failure::UnsupportedVersion),
        }
    }
}

/// The text of a member.
fn text<'a>(object: &'a serde_json::Value, name: &str) -> Option<&'a str> {
    object.get(name).and_then(serde_json::Value::as_str)
}
