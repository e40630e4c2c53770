//! Webhook signatures for JavaScript: verified with public keys, and made with a throwaway key for tests.

use std::time::Duration;

use settlekit_core::header;
use settlekit_core::value::Timestamp;
use settlekit_core::webhook::{PublicKey, Received, WebhookError, WebhookKey, verify};
use wasm_bindgen::prelude::wasm_bindgen;

/// The names of the headers that a webhook's signature needs, in the order that [`check`] takes their values.
#[wasm_bindgen]
pub fn header_names() -> Vec<String> {
    [
        header::WEBHOOK_ID,
        header::WEBHOOK_TIMESTAMP,
        header::WEBHOOK_SIGNATURE,
    ]
    .map(str::to_owned)
    .into()
}

/// Checks a webhook. Gives nothing when it is good, else `REASON: sentence`.
///
/// `keys` are public keys in PEM; one that fits is enough. `tolerance_seconds` is how far the time of signing may lie from
/// `now_ms` (Unix milliseconds), both ways; negative means the standard five minutes.
#[wasm_bindgen]
pub fn check(
    id: &str,
    timestamp: &str,
    signature: &str,
    body: &[u8],
    keys: Vec<String>,
    now_ms: f64,
    tolerance_seconds: f64,
) -> Option<String> {
    let tolerance = Duration::try_from_secs_f64(tolerance_seconds)
        .unwrap_or(settlekit_core::webhook::TOLERANCE);
    let received = Received {
        id,
        timestamp,
        signature,
        body,
    };
    let now = Timestamp::from_millis(now_ms as i64);
    let keys: Result<Vec<PublicKey>, WebhookError> =
        keys.iter().map(|pem| PublicKey::from_pem(pem)).collect();
    let outcome = keys.and_then(|keys| verify(received, &keys, now, tolerance));
    outcome
        .err()
        .map(|error| format!("{}: {error}", error.as_str()))
}

/// The public key, in PEM, of 32 secret bytes; nothing when they are not 32.
#[wasm_bindgen]
pub fn public_key(secret: &[u8]) -> Option<String> {
    Some(key(secret)?.public().to_pem())
}

/// The signature of a webhook as the service would make it with these 32 secret bytes; `timestamp` is in Unix seconds.
#[wasm_bindgen]
pub fn sign(secret: &[u8], id: &str, timestamp: f64, body: &[u8]) -> Option<String> {
    Some(key(secret)?.sign(id, timestamp as i64, body))
}

fn key(secret: &[u8]) -> Option<WebhookKey> {
    Some(WebhookKey::from_secret(secret.try_into().ok()?))
}
