//! Webhook signatures: Standard Webhooks 1.0, scheme `v1a` (Ed25519).
//!
//! The signature covers `id.timestamp.body` with the raw body. The public key is SPKI PEM in `webhook_public_key` (contract,
//! "Authentication" 7), where line breaks may be escaped as `\n`. During a rotation a request carries several signatures; one
//! valid signature is enough.

use std::fmt;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use http::HeaderMap;
use sha2::{Digest, Sha256};

use crate::header;
use crate::value::Timestamp;

/// Maximum age, and maximum time ahead, of a webhook; the default of the Standard Webhooks libraries.
pub const TOLERANCE: Duration = Duration::from_secs(5 * 60);

/// Maximum size of a webhook body, in bytes.
pub const BODY_BYTES_MAX: usize = 1 << 20;

/// Prefix of a signature.
const SCHEME: &str = "v1a,";

/// Fixed first bytes of an Ed25519 SubjectPublicKeyInfo (RFC 8410).
const SPKI_PREFIX: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

const PEM_BEGIN: &str = "-----BEGIN PUBLIC KEY-----";
const PEM_END: &str = "-----END PUBLIC KEY-----";

/// Why a webhook is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookError {
    /// The key is not an Ed25519 public key in PEM.
    KeyMalformed,
    /// One of the three headers is missing or malformed.
    HeaderMalformed,
    /// Signed too long ago.
    TooOld,
    /// Signed too far in the future.
    TooNew,
    /// No signature matches any key.
    SignatureInvalid,
    /// The body exceeds the maximum size.
    BodyTooLarge,
}

impl WebhookError {
    /// Stable code for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::KeyMalformed => "KEY_MALFORMED",
            Self::HeaderMalformed => "HEADER_MALFORMED",
            Self::TooOld => "TOO_OLD",
            Self::TooNew => "TOO_NEW",
            Self::SignatureInvalid => "SIGNATURE_INVALID",
            Self::BodyTooLarge => "BODY_TOO_LARGE",
        }
    }
}

impl fmt::Display for WebhookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KeyMalformed => "the key is not an Ed25519 public key in PEM",
            Self::HeaderMalformed => {
                "webhook-id, webhook-timestamp or webhook-signature is missing or malformed"
            }
            Self::TooOld => "the webhook was signed too long ago",
            Self::TooNew => "the webhook was signed in the future",
            Self::SignatureInvalid => "no signature matches the key and this body",
            Self::BodyTooLarge => "the body is larger than 1 MiB",
        })
    }
}

impl std::error::Error for WebhookError {}

/// Private webhook key: 32 bytes that never leave the service.
#[derive(Clone)]
pub struct WebhookKey(SigningKey);

impl fmt::Debug for WebhookKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookKey(hidden)")
    }
}

impl WebhookKey {
    /// Creates a key from its 32 secret bytes.
    pub fn from_secret(secret: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(secret))
    }

    /// The public key.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// Signature of a webhook, `v1a,<base64>`; `timestamp` is in Unix seconds.
    pub fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        format!(
            "{SCHEME}{}",
            STANDARD.encode(self.0.sign(&signed(id, timestamp, body)).to_bytes())
        )
    }
}

/// Public webhook key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// Parses SPKI PEM, tolerating escaped, doubled, lost or foreign line breaks.
    ///
    /// # Errors
    /// [`WebhookError::KeyMalformed`].
    pub fn from_pem(text: &str) -> Result<Self, WebhookError> {
        let repaired = text.replace("\\r", "").replace("\\n", "\n");
        let start = repaired.find(PEM_BEGIN).ok_or(WebhookError::KeyMalformed)? + PEM_BEGIN.len();
        let end = repaired[start..]
            .find(PEM_END)
            .ok_or(WebhookError::KeyMalformed)?
            + start;
        let body: String = repaired[start..end]
            .chars()
            .filter(|char| !char.is_whitespace() && *char != '\\')
            .collect();
        let der = STANDARD
            .decode(body)
            .map_err(|_| WebhookError::KeyMalformed)?;
        let bytes = der
            .strip_prefix(&SPKI_PREFIX)
            .and_then(|key| <&[u8; 32]>::try_from(key).ok());
        VerifyingKey::from_bytes(bytes.ok_or(WebhookError::KeyMalformed)?)
            .map(Self)
            .map_err(|_| WebhookError::KeyMalformed)
    }

    /// SPKI PEM with real line breaks.
    pub fn to_pem(&self) -> String {
        let der = [SPKI_PREFIX.as_slice(), self.0.as_bytes()].concat();
        format!("{PEM_BEGIN}\n{}\n{PEM_END}\n", STANDARD.encode(der))
    }

    /// Key id for `webhook-key-id`: 16 hex digits of the key's SHA-256.
    pub fn id(&self) -> String {
        hex::encode(&Sha256::digest(self.0.as_bytes())[..8])
    }
}

