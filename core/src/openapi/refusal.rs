//! Error responses of an operation: per status, each reason with an example.

use serde_json::{Map, Value, json};

use crate::catalogue::Description;
use crate::error::Reason;
use crate::operation::{Auth, Scope};

/// One example per reason, as a shared component.
pub(super) fn examples() -> Value {
    let example = |reason: &Reason| {
        let message = reason.describe();
        let value = json!({ "error": {
            "code": reason.status().as_u16(),
            "message": message,
            "errors": [{ "domain": "service", "reason": reason.as_str(), "message": message }],
        } });
        (
            reason.as_str().to_owned(),
            json!({ "summary": message, "value": value }),
        )
    };
    Reason::ALL
        .iter()
        .filter(|reason| of_an_operation(**reason))
        .map(example)
        .collect()
}

pub(super) fn responses(description: &Description) -> Vec<(String, Value)> {
    let mut statuses: Vec<http::StatusCode> =
        Reason::ALL.iter().map(|reason| reason.status()).collect();
    statuses.sort_unstable();
    statuses.dedup();
    statuses
        .into_iter()
        .filter_map(|status| {
            let reasons: Vec<&Reason> = Reason::ALL
                .iter()
                .filter(|reason| reason.status() == status && applies(**reason, description))
                .collect();
            (!reasons.is_empty()).then(|| (status.as_str().to_owned(), response(status, &reasons)))
        })
        .collect()
}

fn response(status: http::StatusCode, reasons: &[&Reason]) -> Value {
    let words: Vec<String> = reasons.iter().map(|reason| format!("`{reason}`")).collect();
    let examples: Map<String, Value> = reasons
        .iter()
        .map(|reason| {
            let path = format!("#/components/examples/{reason}");
            (reason.as_str().to_owned(), json!({ "$ref": path }))
        })
        .collect();
    json!({
        "description": format!("{}: {}.", status.canonical_reason().unwrap_or("Refused"), words.join(", ")),
        "content": { "application/json": {
            "schema": { "$ref": "#/components/schemas/ErrorEnvelope" },
            "examples": examples,
        } },
    })
}

/// Whether a reason can come from an operation; two reasons mean that there is none.
fn of_an_operation(reason: Reason) -> bool {
    !matches!(reason, Reason::PathUnknown | Reason::MethodNotAllowed)
}

