//! A wallet outside, with its key in hand: what a merchant signs with.

use k256::ecdsa::SigningKey;
use sha3::{Digest, Keccak256};

/// A wallet on chains of the EVM's kind.
#[derive(Debug)]
pub struct Wallet(SigningKey);

impl Wallet {
    /// A wallet with this key.
    pub fn new(key: [u8; 32]) -> Self {
        Self(SigningKey::from_slice(&key).expect("a key"))
    }

    /// Its address, with its checksum.
    pub fn address(&self) -> String {
        let point = self.0.verifying_key().to_sec1_point(false);
        let hash = Keccak256::digest(&point.as_bytes()[1..]);
        let bytes = <[u8; 20]>::try_from(&hash[12..]).expect("20 bytes");
        settlekit_core::value::address::checksum(&bytes)
    }

    /// What `personal_sign` gives for a text.
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
}
