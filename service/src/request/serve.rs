//! Answers one decoded request: authenticates the caller, looks for an earlier answer, runs the handler and wraps the result.

use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderValue, Request, Response};
use settlekit_core::catalogue::Description;
use settlekit_core::error::Reason;
use settlekit_core::header;
use settlekit_core::operation::Scope;
use settlekit_core::value::OrganisationId;

use super::authenticate::authenticate;
use super::touch::{Noted, Touch};
#[cfg(doc)]
use crate::evm::node_calls::ContractAnswers;
use crate::evm::node_calls::NodeCalls;
use crate::request::decode::{Content, DecodedRequest, MatchedOperation};
use crate::request::idempotency::{self, EarlierRequest, IdempotentCall};
use crate::resources::session::back_off;
use crate::secret::password::Prepared;
use crate::store::sql::StoreError;
use crate::unit::caller::{Caller, Via};
use crate::unit::refusal::error_response;
use crate::unit::{Outcome, Refusal, Unit};
use crate::{sandbox, store};

/// An answer, and what the host has to do with its transaction.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP response.
    pub response: Response<Vec<u8>>,
    /// Commit the transaction; otherwise roll back.
    pub keep: bool,
    /// A note for the writer.
    pub touch: Option<Touch>,
    /// Calls that the answer depends on. The host makes them and answers the request again, with [`ContractAnswers`].
    pub asked: Vec<NodeCalls>,
    /// The transfer that the answer is to report. The host waits for it and answers the request again, or gives this answer.
    pub awaits: Option<Awaited>,
}

/// A payer's signed transfer that no block has. A host that has waited for it puts it into the request's extensions, which no caller
/// can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awaited(pub(crate) i64);

/// Whether a caller may call an operation.
#[derive(Debug)]
pub enum Admission {
    /// Admitted, with the organisation whose credentials the request has; `None` for public and unknown operations.
    Admitted(Option<OrganisationId>),
    /// Refused, with the answer.
    Refused(Response<Vec<u8>>),
}

pub(crate) fn authenticate_caller(
    unit: &mut Unit<'_>,
    request: &Request<Vec<u8>>,
    route: &MatchedOperation,
) -> Result<Admission, StoreError> {
    let Ok(found) = &route.found else {
        return Ok(Admission::Admitted(None));
    };
    let operation = found.route.description;
    match admit(unit, request, operation) {
        Ok(caller) => Ok(Admission::Admitted(caller.map(|caller| caller.own))),
        Err(refusal) => {
            let answer = finish(unit, Err(refusal), operation.room, None)?;
            Ok(Admission::Refused(answer.response))
        }
    }
}

/// Answers a request. Rolls back the writes of a refused operation, but not its nonce, which stays used.
pub(crate) fn serve(
    unit: &mut Unit<'_>,
    request: &Request<Vec<u8>>,
    decoded: &DecodedRequest,
    prepared: Prepared,
) -> Result<Answer, StoreError> {
    let found = match &decoded.route.found {
        Ok(found) => found,
        Err(unknown) => {
            if let Some(methods) = &unknown.allow {
                unit.headers.push((ALLOW, methods.clone()));
            }
            return finish(unit, Err(unknown.refusal.clone()), "request", None);
        }
    };
    let operation = found.route.description;
    if let Content::Ambiguous(refusal) = &decoded.content {
        return finish(unit, Err(refusal.clone()), operation.room, None);
    }
    let caller = match admit(unit, request, operation) {
        Ok(caller) => caller,
        Err(refusal) => return finish(unit, Err(refusal), operation.room, None),
    };
    let once = match idempotency::find(unit, request, operation, caller.as_ref()) {
        Ok(EarlierRequest::Answered(response)) => {
            return Ok(Answer {
                response,
                keep: true,
                touch: touch(caller.as_ref()),
                asked: Vec::new(),
                awaits: None,
            });
        }
        Ok(EarlierRequest::First(once)) => Some(once),
        Ok(EarlierRequest::Unkeyed) => None,
        Err(refusal) => return finish(unit, Err(refusal), operation.room, None),
    };
    let fault = sandbox::fault(unit, operation, caller.as_ref())?;
    let touch = match &fault {
        Some(fault) => Some(Touch(Noted::FaultMet(fault.organisation, fault.id))),
        None => touch(caller.as_ref()),
    };
    if let Some(fault) = fault.as_ref().filter(|fault| !fault.after_commit) {
        let mut answer = finish(unit, Err(fault.refusal()), operation.room, None)?;
        answer.touch = touch;
        return Ok(answer);
    }
    let mut answer = execute(
        unit,
        operation,
        &decoded.content,
        caller,
        prepared,
        once.as_ref(),
    )?;
    if let Some(fault) = fault {
        // The work is done; only its answer is lost.
        answer = finish(unit, Err(fault.refusal()), operation.room, None)?;
    }
    let visited = unit.visited.take().map(|(organisation, link)| {
        let day = unit.now.day_number();
        Touch(Noted::LinkVisited(organisation, link, day))
    });
    answer.touch = touch.or(visited);
    // Nothing of it was done yet.
    answer.asked = std::mem::take(&mut unit.asked);
    answer.awaits = unit.awaits.take().map(Awaited);
    answer.keep = answer.asked.is_empty();
    Ok(answer)
}

