//! Builds and signs requests.

use http::header::CONTENT_TYPE;
use http::{HeaderName, HeaderValue, Method, Request};
use settlekit_core::error::Reason;
use settlekit_core::json::Json;
use settlekit_core::operation::Auth;
use settlekit_core::sign::{NONCE, Nonce, SIGNATURE, signature_of};
use settlekit_core::value::Timestamp;
use settlekit_core::{PREFIX, base_url, header};

use crate::error::CallError;
use crate::object;
use crate::operation::Description;

// Static names: creating them at run time would link a table of all known header names.
const API_KEY: HeaderName = HeaderName::from_static(header::API_KEY);
const ORGANISATION: HeaderName = HeaderName::from_static(header::ORGANISATION);
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static(header::IDEMPOTENCY_KEY);

/// Error domain of requests without an operation.
const RAW: &str = "request";

/// Address and credentials of the caller.
#[derive(Clone, Default)]
pub struct Credentials {
    /// Address of the service, with or without the version prefix.
    pub base_url: String,
    /// API key.
    pub api_key: Option<String>,
    /// Secret that signs requests.
    pub signing_secret: Option<String>,
    /// Sub-merchant that a partner acts for.
    pub org_id: Option<String>,
    /// Key under which a repeated request is executed once.
    pub idempotency_key: Option<String>,
    /// Nonce of a signed request; none for a UUIDv7.
    pub nonce: Option<String>,
    /// Whether the service may have ids of its own form.
    pub is_foreign: bool,
}

impl Credentials {
    /// Reads a JSON object `{baseUrl, apiKey?, signingSecret?, orgId?, idempotencyKey?, nonce?, foreign?}`.
    ///
    /// # Errors
    /// The text is not a JSON object.
    pub fn read(text: &str) -> Result<Self, CallError> {
        let given = object(text, "the credentials")?;
        let text = |name| given.get(name).and_then(Json::text).map(str::to_owned);
        Ok(Self {
            base_url: text("baseUrl").unwrap_or_default(),
            api_key: text("apiKey"),
            signing_secret: text("signingSecret"),
            org_id: text("orgId"),
            idempotency_key: text("idempotencyKey"),
            nonce: text("nonce"),
            is_foreign: given.get("foreign").is_some(),
        })
    }
}

impl Credentials {
    /// The signing secret; an empty one is an unset variable of the environment.
    fn secret(&self) -> Option<&String> {
        let secret = self.signing_secret.as_ref();
        secret.filter(|secret| !secret.is_empty())
    }
}

impl Description {
    /// Builds the request of an operation, signed if it must be.
    ///
    /// `arguments` is a JSON object with the parameters of path, query and body; `random` is ten random bytes for the nonce.
    ///
    /// # Errors
    /// The validation errors, identical to the service's, or the reason why the request cannot be signed or sent.
    pub fn request(
        &self,
        arguments: &str,
        credentials: &Credentials,
        now: Timestamp,
        random: &[u8],
    ) -> Result<Request<Vec<u8>>, CallError> {
        let arguments = self.split_arguments(object(arguments, "the arguments")?);
        let request = self
            .outline
            .request_to(&credentials.base_url, arguments, credentials.is_foreign)
            .map_err(|report| CallError::invalid(&report, self.domain))?;
        // Operations that may send money out are signed if there is a secret.
        let may_sign = self.outflow && credentials.secret().is_some();
        let signed = self.auth == Auth::Signed || may_sign;
        authenticate(request, self.domain, signed, credentials, now, random)
    }
}

