//! Secrets: generation, hashing, sealing. No secret is stored in the clear.

pub(crate) mod context;
pub mod master_key;
pub(crate) mod password;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use sha2::{Digest, Sha256};

use crate::random::Random;

/// The key that seals secrets at rest, from the host.
pub type MasterKey = [u8; 32];

/// The prefix of API keys, for secret scanners.
pub(crate) const API_KEY_PREFIX: &str = "sk_";

/// A new secret as text: a prefix and 32 random bytes in hex.
pub(crate) fn generate(prefix: &str, random: &mut Random) -> String {
    format!("{prefix}{}", hex::encode(random.bytes::<32>()))
}

/// The stored hash of a high-entropy secret: an API key or session token.
pub(crate) fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Seals a secret; `context` ties it to its row.
pub(crate) fn seal(key: &MasterKey, context: &str, secret: &[u8], random: &mut Random) -> Vec<u8> {
    let nonce = random.bytes::<24>();
    let sealed = XChaCha20Poly1305::new(key.into())
        .encrypt(
            &XNonce::from(nonce),
            Payload {
                msg: secret,
                aad: context.as_bytes(),
            },
        )
        .expect("a short secret is within the cipher's limit");
    [nonce.as_slice(), &sealed].concat()
}

/// Opens a sealed secret; `None` if key, context or a byte differs.
pub(crate) fn open(key: &MasterKey, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, body) = sealed.split_first_chunk::<24>()?;
    XChaCha20Poly1305::new(key.into())
        .decrypt(
            &XNonce::from(*nonce),
            Payload {
                msg: body,
                aad: context.as_bytes(),
            },
        )
        .ok()
}

/// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
fn argon2() -> Argon2<'static> {
    Argon2::new(
        Algorithm::Argon2id,
        Version::V0x13,
        Params::new(19 * 1024, 2, 1, None).expect("the parameters are in range"),
    )
}

/// Hashes a password. Slow by design: never call it on the writer.
pub(crate) fn hash_password(password: &str, random: &mut Random) -> String {
    let hash: PasswordHash = argon2()
        .hash_password_with_salt(password.as_bytes(), &random.bytes::<16>())
        .expect("salt and password are in range");
    hash.to_string()
}

/// Checks a password. Slow by design, and equally slow for an unknown user.
pub(crate) fn check_password(password: &str, hash: Option<&str>) -> bool {
    /// A hash that no password matches.
    const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let Ok(parsed) = PasswordHash::new(hash.unwrap_or(NOBODY)) else {
        return false;
    };
    argon2()
        .verify_password(password.as_bytes(), &parsed)
        .is_ok()
        && hash.is_some()
}
