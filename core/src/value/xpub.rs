//! Extended public keys (BIP 32): a wallet's addresses can be derived from one, and nothing can be sent with it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::Reason;
use crate::validate::StandIn;
use crate::value::Param;
use crate::value::address::is_checked;

/// The length of a key in base58check.
const CHARS: usize = 111;

/// The first bytes of a public key of the main network, and of a private one.
const PUBLIC: [u8; 4] = [0x04, 0x88, 0xb2, 0x1e];
const PRIVATE: [u8; 4] = [0x04, 0x88, 0xad, 0xe4];

/// Why a text is not an extended public key of a wallet's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtendedPublicKeyError {
    /// Not an extended public key, or a wrong checksum.
    Malformed,
    /// An extended private key.
    Private,
    /// The key of neither an account nor its chain of receiving addresses.
    Depth,
}

impl ExtendedPublicKeyError {
    /// The [`Reason`] reported for this error.
    pub const fn reason(self) -> Reason {
        Reason::AddressMalformed
    }
}

impl fmt::Display for ExtendedPublicKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "must be an extended public key (`xpub…`) with a valid checksum",
            Self::Private => {
                "must be the public key (`xpub…`), not the private one: anyone with the private key can take the money"
            }
            Self::Depth => {
                "must be the extended public key of an account, for instance at m/44'/60'/0'"
            }
        })
    }
}

impl std::error::Error for ExtendedPublicKeyError {}

/// The extended public key of a wallet's account (depth 3, `m/44'/60'/0'`), or of its receiving addresses (depth 4).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExtendedPublicKey(String);

impl ExtendedPublicKey {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Derivation steps from the key to its address number `index`, none of them hardened.
    pub fn path(&self, index: u32) -> Vec<u32> {
        let bytes = bs58::decode(&self.0).into_vec().unwrap_or_default();
        match bytes.get(4) {
            // An account has a chain of receiving addresses, 0, and one of change, 1.
            Some(3) => vec![0, index],
            _ => vec![index],
        }
    }
}

impl FromStr for ExtendedPublicKey {
    type Err = ExtendedPublicKeyError;

    fn from_str(text: &str) -> Result<Self, ExtendedPublicKeyError> {
        if text.len() != CHARS {
            return Err(ExtendedPublicKeyError::Malformed);
        }
        let bytes = bs58::decode(text).into_vec();
        let bytes = bytes.map_err(|_| ExtendedPublicKeyError::Malformed)?;
        // Version, depth, parent's fingerprint, index, chain code, key, checksum.
        let (Some(version), Some(depth), Some(form)) =
            (bytes.get(..4), bytes.get(4), bytes.get(45))
        else {
            return Err(ExtendedPublicKeyError::Malformed);
        };
        if bytes.len() != 82 || !is_checked(&bytes) {
            return Err(ExtendedPublicKeyError::Malformed);
        }
        if version == PRIVATE {
            return Err(ExtendedPublicKeyError::Private);
        }
        if version != PUBLIC || !matches!(form, 2 | 3) {
            return Err(ExtendedPublicKeyError::Malformed);
        }
        if !matches!(depth, 3 | 4) {
            return Err(ExtendedPublicKeyError::Depth);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for ExtendedPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for ExtendedPublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ExtendedPublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::value::open::text_wire(deserializer, "an extended public key", Param::from_text)
    }
}

crate::value::param::param_by_text!(
    ExtendedPublicKey: Self(StandIn::Least.text()), Self(StandIn::Greatest.text())
);
crate::decode::decode_as!(text: ExtendedPublicKey);
crate::value::open::schema!(ExtendedPublicKey, {
    "type": "string", "format": "text",
    "description": "The extended public key of a wallet's account (BIP 32), at m/44'/60'/0'.",
    "examples": ["xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V"]
});
