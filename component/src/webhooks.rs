//! The interface `webhooks`.

use std::time::Duration;

use settlekit_core::value::Timestamp;
use settlekit_core::webhook::{self, PublicKey, Received, TOLERANCE, WebhookKey};

use crate::Core;
use crate::bindings::exports::settlekit::core::webhooks::{
    Guest, WebhookError, WebhookErrorReason, WebhookHeaders,
};

impl Guest for Core {
    fn verify(
        headers: WebhookHeaders,
        body: Vec<u8>,
        public_keys: Vec<String>,
        now_ms: i64,
        tolerance_seconds: Option<u32>,
    ) -> Result<(), WebhookError> {
        let received = Received {
            id: &headers.id,
            timestamp: &headers.timestamp,
            signature: &headers.signature,
            body: &body,
        };
        let tolerance =
            tolerance_seconds.map_or(TOLERANCE, |seconds| Duration::from_secs(u64::from(seconds)));
        let keys: Result<Vec<PublicKey>, webhook::WebhookError> = public_keys
            .iter()
            .map(|pem| PublicKey::from_pem(pem))
            .collect();
        let now = Timestamp::from_millis(now_ms);
        keys.and_then(|keys| webhook::verify(received, &keys, now, tolerance))
            .map(drop)
            .map_err(error)
    }

    fn sign_webhook(
        secret_key: Vec<u8>,
        id: String,
        timestamp_seconds: i64,
        body: Vec<u8>,
    ) -> Result<String, WebhookError> {
        Ok(key(&secret_key)?.sign(&id, timestamp_seconds, &body))
    }

    fn public_key(secret_key: Vec<u8>) -> Result<String, WebhookError> {
        Ok(key(&secret_key)?.public().to_pem())
    }
}

fn key(secret: &[u8]) -> Result<WebhookKey, WebhookError> {
    let bytes = secret.try_into().map_err(|_| WebhookError {
        reason: WebhookErrorReason::KeyMalformed,
        message: "a secret key has 32 bytes".to_owned(),
    })?;
    Ok(WebhookKey::from_secret(bytes))
}

fn error(error: webhook::WebhookError) -> WebhookError {
    let reason = match error {
        webhook::WebhookError::KeyMalformed => WebhookErrorReason::KeyMalformed,
        webhook::WebhookError::HeaderMalformed => WebhookErrorReason::HeaderMalformed,
        webhook::WebhookError::TooOld => WebhookErrorReason::TooOld,
        webhook::WebhookError::TooNew => WebhookErrorReason::TooNew,
        webhook::WebhookError::SignatureInvalid => WebhookErrorReason::SignatureInvalid,
        webhook::WebhookError::BodyTooLarge => WebhookErrorReason::BodyTooLarge,
    };
    WebhookError {
        reason,
        message: error.to_string(),
    }
}
