//! Webhook signatures for JavaScript: verification with public keys, and signing with a test key.

use std::time::Duration;

use settlekit_core::header;
use settlekit_core::value::Timestamp;
use settlekit_core::webhook::{PublicKey, Received, WebhookError, WebhookKey, verify};
use wasm_bindgen::prelude::wasm_bindgen;

/// Names of the signature headers, in the order of the parameters of [`check`].
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

/// Verifies a webhook. Returns nothing if it is valid, else `REASON: sentence`.
///
/// `keys` are public keys in PEM; one match is enough. `tolerance_seconds` is the maximum difference between signing time and
/// `now_ms` (Unix milliseconds), before or after; a negative value means the default of five minutes.
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

/// Public key in PEM of a secret key of 32 bytes; none for another length.
#[wasm_bindgen]
pub fn public_key(secret: &[u8]) -> Option<String> {
    Some(key(secret)?.public().to_pem())
}

/// Signature of a webhook with a secret key of 32 bytes, as the service signs; `timestamp` is in Unix seconds.
#[wasm_bindgen]
pub fn sign(secret: &[u8], id: &str, timestamp: f64, body: &[u8]) -> Option<String> {
    Some(key(secret)?.sign(id, timestamp as i64, body))
}

fn key(secret: &[u8]) -> Option<WebhookKey> {
    Some(WebhookKey::from_secret(secret.try_into().ok()?))
}
