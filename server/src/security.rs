//! Security headers of all pages.

use std::borrow::Cow;

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

/// The part of the policy that a page with `frame-ancestors` of its own replaces.
const NOT_FRAMED: &str = "frame-ancestors 'none'; ";

/// Adds the headers; `https` if the service is reached by https only. A page's own policy applies in addition, and its other own
/// headers instead.
pub(crate) fn secure(headers: &mut HeaderMap, https: bool) {
    let own = headers.remove(CONTENT_SECURITY_POLICY);
    let own = own.as_ref().and_then(|own| own.to_str().ok());
    let is_framed = own.is_some_and(|own| own.contains("frame-ancestors"));
    for (name, value) in ALWAYS {
        if !(is_framed && name == X_FRAME_OPTIONS) {
            headers
                .entry(name)
                .or_insert(HeaderValue::from_static(value));
        }
    }
    let general = match is_framed {
        true => Cow::Owned(POLICY.replace(NOT_FRAMED, "")),
        false => Cow::Borrowed(POLICY),
    };
    if let Some(both) = own.and_then(|own| format!("{general}; {own}").parse().ok()) {
        headers.insert(CONTENT_SECURITY_POLICY, both);
    }
    if https {
        headers.insert(
            STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secured(own: Option<&'static str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(own) = own {
            headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(own));
        }
        secure(&mut headers, false);
        headers
    }

    #[test]
    fn a_page_is_framed_by_nobody_unless_it_names_its_ancestors() {
        for own in [None, Some("trusted-types 'none'")] {
            let headers = secured(own);
            let policy = headers[CONTENT_SECURITY_POLICY].to_str().expect("text");
            assert_eq!(policy.matches("frame-ancestors").count(), 1, "{policy}");
            assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
            assert_eq!(headers[X_FRAME_OPTIONS], "DENY");
        }
        let headers = secured(Some("trusted-types 'none'; frame-ancestors *"));
        let policy = headers[CONTENT_SECURITY_POLICY].to_str().expect("text");
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        assert!(policy.ends_with("trusted-types 'none'; frame-ancestors *"));
        assert!(!policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!headers.contains_key(X_FRAME_OPTIONS));
    }

    #[test]
    fn a_resource_policy_of_its_own_is_kept() {
        let name = "cross-origin-resource-policy";
        let mut headers = HeaderMap::new();
        secure(&mut headers, false);
        assert_eq!(headers[name], "same-origin");
        headers.insert(name, HeaderValue::from_static("cross-origin"));
        secure(&mut headers, false);
        assert_eq!(headers[name], "cross-origin");
    }
}
