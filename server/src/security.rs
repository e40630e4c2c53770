//! Security headers of all pages.

use axum::http::header::{
    CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// No inline script or style, no other origin except images, no frames.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' https: data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; \
    base-uri 'none'; form-action 'self'";

const ALWAYS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    // The URL of a payer's page contains the payment.
    (REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), clipboard-read=()",
    ),
];

/// Adds the headers; `https` if the service is reached by https only. A page's own policy applies in addition.
pub(crate) fn secure(headers: &mut HeaderMap, https: bool) {
    let own = headers.remove(CONTENT_SECURITY_POLICY);
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let own = own.as_ref().and_then(|own| own.to_str().ok());
    if let Some(both) = own.and_then(|own| format!("{POLICY}; {own}").parse().ok()) {
        headers.insert(CONTENT_SECURITY_POLICY, both);
    }
    if https {
        headers.insert(
            STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000"),
        );
    }
}