/// Whether the operation can fail for this reason, according to its description.
fn applies(reason: Reason, description: &Description) -> bool {
    let body = !description.body_fields.is_empty();
    let query = !description.query_params.is_empty();
    let path = !description.path_params.is_empty();
    let changes = description.method != http::Method::GET;
    let keyed = matches!(description.auth, Auth::Key | Auth::Signed);
    let known = description.auth != Auth::Public;
    match reason {
        Reason::BodyMalformed | Reason::BodyNotAnObject | Reason::BodyTooLarge => body,
        Reason::Repeated => body || query,
        Reason::RangeReversed => description.query_params.contains(&"since"),
        Reason::WrongType
        | Reason::UnknownValue
        | Reason::OutOfRange
        | Reason::AmountMalformed
        | Reason::AmountTooPrecise
        | Reason::TimestampMalformed => body || query,
        Reason::IdMalformed => body || query || path,
        Reason::IdempotencyKeyMalformed | Reason::IdempotencyKeyReused => changes,
        Reason::CredentialsMissing | Reason::SessionInvalid => known,
        Reason::KeyInvalid => keyed,
        // What is shared with the organisation needs more than what is the member's own.
        Reason::ScopeMissing => {
            keyed
                || description.scope != Scope::Read
                || (changes && description.room == "saved_view")
        }
        // A GET quote counts too: it is a trade.
        Reason::Suspended => known && matches!(description.scope, Scope::Write | Scope::Payout),
        Reason::FeatureMissing => matches!(description.room, "quote" | "trade"),
        Reason::SignInFailed => matches!(
            description.id,
            "CreateSession" | "CreateStepUp" | "AcceptInvitation"
        ),
        Reason::CsrfInvalid => known && changes,
        // Session requests, and unauthenticated writes.
        Reason::OriginForeign => known || changes,
        Reason::ContentTypeNotJson => body,
        // Operations that redirect money need the same proof as a payout.
        Reason::StepUpRequired => {
            description.step_up
                || description.outflow
                || matches!(description.id, "UpdateAutomation" | "UpdateOrganisation")
        }
        Reason::SignatureMissing
        | Reason::SignatureInvalid
        | Reason::NonceMalformed
        | Reason::NonceReused
        | Reason::NonceOutOfWindow => {
            description.auth == Auth::Signed || description.delegated || description.outflow
        }
        Reason::SandboxOnly => description.sandbox,
        // UpdateVirtualAccount names its account in the body.
        Reason::NotFound => {
            path || description.delegated
                || matches!(
                    description.id,
                    "UpdateVirtualAccount"
                        | "OpenInvitation"
                        | "AcceptInvitation"
                        | "SwitchOrganisation"
                )
        }
        Reason::WalletNotHeld => {
            changes && matches!(description.scope, Scope::Write | Scope::Payout)
        }
        Reason::ChallengeExpired => description.id == "ProveOwnership",
        Reason::NotCancellable => description.id == "CancelPayment",
        Reason::AccountNotEmpty | Reason::WorkUnderWay => description.id == "DeleteAccount",
        Reason::PaylinkClosed => matches!(description.room, "checkout" | "payment"),
        Reason::InvitationExpired => {
            matches!(description.id, "OpenInvitation" | "AcceptInvitation")
        }
        Reason::ReferenceAmbiguous => matches!(
            description.id,
            "GetAccount"
                | "CreateAccount"
                | "CreateOwnershipChallenge"
                | "DeleteAccount"
                | "ProveOwnership"
                | "ListMovements"
                | "ListPayInAddresses"
                | "ConvertBalance"
                | "MaintainBalance"
                | "GetPartnerAccount"
        ),
        Reason::TooManyCheckouts => description.id == "StartCheckout",
        Reason::ChainNotConnected => matches!(
            description.id,
            "CreateAccount"
                | "CreatePayInAddress"
                | "CreateVirtualAccount"
                | "UpdateVirtualAccount"
                | "CreateExternalAccount"
                | "ConvertBalance"
                | "MaintainBalance"
                | "UpdateAutomation"
                | "CreatePaylink"
                | "CreatePlan"
                | "CreateSubscription"
                | "CreateInvoice"
                | "CreatePayment"
                | "RefundPayment"
                | "StartCheckout"
                | "CreatePayout"
                | "EstimatePayout"
                | "RequestQuote"
                | "CreateQuickTrade"
                | "UpdateOrganisation"
        ),
        Reason::RateUnavailable => matches!(
            description.id,
            "CreatePaylink"
                | "CreatePlan"
                | "CreateSubscription"
                | "CreateInvoice"
                | "StartCheckout"
                | "UpdateOrganisation"
        ),
        Reason::VenueUnavailable => matches!(
            description.id,
            "RequestQuote" | "AcceptQuote" | "CreateQuickTrade"
        ),
        Reason::LastOwner => matches!(description.id, "UpdateMember" | "RemoveMember"),
        Reason::TooShort => matches!(description.id, "AcceptInvitation" | "UpdatePassword"),
        Reason::StateForbids | Reason::AlreadyExists => changes,
        Reason::UnknownField
        | Reason::RequestMalformed
        | Reason::RateLimited
        | Reason::Internal
        | Reason::Unavailable => true,
        Reason::PathUnknown | Reason::MethodNotAllowed => false,
        // A missing or empty required parameter is also answered with 422.
        Reason::Required | Reason::Empty => body || query,
        // Paths name accounts by id or reference.
        Reason::ReferenceMalformed
            if description
                .path_params
                .iter()
                .any(|name| matches!(*name, "account" | "account_ref")) =>
        {
            true
        }
        // Rules for single values and between fields.
        _ => body || (query && description.query_params != crate::page::ListQuery::NAMES),
    }
}
