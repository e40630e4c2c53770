//! Payments by programs over HTTP 402 (x402): every paylink is a resource that can be paid for, and a facilitator executes payments
//! for resources of the merchant's own.

mod facilitator;
mod resource;
mod signed;

pub(crate) use facilitator::{list_kinds, settle, verify};
pub(crate) use resource::{get_resource, preflight};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName};
use serde_json::Value;
use settlekit_core::error::Reason;
use settlekit_core::x402::{Failure, PAYMENT_SIGNATURE, X_PAYMENT};

use crate::store::sql::StoreError;
use crate::unit::{Refusal, Unit};

/// The header with a request's payment, as it was sent: version 2 first.
pub(crate) fn payment_header(headers: &HeaderMap) -> Option<String> {
    let header = headers
        .get(PAYMENT_SIGNATURE)
        .or_else(|| headers.get(X_PAYMENT))?;
    // Bytes that are no text are no base64.
    Some(header.to_str().unwrap_or_default().to_owned())
}

fn decode(header: &str) -> Result<Value, Failure> {
    let bytes = STANDARD
        .decode(header)
        .map_err(|_| Failure::MalformedPayload)?;
    serde_json::from_slice(&bytes).map_err(|_| Failure::MalformedPayload)
}

/// Adds a header with JSON in base64 to the answer.
fn add_header(unit: &mut Unit<'_>, name: &'static str, json: &Value) {
    let encoded = STANDARD.encode(json.to_string());
    unit.headers.push((HeaderName::from_static(name), encoded));
}

/// Why a payment is not accepted.
#[derive(Debug)]
enum X402Error {
    /// It is wrong, or its payer cannot pay it.
    Payment(Failure, String),
    /// Anything else: an ordinary error of the service.
    Service(Refusal),
}

impl From<Failure> for X402Error {
    fn from(failure: Failure) -> Self {
        Self::Payment(failure, failure.code().to_owned())
    }
}

impl From<StoreError> for X402Error {
    fn from(error: StoreError) -> Self {
        Self::Service(error.into())
    }
}

impl From<Refusal> for X402Error {
    fn from(refusal: Refusal) -> Self {
        let Refusal::Because {
            reason, message, ..
        } = &refusal
        else {
            return Self::Service(refusal);
        };
        let failure = match reason {
            Reason::AuthorizationUsed => Failure::NonceUsed,
            Reason::InsufficientFunds => Failure::InsufficientBalance,
            Reason::FeeLimitReached => Failure::FeeLimitReached,
            Reason::NotSupported => Failure::SimulationFailed,
            Reason::StateForbids | Reason::PaylinkClosed => Failure::PaymentRefused,
            _ => return Self::Service(refusal),
        };
        Self::Payment(failure, message.clone())
    }
}
