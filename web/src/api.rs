//! Calls to the service. The only file that names fetch; every path, method and header comes from core.

use gloo_net::http::{RequestBuilder, Response as Fetched};
use http::header::{HeaderName, HeaderValue};
use settlekit_core::call::{Call, Failure, read};
use settlekit_core::error::Reason;
use settlekit_core::header;
use settlekit_core::operation::Operation;
use settlekit_core::validate::Complaint;

use crate::session::Session;
use crate::text;

/// Why a call gave no record, with the request's id where the service gave one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trouble {
    pub(crate) cause: Cause,
    pub(crate) request_id: Option<String>,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cause {
    /// The call broke core's own rules and was not sent.
    Unsent(Vec<Complaint>),
    /// No answer came.
    Offline,
    /// The service refused, or its answer cannot be read.
    Answered(Failure),
}

impl Trouble {
    /// The first reason of a refusal.
    pub(crate) fn reason(&self) -> Option<Reason> {
        match &self.cause {
            Cause::Answered(Failure::Refused(error)) => error.reason(),
            Cause::Unsent(complaints) => complaints.first().map(|complaint| complaint.reason),
            _ => None,
        }
    }

    /// Whether it says nothing about the record: no answer, an unreadable one, or a fault of the service.
    pub(crate) fn is_passing(&self) -> bool {
        match &self.cause {
            Cause::Unsent(_) => false,
            Cause::Offline | Cause::Answered(Failure::Unreadable { .. }) => true,
            Cause::Answered(Failure::Refused(error)) => error.code >= 500 || error.code == 429,
        }
    }

    /// What happened, in three words.
    pub(crate) fn title(&self) -> &'static str {
        match &self.cause {
            Cause::Unsent(_) => text::NOT_SENT,
            Cause::Offline => text::NO_CONNECTION,
            Cause::Answered(Failure::Refused(_)) => text::REFUSED,
            Cause::Answered(Failure::Unreadable { .. }) => text::UNREADABLE,
        }
    }

    /// What happened and what to do.
    pub(crate) fn sentence(&self) -> String {
        match &self.cause {
            Cause::Unsent(complaints) => complaints
                .iter()
                .map(Complaint::sentence)
                .collect::<Vec<_>>()
                .join("; "),
            Cause::Offline => text::NO_CONNECTION_LONG.to_owned(),
            Cause::Answered(Failure::Refused(error)) => text::sentence(&error.message),
            Cause::Answered(Failure::Unreadable { status, .. }) => text::unreadable_of(*status),
        }
    }
}

/// Sends a call and reads its answer. A session that is over signs the reader out.
pub(crate) async fn call<O: Operation>(
    session: Session,
    call: Call<O>,
) -> Result<O::Response, Trouble> {
    let answer = send::<O>(session, &call).await;
    if let Err(trouble) = &answer
        && matches!(
            trouble.reason(),
            Some(Reason::SessionInvalid | Reason::CredentialsMissing | Reason::CsrfInvalid)
        )
    {
        session.ended();
    }
    answer
}

async fn send<O: Operation>(session: Session, call: &Call<O>) -> Result<O::Response, Trouble> {
    let unsent = |complaints: &[Complaint]| Trouble {
        cause: Cause::Unsent(complaints.to_vec()),
        request_id: None,
    };
    let offline = |_| Trouble {
        cause: Cause::Offline,
        request_id: None,
    };
    let mut request = call
        .to_http("")
        .map_err(|report| unsent(report.complaints()))?;
    for (name, value) in session.headers(O::METHOD) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            request.headers_mut().insert(name, value);
        }
    }
    let fetched = fetch(request).await.map_err(offline)?;
    let request_id = fetched.headers().get(header::REQUEST_ID);
    let mut response = http::Response::builder().status(fetched.status());
    if let Some(id) = &request_id {
        response = response.header(header::REQUEST_ID, id);
    }
    let body = fetched.binary().await.map_err(offline)?;
    let Ok(response) = response.body(body) else {
        return Err(offline(gloo_net::Error::GlooError(String::new())));
    };
    read::<O>(&response).map_err(|failure| Trouble {
        cause: Cause::Answered(failure),
        request_id,
    })
}

async fn fetch(request: http::Request<Vec<u8>>) -> Result<Fetched, gloo_net::Error> {
    let (parts, body) = request.into_parts();
    let mut builder = RequestBuilder::new(&parts.uri.to_string())
        .method(parts.method)
        .credentials(web_sys::RequestCredentials::SameOrigin);
    for (name, value) in &parts.headers {
        builder = builder.header(name.as_str(), value.to_str().unwrap_or_default());
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

/// A call without path, query and body.
pub(crate) fn plain<O>() -> Call<O>
where
    O: Operation<
            Path = settlekit_core::operation::NoPath,
            Query = settlekit_core::field::Nothing,
            Body = settlekit_core::field::Nothing,
        >,
{
    Call {
        path: settlekit_core::operation::NoPath,
        query: settlekit_core::field::Nothing {},
        body: settlekit_core::field::Nothing {},
    }
}

/// A call with a path only.
pub(crate) fn at<O>(path: O::Path) -> Call<O>
where
    O: Operation<Query = settlekit_core::field::Nothing, Body = settlekit_core::field::Nothing>,
{
    Call {
        path,
        query: settlekit_core::field::Nothing {},
        body: settlekit_core::field::Nothing {},
    }
}

/// A call with a query only.
pub(crate) fn asking<O>(query: O::Query) -> Call<O>
where
    O: Operation<Path = settlekit_core::operation::NoPath, Body = settlekit_core::field::Nothing>,
{
    Call {
        path: settlekit_core::operation::NoPath,
        query,
        body: settlekit_core::field::Nothing {},
    }
}
