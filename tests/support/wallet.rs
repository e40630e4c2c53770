//! An external wallet with its private key, for signatures of a merchant.

use k256::ecdsa::SigningKey;
use sha3::{Digest, Keccak256};

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
}
