//! Signer recovery for `personal_sign`: EIP-191, version 0x45, over secp256k1.

use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use settlekit_core::value::address::checksum;
use sha3::{Digest, Keccak256};

/// Why a signature is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureError {
    /// Not `0x` and 65 bytes in hex.
    Malformed,
    /// The last byte is not 0, 1, 27 or 28.
    RecoveryId,
    /// `r` or `s` is out of range, or `s` is in the upper half of the curve's order, where signatures are malleable (EIP-2).
    OutOfRange,
    /// No public key matches.
    Unrecoverable,
}

impl SignatureError {
    /// The error message.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Malformed => "must be 0x and 65 bytes in hex, as returned by personal_sign",
            Self::RecoveryId => "must end in a recovery id of 0, 1, 27 or 28",
            Self::OutOfRange => "must have r and s in range, and s in the lower half (EIP-2)",
            Self::Unrecoverable => "is not a valid signature",
        }
    }
}

/// The digest that `personal_sign` signs.
pub fn digest(text: &str) -> [u8; 32] {
    let mut hash = Keccak256::new();
    hash.update(format!("\x19Ethereum Signed Message:\n{}", text.len()));
    hash.update(text);
    hash.finalize().into()
}

/// The checksummed address (EIP-55) of a text's signer; the signature is `0x` and 65 bytes in hex.
///
/// # Errors
/// [`SignatureError`] for an invalid signature.
pub fn signer(text: &str, signature: &str) -> Result<String, SignatureError> {
    signer_of(&digest(text), signature)
}

/// As [`signer`], of the digest of any message.
///
/// # Errors
/// [`SignatureError`] for an invalid signature.
pub(crate) fn signer_of(digest: &[u8; 32], signature: &str) -> Result<String, SignatureError> {
    let digits = signature.strip_prefix("0x");
    let bytes = digits.and_then(|digits| hex::decode(digits).ok());
    let bytes = bytes.and_then(|bytes| <[u8; 65]>::try_from(bytes).ok());
    let bytes = bytes.ok_or(SignatureError::Malformed)?;
    let recovery = match bytes[64] {
        id @ (0 | 1) => id,
        id @ (27 | 28) => id - 27,
        _ => return Err(SignatureError::RecoveryId),
    };
    let recovery = RecoveryId::from_byte(recovery).ok_or(SignatureError::RecoveryId)?;
    let signature = Signature::from_slice(&bytes[..64]).map_err(|_| SignatureError::OutOfRange)?;
    if signature.normalize_s() != signature {
        return Err(SignatureError::OutOfRange);
    }
    let key = VerifyingKey::recover_from_prehash(digest, &signature, recovery)
        .map_err(|_| SignatureError::Unrecoverable)?;
    Ok(address_of(&key))
}

/// The checksummed address (EIP-55) of a public key.
pub(crate) fn address_of(key: &VerifyingKey) -> String {
    let point = key.to_sec1_point(false);
    let hash: [u8; 32] = Keccak256::digest(&point.as_bytes()[1..]).into();
    let mut address = [0; 20];
    address.copy_from_slice(&hash[12..]);
    checksum(&address)
}