/// Builds a request outside the catalogue: `target` is path and query, with or without the version prefix, `body` JSON text.
///
/// # Errors
/// The request cannot be sent. Nothing else is validated.
pub fn raw(
    method: &str,
    target: &str,
    body: Option<String>,
    signed: bool,
    credentials: &Credentials,
    now: Timestamp,
    random: &[u8],
) -> Result<Request<Vec<u8>>, CallError> {
    let below = target.strip_prefix(PREFIX);
    let target = below
        .filter(|below| below.starts_with('/'))
        .unwrap_or(target);
    if !target.starts_with('/') {
        let message = "the path of a request must start with a slash";
        return Err(CallError::local(RAW, Reason::RequestMalformed, message));
    }
    let base = base_url::parse(&credentials.base_url)
        .map_err(|error| CallError::local(RAW, Reason::RequestMalformed, &error.to_string()))?;
    let uri = [base, PREFIX, target].concat();
    let has_body = body.is_some();
    let body = body.unwrap_or_default().into_bytes();
    let mut request = build(method, uri, body)?;
    if has_body {
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(CONTENT_TYPE, json);
    }
    authenticate(request, RAW, signed, credentials, now, random)
}

/// Signs a complete request: adds the nonce and the signature. `url` is the address as sent.
///
/// # Errors
/// The request cannot be signed or sent.
pub fn signed(
    method: &str,
    url: &str,
    body: Vec<u8>,
    credentials: &Credentials,
    now: Timestamp,
    random: &[u8],
) -> Result<Request<Vec<u8>>, CallError> {
    let request = build(method, url.to_owned(), body)?;
    authenticate(request, RAW, true, credentials, now, random)
}

/// Whether sending a request twice has the effect of sending it once.
pub fn is_repeatable(request: &Request<Vec<u8>>) -> bool {
    request.method() == Method::GET || request.headers().contains_key(IDEMPOTENCY_KEY)
}

fn build(method: &str, uri: String, body: Vec<u8>) -> Result<Request<Vec<u8>>, CallError> {
    let request = Request::builder().method(method).uri(uri).body(body);
    request.map_err(|error| {
        CallError::invalid_argument(format!("the request is not well formed: {error}"))
    })
}

/// Adds credentials and signature to a request.
fn authenticate(
    mut request: Request<Vec<u8>>,
    domain: &str,
    signed: bool,
    credentials: &Credentials,
    now: Timestamp,
    random: &[u8],
) -> Result<Request<Vec<u8>>, CallError> {
    let idempotency_key = credentials.idempotency_key.as_ref();
    let idempotency_key = idempotency_key.filter(|_| request.method() != Method::GET);
    for (name, value) in [
        (API_KEY, credentials.api_key.as_ref()),
        (ORGANISATION, credentials.org_id.as_ref()),
        (IDEMPOTENCY_KEY, idempotency_key),
    ] {
        if let Some(value) = value {
            set(&mut request, name, value, domain)?;
        }
    }
    // Requests for a sub-merchant must be signed.
    if signed || credentials.org_id.is_some() {
        let Some(secret) = credentials.secret() else {
            let message = "the operation must be signed: set the client's signing secret";
            return Err(CallError::local(domain, Reason::SignatureMissing, message));
        };
        let nonce = match &credentials.nonce {
            Some(nonce) => nonce.clone(),
            None => Nonce::new(now, nonce_bytes(random)?).to_string(),
        };
        set(&mut request, NONCE, &nonce, domain)?;
        let signature = signature_of(&request, &nonce, secret);
        request.headers_mut().insert(SIGNATURE, signature);
    }
    Ok(request)
}

fn nonce_bytes(random: &[u8]) -> Result<[u8; 10], CallError> {
    random
        .try_into()
        .map_err(|_| CallError::invalid_argument("a nonce needs ten random bytes".to_owned()))
}

fn set(
    request: &mut Request<Vec<u8>>,
    name: HeaderName,
    value: &str,
    domain: &str,
) -> Result<(), CallError> {
    // `http` accepts characters outside ASCII, which JavaScript's `fetch` sends as others or refuses.
    let written = HeaderValue::try_from(value).ok();
    let written = written.filter(|value| value.to_str().is_ok());
    let value = written.ok_or_else(|| {
        CallError::local(
            domain,
            Reason::RequestMalformed,
            &format!("the value for {name} must be printable characters of ASCII"),
        )
    })?;
    request.headers_mut().insert(name, value);
    Ok(())
}
