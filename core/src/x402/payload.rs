//! The payment of a client.

use serde_json::Value;

use super::{EXACT, Failure, Network, Requirements, Version, text};
use crate::value::ChainId;

/// A signed transfer of a token (EIP-3009, `TransferWithAuthorization`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorization {
    /// The payer's address.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// The amount in the token's smallest unit.
    pub value: String,
    /// Valid after this time, in seconds since 1970.
    pub valid_after: u64,
    /// Valid before this time, in seconds since 1970.
    pub valid_before: u64,
    /// 32 bytes, hexadecimal.
    pub nonce: String,
    /// 65 bytes, hexadecimal.
    pub signature: String,
}

/// A payment payload: a signed transfer, its chain, and the requirements that the client accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentPayload {
    /// The version.
    pub version: Version,
    /// The chain.
    pub chain: ChainId,
    /// The requirements that the client has accepted (version 2).
    pub accepted: Option<Requirements>,
    /// The transfer.
    pub authorization: Authorization,
}

impl PaymentPayload {
    /// Reads a payment.
    ///
    /// # Errors
    /// If it is not one of the scheme `exact` by a signed transfer.
    pub fn read(given: &Value) -> Result<Self, Failure> {
        let version = Version::of(given)?;
        let (chain, accepted) = match version {
            Version::One => {
                if text(given, "scheme").ok_or(Failure::MalformedPayload)? != EXACT {
                    return Err(Failure::UnsupportedScheme);
                }
                let network = text(given, "network").ok_or(Failure::MalformedPayload)?;
                let network = Network::from_name(version, network);
                (network.ok_or(Failure::UnknownNetwork)?.0, None)
            }
            Version::Two => {
                let accepted = given.get("accepted").ok_or(Failure::MalformedPayload)?;
                let accepted = Requirements::read(version, accepted)?;
                (accepted.chain, Some(accepted))
            }
        };
        let payload = given.get("payload").ok_or(Failure::MalformedPayload)?;
        let signed = payload
            .get("authorization")
            .ok_or(Failure::MalformedPayload)?;
        let member = |name| {
            text(signed, name)
                .map(str::to_owned)
                .ok_or(Failure::MalformedPayload)
        };
        let seconds = |name| -> Result<u64, Failure> {
            let text = text(signed, name).ok_or(Failure::MalformedPayload)?;
            let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse()
                .ok()
                .filter(|_| is_plain)
                .ok_or(Failure::MalformedPayload)
        };
        let signature = text(payload, "signature").ok_or(Failure::MalformedPayload)?;
        Ok(Self {
            version,
            chain,
            accepted,
            authorization: Authorization {
                from: member("from")?,
                to: member("to")?,
                value: member("value")?,
                valid_after: seconds("validAfter")?,
                valid_before: seconds("validBefore")?,
                nonce: member("nonce")?,
                signature: signature.to_owned(),
            },
        })
    }
}
