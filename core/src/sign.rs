//! Request signing (contract, "Authentication" 3 to 6; `docs/decisions/0001-signed-message.md`).
//!
//! The signed message is made of lines joined by a line feed: `v1`, the method, the encoded path, the query as sent, the
//! nonce, `X-ORG-ID` or nothing, and the hex SHA-256 of the raw body. Its HMAC-SHA256 with the signing secret goes into
//! `X-API-Signature` as lower-case hex.

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

/// How far a nonce may lie from the server's clock: clocks of merchants drift, and five minutes is what senders expect.
pub const NONCE_WINDOW: Duration = Duration::from_secs(5 * 60);

/// The version of the signed message, its first line.
const VERSION: &str = "v1";

/// A nonce: a UUIDv7 (RFC 9562), so that time and randomness travel in one standard form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Nonce(Uuid);

impl Nonce {
    /// A nonce from a time and random bytes given by the host.
    pub fn new(now: Timestamp, random: [u8; 10]) -> Self {
        Self(uuid_v7(now, random))
    }

    /// The moment inside the nonce, to the millisecond.
    pub fn at(self) -> Timestamp {
        let (high, _) = self.0.as_u64_pair();
        Timestamp::from_millis(i64::try_from(high >> 16).unwrap_or(i64::MAX))
    }

    /// Whether the nonce lies within [`NONCE_WINDOW`] of `now`, both ways.
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

// Names made when the crate is compiled: a table of all known names would be linked to make them at run time.
const ORGANISATION: HeaderName = HeaderName::from_static(header::ORGANISATION);
const NONCE: HeaderName = HeaderName::from_static(header::NONCE);
const SIGNATURE: HeaderName = HeaderName::from_static(header::SIGNATURE);

/// The text that is signed for a request.
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

/// The signature of a message, lower-case hex.
pub fn signature(secret: &str, message: &str) -> String {
    hex::encode(mac(secret, message).finalize().into_bytes())
}

/// Adds nonce and signature to a request that has everything else, `X-ORG-ID` included.
pub fn sign(request: &mut Request<Vec<u8>>, secret: &str, nonce: Nonce) {
    let nonce = nonce.to_string();
    let signature = signature(secret, &message(request, &nonce));
    let headers = request.headers_mut();
    headers.insert(
        NONCE,
        HeaderValue::try_from(nonce).expect("a UUID is a header value"),
    );
    headers.insert(
        SIGNATURE,
        HeaderValue::try_from(signature).expect("hex is a header value"),
    );
}

/// Whether a signature is the one for this request, compared in constant time.
pub fn verify(request: &Request<Vec<u8>>, secret: &str, nonce: &str, signature: &str) -> bool {
    // Lower-case only: one request, one signature.
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
