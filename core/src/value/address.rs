//! Wallet addresses, validated by the rules of their chain family.
//!
//! Money sent to a mistyped address is lost, so every checksum is verified: EIP-55 for EVM chains, base58check for legacy Bitcoin
//! and Tron, bech32 (BIP 173) and bech32m (BIP 350) for newer Bitcoin addresses. Solana addresses have none: 32 bytes in base58.

use std::fmt;
use std::str::FromStr;

use bech32::segwit;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::Sha256;
use sha3::{Digest, Keccak256};

use crate::error::Reason;

/// Maximum length of an address, in characters (bech32: 90).
const CHARS_MAX: usize = 90;

/// Chains with the same address format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// EVM chains: 20 bytes in hex.
    Evm,
    /// Bitcoin: base58check, bech32 or bech32m.
    Bitcoin,
    /// Tron: base58check with first byte 0x41.
    Tron,
    /// Solana: 32 bytes in base58.
    Solana,
}

impl Family {
    /// Looks up a family by its word on the wire.
    pub fn from_wire(text: &str) -> Option<Self> {
        match text {
            "evm" => Some(Self::Evm),
            "bitcoin" => Some(Self::Bitcoin),
            "tron" => Some(Self::Tron),
            "solana" => Some(Self::Solana),
            _ => None,
        }
    }
}

/// A wallet address in canonical form, with its chain family.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WalletAddress {
    text: String,
    family: Family,
}

/// Why a text is not accepted as an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressError {
    /// Not an address of a known family, or a wrong checksum.
    Malformed,
    /// The zero address: nobody has its key, so money sent there is lost.
    Nobodys,
}

impl AddressError {
    /// The [`Reason`] reported for this error.
    pub const fn reason(self) -> Reason {
        Reason::AddressMalformed
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "must be a wallet address with a valid checksum",
            Self::Nobodys => "must not be the zero address: funds sent there are lost",
        })
    }
}

impl std::error::Error for AddressError {}

impl WalletAddress {
    /// The address in canonical form.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Chain family of the address.
    pub const fn family(&self) -> Family {
        self.family
    }
}

impl FromStr for WalletAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let found = |text: &str, family, payload: &[u8]| {
            if payload.iter().all(|byte| *byte == 0) {
                return Err(AddressError::Nobodys);
            }
            Ok(Self {
                text: text.to_owned(),
                family,
            })
        };
        if text.len() > CHARS_MAX {
            return Err(AddressError::Malformed);
        }
        if text.starts_with("0x") {
            let (text, bytes) = read(text).ok_or(AddressError::Malformed)?;
            return found(&text, Family::Evm, &bytes);
        }
        if let Ok((hrp, _, program)) = segwit::decode(text) {
            // Upper case is valid: QR codes use it. Test network addresses are rejected.
            return if hrp.to_lowercase() == "bc" {
                found(&text.to_ascii_lowercase(), Family::Bitcoin, &program)
            } else {
                Err(AddressError::Malformed)
            };
        }
        let bytes = bs58::decode(text).into_vec();
        let bytes = bytes.map_err(|_| AddressError::Malformed)?;
        match (bytes.len(), bytes.first()) {
            (25, Some(0x00 | 0x05)) if is_checked(&bytes) => {
                found(text, Family::Bitcoin, &bytes[1..21])
            }
            (25, Some(0x41)) if is_checked(&bytes) => found(text, Family::Tron, &bytes[1..21]),
            (32, _) => found(text, Family::Solana, &bytes),
            _ => Err(AddressError::Malformed),
        }
    }
}

impl fmt::Display for WalletAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for WalletAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for WalletAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::value::open::text_wire(deserializer, "a wallet address", |text| {
            text.parse()
                .map_err(|error: AddressError| (error.reason(), error.to_string()))
        })
    }
}

crate::value::param::param_by_text! {
    WalletAddress: Self { text: String::new(), family: Family::Evm }, Self { text: String::new(), family: Family::Solana };
}
crate::decode::decode_as!(text: WalletAddress);
crate::value::open::schema!(WalletAddress, {
    "type": "string", "format": "text", "description": "A wallet's address with its checksum.",
    "examples": ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"]
});

/// Whether the last four bytes are the base58check checksum: the first bytes of a double SHA-256.
pub(super) fn is_checked(bytes: &[u8]) -> bool {
    bytes
        .split_last_chunk::<4>()
        .is_some_and(|(payload, sum)| Sha256::digest(Sha256::digest(payload)).starts_with(sum))
}

/// Formats 20 bytes as an address with the EIP-55 checksum.
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

/// The checksummed address of a text with 40 hex digits after `0x`, in a single case or with a valid checksum.
pub fn parse(text: &str) -> Option<String> {
    read(text).map(|(address, _)| address)
}

/// Like [`parse`], with the address bytes.
fn read(text: &str) -> Option<(String, [u8; 20])> {
    let digits = text.strip_prefix("0x")?;
    let bytes: [u8; 20] = hex::decode(digits).ok()?.try_into().ok()?;
    let address = checksum(&bytes);
    let mixed = digits.bytes().any(|digit| digit.is_ascii_lowercase())
        && digits.bytes().any(|digit| digit.is_ascii_uppercase());
    (!mixed || address == text).then_some((address, bytes))
}
