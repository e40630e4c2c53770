//! Request signing (contract, "Authentication" 3 to 6; `docs/decisions/0001-signed-message.md`).
//!
//! The signed message is a list of lines joined by a line feed: `v1`, method, encoded path, query as sent, nonce, `X-ORG-ID` or
//! an empty line, and the hex SHA-256 of the raw body. `X-API-Signature` is its HMAC-SHA256 with the signing secret, in
//! lower-case hex.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderName, HeaderValue, Request};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::error::Reason;
use crate::header;
use crate::value::Timestamp;
use crate::value::id::uuid_v7;

/// Maximum difference between nonce time and server time. Merchants' clocks drift; five minutes is customary.
pub const NONCE_WINDOW: Duration = Duration::from_secs(5 * 60);

/// Version of the signed message, its first line.
const VERSION: &str = "v1";

/// A nonce: a UUIDv7 (RFC 9562), which combines time and randomness in a standard form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Nonce(Uuid);

impl Nonce {
    /// Creates a nonce from the host's time and random bytes.
    pub fn new(now: Timestamp, random: [u8; 10]) -> Self {
        Self(uuid_v7(now, random))
    }

    /// Timestamp of the nonce, in milliseconds.
    pub fn at(self) -> Timestamp {
        let (high, _) = self.0.as_u64_pair();
        Timestamp::from_millis(i64::try_from(high >> 16).unwrap_or(i64::MAX))
    }

    /// Whether the nonce is within [`NONCE_WINDOW`] of `now`, before or after.
    pub fn is_fresh(self, now: Timestamp) -> bool {
        now.since(self.at()) <= NONCE_WINDOW && self.at().since(now) <= NONCE_WINDOW
    }
}

impl FromStr for Nonce {
    type Err = Reason;

    fn from_str(text: &str) -> Result<Self, Reason> {
        match Uuid::try_parse(text) {
            Ok(uuid) if uuid.get_version_num() == 7 && text.len() == 36 => Ok(Self(uuid)),
            _ => Err(Reason::NonceMalformed),
        }
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

// Static names: creating them at run time would link a table of all known header names.
const ORGANISATION: HeaderName = HeaderName::from_static(header::ORGANISATION);
/// Header of the nonce.
pub const NONCE: HeaderName = HeaderName::from_static(header::NONCE);
/// Header of the signature.
pub const SIGNATURE: HeaderName = HeaderName::from_static(header::SIGNATURE);

/// The message to sign for a request.
pub fn message(request: &Request<Vec<u8>>, nonce: &str) -> String {
    let organisation = request
        .headers()
        .get(ORGANISATION)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    [
        VERSION,
        request.method().as_str(),
        request.uri().path(),
        request.uri().query().unwrap_or_default(),
        nonce,
        organisation,
        &hex::encode(Sha256::digest(request.body())),
    ]
    .join("\n")
}

fn mac(secret: &str, message: &str) -> Hmac<Sha256> {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes a key of any length");
    mac.update(message.as_bytes());
    mac
}

/// Signature of a message, in lower-case hex.
pub fn signature(secret: &str, message: &str) -> String {
    hex::encode(mac(secret, message).finalize().into_bytes())
}

/// Adds nonce and signature to an otherwise complete request, `X-ORG-ID` included.
pub fn sign(request: &mut Request<Vec<u8>>, secret: &str, nonce: Nonce) {
    let nonce = nonce.to_string();
    let signature = signature_of(request, &nonce, secret);
    let headers = request.headers_mut();
    headers.insert(
        NONCE,
        HeaderValue::try_from(nonce).expect("a UUID is a header value"),
    );
    headers.insert(SIGNATURE, signature);
}

/// Value of `X-API-Signature` for a request with this nonce.
pub fn signature_of(request: &Request<Vec<u8>>, nonce: &str, secret: &str) -> HeaderValue {
    let signature = signature(secret, &message(request, nonce));
    HeaderValue::try_from(signature).expect("hex is a header value")
}

/// Whether the signature matches the request, compared in constant time.
pub fn verify(request: &Request<Vec<u8>>, secret: &str, nonce: &str, signature: &str) -> bool {
    // Upper case is rejected, so each request has exactly one valid signature.
    let lower = signature
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let Ok(bytes) = hex::decode(signature) else {
        return false;
    };
    lower
        && mac(secret, &message(request, nonce))
            .verify_slice(&bytes)
            .is_ok()
}
