//! Wallets of payers in a sandbox, which sign transfers of tokens (EIP-3009).

use alloy_primitives::{Address, U256};
use k256::ecdsa::SigningKey;
use serde_json::Value;
use settlekit_core::value::ChainId;

use super::authorization::{Authorization, TokenDomain};
use crate::eip191::address_of;

/// A wallet with its key.
#[derive(Debug)]
pub struct TestWallet(SigningKey);

impl TestWallet {
    /// The wallet of a private key; `None` for the few bytes that are none.
    pub fn new(key: &[u8]) -> Option<Self> {
        SigningKey::from_slice(key).ok().map(Self)
    }

    /// The checksummed address (EIP-55).
    pub fn address(&self) -> String {
        address_of(self.0.verifying_key())
    }

    /// Signs typed data (EIP-712) as `eth_signTypedData_v4` does: 65 bytes, hexadecimal. `None` for another message than a
    /// `TransferWithAuthorization`.
    pub fn sign_typed_data(&self, typed: &Value) -> Option<String> {
        let (domain, message) = (typed.get("domain")?, typed.get("message")?);
        if typed.get("primaryType")?.as_str()? != "TransferWithAuthorization" {
            return None;
        }
        let address = |of: &Value, name: &str| text(of, name)?.parse::<Address>().ok();
        let seconds = |name: &str| u64::try_from(number(message, name)?).ok();
        let authorization = Authorization {
            from: address(message, "from")?,
            to: address(message, "to")?,
            value: number(message, "value")?,
            valid_after: seconds("validAfter")?,
            valid_before: seconds("validBefore")?,
            nonce: text(message, "nonce")?.parse().ok()?,
        };
        let token = TokenDomain {
            name: text(domain, "name")?.to_owned(),
            version: text(domain, "version")?.to_owned(),
        };
        let chain = ChainId::new(i64::try_from(number(domain, "chainId")?).ok()?)?;
        let of = (chain, address(domain, "verifyingContract")?);
        let digest = authorization.digest(&token, of);
        let (signature, recovery) = self.0.sign_prehash_recoverable(digest.as_slice());
        let last = 27 + recovery.to_byte();
        Some(format!("0x{}{last:02x}", hex::encode(signature.to_bytes())))
    }
}

fn text<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str()
}

/// A number, as JSON or as text.
fn number(object: &Value, name: &str) -> Option<U256> {
    match object.get(name)? {
        Value::String(text) => text.parse().ok(),
        number => number.as_u64().map(U256::from),
    }
}
