//! All header and cookie names.

/// The API key (contract, "Authentication" 1).
pub const API_KEY: &str = "x-api-key";
/// The nonce of a signed request, a UUIDv7 (contract, "Authentication" 3).
pub const NONCE: &str = "x-api-nonce";
/// The signature of a signed request, lower-case hex (contract, "Authentication" 3).
pub const SIGNATURE: &str = "x-api-signature";
/// The sub-merchant that a partner acts for (contract, "Authentication" 5).
pub const ORGANISATION: &str = "x-org-id";
/// CSRF token of the dashboard, required with the session cookie for every method but GET.
pub const CSRF: &str = "x-csrf-token";
/// Step-up token: fresh proof of identity for sensitive operations of a session.
pub const STEP_UP: &str = "x-step-up";
/// Idempotency key: a repeated request with it gets the first answer.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Set on an answer stored for an earlier request with the same idempotency key.
pub const IDEMPOTENT_REPLAYED: &str = "idempotent-replayed";
/// Request id in responses and logs.
pub const REQUEST_ID: &str = "x-request-id";
/// Server time, RFC 3339, on answers to signed requests and on nonce time errors.
pub const SERVER_TIME: &str = "x-server-time";
/// Deprecation date of an operation (RFC 9745).
pub const DEPRECATION: &str = "deprecation";
/// Link to the description of a deprecated operation (RFC 8288).
pub const LINK: &str = "link";
/// Seconds or date to wait (RFC 9110).
pub const RETRY_AFTER: &str = "retry-after";
/// Authentication challenge (RFC 9110, RFC 9470).
pub const WWW_AUTHENTICATE: &str = "www-authenticate";

/// Webhook id, equal to the event id (Standard Webhooks 1.0).
pub const WEBHOOK_ID: &str = "webhook-id";
/// Signing time of a webhook, Unix seconds (Standard Webhooks 1.0).
pub const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
/// Signatures of a webhook, separated by spaces (Standard Webhooks 1.0).
pub const WEBHOOK_SIGNATURE: &str = "webhook-signature";
/// Ids of the signing keys, in the order of the signatures.
pub const WEBHOOK_KEY_ID: &str = "webhook-key-id";

/// Session cookie of the dashboard over plain HTTP.
pub const SESSION_COOKIE: &str = "settlekit_session";
/// Session cookie over TLS. Browsers accept the prefix only from this exact host, not from a sibling subdomain or over plain HTTP
/// (RFC 6265bis, section 4.1.3.2).
pub const SESSION_COOKIE_TLS: &str = "__Host-settlekit_session";

/// Session cookie name for a service at this URL.
pub fn session_cookie(public_url: &str) -> &'static str {
    if public_url.starts_with("https://") {
        SESSION_COOKIE_TLS
    } else {
        SESSION_COOKIE
    }
}
/// Cookie that marks a device on which a user has signed in before.
pub const DEVICE_COOKIE: &str = "settlekit_device";
