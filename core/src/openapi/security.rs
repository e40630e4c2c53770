//! Security schemes, and the schemes that an operation requires.

use serde_json::{Value, json};

use crate::catalogue::Description;
use crate::header;
use crate::operation::Auth;

pub(super) fn schemes() -> Value {
    let in_header = |name: &str, description: &str| json!({ "type": "apiKey", "in": "header", "name": name, "description": description });
    json!({
        "ApiKeyAuth": in_header("X-API-KEY", "An API key of the organisation."),
        "ApiNonce": in_header("X-API-Nonce", "A UUIDv7 within five minutes of the server's time, used only once."),
        "ApiSignature": in_header("X-API-Signature", "Lower-case hex of the HMAC-SHA256, under the signing secret, of these lines: `v1`, method, \
            encoded path, query as sent, nonce, `X-ORG-ID` or nothing, and the hex SHA-256 of the body."),
        "Session": { "type": "apiKey", "in": "cookie", "name": header::SESSION_COOKIE, "description": "The dashboard's session; over TLS the cookie is `__Host-settlekit_session`." },
        "Csrf": in_header("X-CSRF-Token", "The session's CSRF token. Required for every change."),
        "StepUp": in_header("X-Step-Up", "A step-up token from `createStepUp`, at most five minutes old."),
    })
}

/// Requirements of an operation: a list of alternatives.
pub(super) fn security(description: &Description) -> Value {
    let mut session = json!({ "Session": [] });
    if description.method != http::Method::GET {
        session["Csrf"] = json!([]);
    }
    if description.step_up {
        session["StepUp"] = json!([]);
    }
    let key = json!({ "ApiKeyAuth": [] });
    let signed = json!({ "ApiKeyAuth": [], "ApiNonce": [], "ApiSignature": [] });
    match description.auth {
        Auth::Public => json!([]),
        Auth::Session => json!([session]),
        // Calls for a sub-merchant and calls that send money out need a signature.
        Auth::Key if description.delegated || description.outflow => json!([key, signed, session]),
        Auth::Key => json!([key, session]),
        Auth::Signed => json!([signed, session]),
    }
}