/// A received webhook.
#[derive(Debug, Clone, Copy)]
pub struct Received<'a> {
    /// `webhook-id`.
    pub id: &'a str,
    /// `webhook-timestamp`.
    pub timestamp: &'a str,
    /// `webhook-signature`.
    pub signature: &'a str,
    /// Raw body bytes, before parsing.
    pub body: &'a [u8],
}

/// Verifies a webhook with the valid keys; returns its signing time.
///
/// # Errors
/// The first of: body too large, malformed headers, outside `tolerance` of `now`, no matching signature.
pub fn verify(
    received: Received<'_>,
    keys: &[PublicKey],
    now: Timestamp,
    tolerance: Duration,
) -> Result<Timestamp, WebhookError> {
    /// Limits the elliptic curve operations per webhook; a rotation needs fewer signatures.
    const SIGNATURES_MAX: usize = 8;
    if received.body.len() > BODY_BYTES_MAX {
        return Err(WebhookError::BodyTooLarge);
    }
    // `parse` accepts a sign.
    let digits = received.timestamp.bytes().all(|byte| byte.is_ascii_digit());
    let seconds: i64 = received
        .timestamp
        .parse()
        .ok()
        .filter(|_| digits)
        .ok_or(WebhookError::HeaderMalformed)?;
    if received.id.is_empty() || received.id.contains('.') {
        return Err(WebhookError::HeaderMalformed);
    }
    let at = Timestamp::from_micros(seconds.saturating_mul(1_000_000));
    if now.since(at) > tolerance {
        return Err(WebhookError::TooOld);
    }
    if at.since(now) > tolerance {
        return Err(WebhookError::TooNew);
    }
    let content = signed(received.id, seconds, received.body);
    let fits = received
        .signature
        .split(' ')
        .filter_map(|part| part.strip_prefix(SCHEME))
        .take(SIGNATURES_MAX)
        .any(|encoded| {
            let signature = STANDARD
                .decode(encoded)
                .ok()
                .and_then(|bytes| Signature::from_slice(&bytes).ok());
            signature.is_some_and(|signature| {
                keys.iter()
                    .any(|key| key.0.verify(&content, &signature).is_ok())
            })
        });
    if fits {
        Ok(at)
    } else {
        Err(WebhookError::SignatureInvalid)
    }
}

/// How a service signs its webhooks. The contract leaves this open: [`StandardWebhooks`] is Settlekit's way.
pub trait Scheme: Send + Sync {
    /// Verifies a webhook by its headers and raw body at a time.
    ///
    /// # Errors
    /// The first reason to reject it.
    fn verify(&self, headers: &HeaderMap, body: &[u8], now: Timestamp) -> Result<(), WebhookError>;
}

/// Webhooks signed by Standard Webhooks 1.0 with Ed25519.
#[derive(Debug, Clone)]
pub struct StandardWebhooks {
    /// Valid keys; during a rotation there are two.
    pub keys: Vec<PublicKey>,
    /// Maximum difference between signing time and clock, before or after.
    pub tolerance: Duration,
}

impl StandardWebhooks {
    /// The scheme with these keys and the customary tolerance.
    pub const fn new(keys: Vec<PublicKey>) -> Self {
        let tolerance = TOLERANCE;
        Self { keys, tolerance }
    }
}

impl Scheme for StandardWebhooks {
    fn verify(&self, headers: &HeaderMap, body: &[u8], now: Timestamp) -> Result<(), WebhookError> {
        let text = |name| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.ok_or(WebhookError::HeaderMalformed)
        };
        let received = Received {
            id: text(header::WEBHOOK_ID)?,
            timestamp: text(header::WEBHOOK_TIMESTAMP)?,
            signature: text(header::WEBHOOK_SIGNATURE)?,
            body,
        };
        verify(received, &self.keys, now, self.tolerance).map(drop)
    }
}

fn signed(id: &str, timestamp: i64, body: &[u8]) -> Vec<u8> {
    [
        id.as_bytes(),
        b".",
        timestamp.to_string().as_bytes(),
        b".",
        body,
    ]
    .concat()
}
