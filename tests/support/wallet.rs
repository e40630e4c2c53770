//! An external wallet with its private key, for signatures of a merchant.

use alloy_primitives::{Address, B256, U256, keccak256};
use k256::ecdsa::SigningKey;
use serde_json::{Value, json};
use sha3::{Digest, Keccak256};

use crate::world::text;

/// An EVM wallet.
#[derive(Debug)]
pub struct Wallet(SigningKey);

impl Wallet {
    /// The wallet of a private key.
    pub fn new(key: [u8; 32]) -> Self {
        Self(SigningKey::from_slice(&key).expect("a key"))
    }

    /// The checksummed address.
    pub fn address(&self) -> String {
        let point = self.0.verifying_key().to_sec1_point(false);
        let hash = Keccak256::digest(&point.as_bytes()[1..]);
        let bytes = <[u8; 20]>::try_from(&hash[12..]).expect("20 bytes");
        settlekit_core::value::address::checksum(&bytes)
    }

    /// Signs the hash of a transaction: `r` and `s`, and whether `y` is odd.
    pub fn sign_hash(&self, hash: &[u8]) -> ([u8; 64], bool) {
        let (signature, recovery) = self.0.sign_prehash_recoverable(hash);
        let bytes = <[u8; 64]>::try_from(&signature.to_bytes()[..]).expect("64 bytes");
        (bytes, recovery.is_y_odd())
    }

    /// Signs a text like `personal_sign`.
    pub fn sign(&self, text: &str) -> String {
        let text = format!("\x19Ethereum Signed Message:\n{}{text}", text.len());
        let digest = Keccak256::digest(text.as_bytes());
        let (signature, recovery) = self.0.sign_prehash_recoverable(&digest);
        format!(
            "0x{}{:02x}",
            hex::encode(signature.to_bytes()),
            27 + recovery.to_byte()
        )
    }

    /// The body that pays what a payment on a chain offers to sign (EIP-712 over EIP-3009's `TransferWithAuthorization`).
    pub fn authorize(&self, offered: &Value, chain: u64) -> Value {
        let number = |number: &str| B256::from(number.parse::<U256>().expect("a number"));
        let address = |text: &str| text.parse::<Address>().expect("an address").into_word();
        let hash = |text: &str| keccak256(text.as_bytes());
        let words = |words: &[B256]| keccak256(words.concat());
        let domain = words(&[
            hash(
                "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)",
            ),
            hash(&text(offered, "domain_name")),
            hash(&text(offered, "domain_version")),
            B256::from(U256::from(chain)),
            address(&text(offered, "token_address")),
        ]);
        let until = offered["valid_before"].as_i64().expect("seconds");
        let message = words(&[
            hash(
                "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,\
                 bytes32 nonce)",
            ),
            address(&self.address()),
            address(&text(offered, "to")),
            number(&text(offered, "value")),
            B256::ZERO,
            number(&until.to_string()),
            text(offered, "nonce").parse().expect("32 bytes"),
        ]);
        let digest = keccak256([&[0x19, 0x01], domain.as_slice(), message.as_slice()].concat());
        let (signature, is_odd) = self.sign_hash(digest.as_slice());
        json!({
            "from": self.address(), "value": offered["value"], "valid_after": 0, "valid_before": until,
            "signature": format!("0x{}{:02x}", hex::encode(signature), 27 + u8::from(is_odd)),
        })
    }
}
