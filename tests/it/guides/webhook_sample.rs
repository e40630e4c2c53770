//! The Rust example of the webhook guide, shown there without this line.

use settlekit::api::value::Timestamp;
use settlekit::api::webhook::{PublicKey, Received, TOLERANCE, WebhookError, verify};

/// Checks a webhook before its body is parsed. `header` returns the value of a header, or an empty text.
pub(crate) fn check<'a>(
    header: impl Fn(&str) -> &'a str,
    body: &'a [u8],
    public_key: &str,
    now: Timestamp,
) -> Result<(), WebhookError> {
    let received = Received {
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
        body,
    };
    let key = PublicKey::from_pem(public_key)?;
    verify(received, &[key], now, TOLERANCE)?;
    Ok(())
}