fn admit(
    unit: &mut Unit<'_>,
    request: &Request<Vec<u8>>,
    operation: &Description,
) -> Outcome<Option<Caller>> {
    if operation.sandbox {
        unit.need_simulation()?;
    }
    let caller = authenticate(unit, request, operation)?;
    // A suspended organisation can read and manage settings and keys; it cannot sell, trade or send, nor can a partner for a
    // suspended sub-merchant.
    if let Some(caller) = &caller
        && matches!(operation.scope, Scope::Write | Scope::Payout)
        && (store::organisation::is_suspended(unit.database, caller.organisation)?
            || (caller.own != caller.organisation
                && store::organisation::is_suspended(unit.database, caller.own)?))
    {
        return Err(Refusal::because(
            Reason::Suspended,
            "the organisation is suspended",
        ));
    }
    Ok(caller)
}

fn touch(caller: Option<&Caller>) -> Option<Touch> {
    match caller?.via {
        Via::Key { id, stale: true } => Some(Touch(Noted::KeyUsed(id))),
        _ => None,
    }
}

fn execute(
    unit: &mut Unit<'_>,
    operation: &Description,
    content: &Content,
    caller: Option<Caller>,
    prepared: Prepared,
    once: Option<&IdempotentCall>,
) -> Result<Answer, StoreError> {
    let writes = unit.may_write;
    let run = |unit: &mut Unit<'_>| match content {
        Content::Action(action) => (action.run)(unit, caller, prepared),
        Content::Refused(refusal) | Content::Ambiguous(refusal) => Err(refusal.clone()),
        // A caller without credentials was refused above.
        Content::Undecoded => Err(Refusal::because(
            Reason::CredentialsMissing,
            "credentials are missing",
        )),
    };
    let outcome = if writes {
        unit.attempt(run)?
    } else {
        run(unit)
    };
    if let Err(Refusal::Store(error)) = outcome {
        return Err(error);
    }
    if writes && let Some(bucket) = unit.failed_attempt.take() {
        back_off::count(unit, &bucket)?;
    }
    // Store an answer that a retry must repeat. Validation errors repeat by themselves. After a missing step-up or a retry that
    // came too soon, the same request is sent again.
    let settled = match &outcome {
        Err(Refusal::Invalid(_)) => false,
        // A missing connection may be added later.
        Err(Refusal::Because { reason, .. }) => {
            !matches!(
                reason,
                Reason::StepUpRequired
                    | Reason::SignatureMissing
                    | Reason::RateLimited
                    | Reason::TooManyCheckouts
                    | Reason::Unavailable
            ) && !reason.is_not_connected()
        }
        _ => true,
    };
    let answer = finish(unit, outcome, operation.room, Some(operation))?;
    if let Some(once) = once.filter(|_| settled && writes && unit.is_final)
        && let Err(Refusal::Store(error)) = idempotency::keep(unit, once, &answer.response)
    {
        return Err(error);
    }
    Ok(answer)
}

fn finish(
    unit: &mut Unit<'_>,
    outcome: Outcome<Vec<u8>>,
    domain: &str,
    operation: Option<&Description>,
) -> Result<Answer, StoreError> {
    let mut response = match outcome {
        Ok(body) => {
            let mut response = Response::new(body);
            if let Some(operation) = operation {
                *response.status_mut() = unit.status.take().unwrap_or(operation.success);
            }
            response
                .headers_mut()
                .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        Err(refusal) => error_response(&refusal.into_error(domain)?),
    };
    let headers = response.headers_mut();
    if let Some(at) = operation.and_then(|operation| operation.deprecated) {
        headers.insert(header::DEPRECATION, value(&format!("@{at}")));
        headers.insert(
            header::LINK,
            HeaderValue::from_static("</docs>; rel=\"deprecation\""),
        );
    }
    for (name, text) in unit.headers.drain(..) {
        if name == header::RETRY_AFTER {
            headers.insert(name, value(&text));
        } else {
            headers.append(name, value(&text));
        }
    }
    Ok(Answer {
        response,
        keep: true,
        touch: None,
        asked: Vec::new(),
        awaits: None,
    })
}

fn value(text: &str) -> HeaderValue {
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""))
}
