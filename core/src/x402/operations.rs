//! The endpoints. Their bodies are those of x402, so that the catalogue and its clients leave them out.

use crate::operation::{Auth, Scope, Wire, operation};
use crate::value::{Object, PaylinkId};

operation! {
    /// The receipt of a paylink, for its payment: without one, 402 with the payments that the paylink accepts.
    GetX402Resource in "x402": GET "/x402/{paylink_id}",
    path: X402ResourcePath {
        /// The paylink's id.
        paylink_id: PaylinkId,
    },
    response: Object,
    AUTH: Auth::Public,
    WIRE: Wire::Bare,
}

operation! {
    /// Whether pages of other origins may pay a paylink (CORS, preflight): they may.
    PreflightX402Resource in "x402": OPTIONS "/x402/{paylink_id}",
    path: X402PreflightPath {
        /// The paylink's id.
        paylink_id: PaylinkId,
    },
    response: Object,
    AUTH: Auth::Public,
    WIRE: Wire::Bare,
    SUCCESS: http::StatusCode::NO_CONTENT,
}

operation! {
    /// Checks a payment for a resource of the merchant's own.
    VerifyX402 in "x402": POST "/x402/verify",
    response: Object,
    WIRE: Wire::Bare,
}

operation! {
    /// Executes a payment for a resource of the merchant's own, once.
    SettleX402 in "x402": POST "/x402/settle",
    response: Object,
    WIRE: Wire::Bare,
    SCOPE: Scope::Write,
}

operation! {
    /// The networks of payments that the service can execute for the merchant.
    ListX402Kinds in "x402": GET "/x402/supported",
    response: Object,
    WIRE: Wire::Bare,
}
