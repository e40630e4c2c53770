//! Wallet addresses of chains of the EVM's kind.

use sha3::{Digest, Keccak256};

/// The address of 20 bytes with the checksum of EIP-55.
pub fn checksum(address: &[u8; 20]) -> String {
    let lower = hex::encode(address);
    let hash = Keccak256::digest(lower.as_bytes());
    let digits = lower.bytes().enumerate().map(|(index, digit)| {
        let nibble = (hash[index / 2] >> (if index % 2 == 0 { 4 } else { 0 })) & 0x0f;
        char::from(if nibble >= 8 {
            digit.to_ascii_uppercase()
        } else {
            digit
        })
    });
    format!("0x{}", digits.collect::<String>())
}

/// The address with its checksum, when the text is one: 40 hex digits behind `0x`, all in one case or with the checksum.
pub fn parse(text: &str) -> Option<String> {
    let digits = text.strip_prefix("0x")?;
    let bytes: [u8; 20] = hex::decode(digits).ok()?.try_into().ok()?;
    let address = checksum(&bytes);
    let mixed = digits.bytes().any(|digit| digit.is_ascii_lowercase())
        && digits.bytes().any(|digit| digit.is_ascii_uppercase());
    (!mixed || address == text).then_some(address)
}
