//! Calls to the service. The only file that uses fetch; every path, method and header comes from core.

use std::pin::Pin;

use gloo_net::http::{RequestBuilder, Response as Fetched};
use leptos::prelude::GetUntracked;
use leptos::task::spawn_local;
use serde::de::DeserializeOwned;
use serde_json::Value;
use settlekit_core::call::{Call, Failure, failure, read, read_as};
use settlekit_core::envelope::Data;
use settlekit_core::error::Reason;
use settlekit_core::field::Nothing;
use settlekit_core::header;
use settlekit_core::operation::{NoPath, Operation};
use settlekit_core::page::Page;
use settlekit_core::session::GetSession;
use settlekit_core::validate::Report;
use web_sys::AbortSignal;

use crate::call_failure::{CallFailure, Cause};
use crate::session::{Session, SessionState, may_be_signed_in};

/// The timeout of a call: a silently lost connection counts as no answer.
const ANSWER_MS_MAX: u32 = 30_000;

/// A request built by core, with the headers added here.
pub(crate) struct Request {
    pub(crate) request: http::Request<Vec<u8>>,
    /// Kept apart: to look up a header's name by its text, `http` needs code for every standard name.
    headers: Vec<(&'static str, String)>,
}

impl Request {
    /// The same request for another page of its list; it names the first page. `None` only if it names none.
    pub(crate) fn for_page(&self, page: u32) -> Option<Self> {
        let uri = self.request.uri().to_string();
        let (path, query) = uri.split_once('?')?;
        let mut is_paged = false;
        let pairs = query.split('&').map(|pair| {
            if pair.starts_with("page=") {
                is_paged = true;
                return format!("page={page}");
            }
            pair.to_owned()
        });
        let uri = format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"));
        let mut request = self.request.clone();
        *request.uri_mut() = uri.parse().ok()?;
        is_paged.then(|| Self {
            request,
            headers: self.headers.clone(),
        })
    }
}

/// A request, or the errors for which it must not be sent.
pub(crate) type Prepared = Result<Request, Report>;

/// Wraps a request of core.
pub(crate) fn prepare(request: Result<http::Request<Vec<u8>>, Report>) -> Prepared {
    request.map(|request| Request {
        request,
        headers: Vec::new(),
    })
}

/// A response as received.
pub(crate) struct Answered {
    response: http::Response<Vec<u8>>,
    request_id: Option<String>,
}

/// Sends a call and reads its answer.
pub(crate) async fn call<O: Operation>(
    session: Session,
    call: Call<O>,
) -> Result<O::Response, CallFailure> {
    let prepared = with_sub_merchant(session, O::DELEGATED, prepare(call.to_http("")));
    read_answer::<O>(session, send(session, prepared).await)
}

/// Adds the sub-merchant's header if the operation can be called for one.
pub(crate) fn with_sub_merchant(session: Session, delegated: bool, prepared: Prepared) -> Prepared {
    let target = session.acting_for.get_untracked().filter(|_| delegated);
    with_header(prepared, header::ORGANISATION, target)
}

/// Adds a header if there is a value for it.
pub(crate) fn with_header(
    mut prepared: Prepared,
    name: &'static str,
    value: Option<String>,
) -> Prepared {
    if let (Ok(request), Some(value)) = (&mut prepared, value) {
        request.headers.push((name, value));
    }
    prepared
}

/// Reads an answer. An expired session ends the session here too.
pub(crate) fn read_answer<O: Operation>(
    session: Session,
    answered: Result<Answered, CallFailure>,
) -> Result<O::Response, CallFailure> {
    read_answer_as::<O, O::Response>(session, answered)
}

/// [`read_answer`] as another type, such as one with a part of the fields.
pub(crate) fn read_answer_as<O: Operation, T: DeserializeOwned>(
    session: Session,
    answered: Result<Answered, CallFailure>,
) -> Result<T, CallFailure> {
    let Answered {
        response,
        request_id,
    } = answered?;
    read_as::<O, T>(&response).map_err(|failure| refused(session, failure, request_id))
}

/// Reads a page of any list untyped, keeping every digit.
pub(crate) fn read_rows(
    session: Session,
    answered: Result<Answered, CallFailure>,
) -> Result<Page<Value>, CallFailure> {
    let Answered {
        response,
        request_id,
    } = answered?;
    let (status, body) = (response.status(), response.body());
    let read = serde_json::from_slice::<Data<Page<Value>>>(body);
    match read {
        Ok(page) if status.is_success() => Ok(page.data),
        read => {
            let message = read.err().map(|error| error.to_string());
            let body = serde_json::from_slice(body).unwrap_or_default();
            let failure = failure(status, &body, message.unwrap_or_default());
            Err(refused(session, failure, request_id))
        }
    }
}

fn refused(session: Session, failure: Failure, request_id: Option<String>) -> CallFailure {
    let failure = CallFailure {
        cause: Cause::Answered(failure),
        request_id,
    };
    if matches!(
        failure.reason(),
        Some(Reason::SessionInvalid | Reason::CredentialsMissing | Reason::CsrfInvalid)
    ) {
        session.expire();
    }
    // The user's role may have changed.
    if failure.reason() == Some(Reason::ScopeMissing) {
        spawn_local(take_role(session));
    }
    failure
}

/// Refreshes the user's role. A failure is ignored and not retried.
async fn take_role(session: Session) {
    let answered = send(session, prepare(plain::<GetSession>().to_http(""))).await;
    if let Ok(Answered { response, .. }) = answered
        && let Ok(record) = read::<GetSession>(&response)
    {
        session.update_role(record.user.id, &record.user.role);
    }
}

/// Sends a request. Not generic over the operation, so that it is compiled once.
pub(crate) fn send(
    session: Session,
    prepared: Prepared,
) -> Pin<Box<dyn Future<Output = Result<Answered, CallFailure>>>> {
    Box::pin(async move {
        let request = prepared?;
        let fetched = fetch(session, request).await.map_err(|_| Cause::Offline)?;
        let request_id = fetched.headers().get(header::REQUEST_ID);
        let body = fetched.binary().await.map_err(|_| Cause::Offline)?;
        let mut response = http::Response::new(body);
        *response.status_mut() =
            http::StatusCode::from_u16(fetched.status()).map_err(|_| Cause::Offline)?;
        Ok(Answered {
            response,
            request_id,
        })
    })
}

async fn fetch(
    session: Session,
    Request { request, headers }: Request,
) -> Result<Fetched, gloo_net::Error> {
    let (parts, body) = request.into_parts();
    let mut builder = RequestBuilder::new(&parts.uri.to_string())
        .method(parts.method.clone())
        .abort_signal(Some(&AbortSignal::timeout_with_u32(ANSWER_MS_MAX)))
        .credentials(web_sys::RequestCredentials::SameOrigin);
    for (name, value) in &parts.headers {
        builder = builder.header(name.as_str(), value.to_str().unwrap_or_default());
    }
    for (name, value) in headers.into_iter().chain(session.headers(parts.method)) {
        builder = builder.header(name, &value);
    }
    if body.is_empty() {
        builder.send().await
    } else {
        builder
            .body(js_sys::Uint8Array::from(body.as_slice()))?
            .send()
            .await
    }
}

/// Fetches one of the dashboard's own files as text.
pub(crate) async fn file(path: &str) -> Option<String> {
    let answer = RequestBuilder::new(path).send().await.ok()?;
    if answer.ok() {
        answer.text().await.ok()
    } else {
        None
    }
}

/// A call without path, query and body.
pub(crate) fn plain<O>() -> Call<O>
where
    O: Operation<Path = NoPath, Query = Nothing, Body = Nothing>,
{
    at_with_query(NoPath, Nothing {})
}

/// A call with a path only.
pub(crate) fn at<O>(path: O::Path) -> Call<O>
where
    O: Operation<Query = Nothing, Body = Nothing>,
{
    at_with_query(path, Nothing {})
}

/// A call with a query only.
pub(crate) fn with_query<O>(query: O::Query) -> Call<O>
where
    O: Operation<Path = NoPath, Body = Nothing>,
{
    at_with_query(NoPath, query)
}

/// A call with a path and a query.
pub(crate) fn at_with_query<O>(path: O::Path, query: O::Query) -> Call<O>
where
    O: Operation<Body = Nothing>,
{
    Call {
        path,
        query,
        body: Nothing {},
    }
}

/// Asks the service who is signed in; once, at the start.
pub(crate) fn restore_session(session: Session) {
    if !may_be_signed_in() {
        session.set(SessionState::SignedOut { ended: false });
        return;
    }
    spawn_local(async move {
        let answer = call::<GetSession>(session, plain()).await;
        session.set(match answer {
            Ok(record) => SessionState::SignedIn(Box::new(record)),
            Err(failure) => match &failure.cause {
                Cause::Answered(Failure::Refused(error)) if error.code == 401 => {
                    SessionState::SignedOut { ended: false }
                }
                _ => SessionState::Unreachable(failure),
            },
        });
    });
}
