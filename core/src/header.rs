//! Every header name of the interface, once.

/// The API key (contract, "Authentication" 1).
pub const API_KEY: &str = "x-api-key";
/// The nonce of a signed request, a UUIDv7 (contract, "Authentication" 3).
pub const NONCE: &str = "x-api-nonce";
/// The signature of a signed request, lower-case hex (contract, "Authentication" 3).
pub const SIGNATURE: &str = "x-api-signature";
/// The sub-merchant a partner acts for (contract, "Authentication" 5).
pub const ORGANISATION: &str = "x-org-id";
/// The dashboard's protection against forged requests, required with the session cookie on everything but GET.
pub const CSRF: &str = "x-csrf-token";
/// The fresh proof of identity that dangerous acts of a session ask for.
pub const STEP_UP: &str = "x-step-up";
/// The key under which a repeated request is answered once.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Present on an answer that was stored for an earlier request with the same idempotency key.
pub const IDEMPOTENT_REPLAYED: &str = "idempotent-replayed";
/// Names one request in answers and logs.
pub const REQUEST_ID: &str = "x-request-id";
/// The server's time, RFC 3339, on answers to signed requests and on refusals for time.
pub const SERVER_TIME: &str = "x-server-time";
/// When an operation was deprecated (RFC 9745).
pub const DEPRECATION: &str = "deprecation";
/// Where a deprecated operation is described (RFC 8288).
pub const LINK: &str = "link";
/// Seconds or a date to wait (RFC 9110).
pub const RETRY_AFTER: &str = "retry-after";
/// How to authenticate (RFC 9110, RFC 9470).
pub const WWW_AUTHENTICATE: &str = "www-authenticate";

/// A webhook's id, the event's id (Standard Webhooks 1.0).
pub const WEBHOOK_ID: &str = "webhook-id";
/// When a webhook was signed, Unix seconds (Standard Webhooks 1.0).
pub const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
/// The signatures of a webhook, separated by spaces (Standard Webhooks 1.0).
pub const WEBHOOK_SIGNATURE: &str = "webhook-signature";
/// The ids of the keys that signed, in the order of the signatures.
pub const WEBHOOK_KEY_ID: &str = "webhook-key-id";

/// The name of the dashboard's session cookie where the service is reached by plain HTTP.
pub const SESSION_COOKIE: &str = "settlekit_session";
/// The same over TLS. Browsers take a cookie with this prefix from this very host alone, never from a sibling subdomain or
/// over plain HTTP (RFC 6265bis, section 4.1.3.2).
pub const SESSION_COOKIE_TLS: &str = "__Host-settlekit_session";

/// The name of the session cookie of a service that is reached at this address.
pub fn session_cookie(public_url: &str) -> &'static str {
    if public_url.starts_with("https://") {
        SESSION_COOKIE_TLS
    } else {
        SESSION_COOKIE
    }
}
/// The name of the cookie by which a device on which somebody has signed in before is known.
pub const DEVICE_COOKIE: &str = "settlekit_device";
