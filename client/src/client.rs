//! One call: sent, signed, waited for, tried again.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::{HeaderMap, HeaderValue, Method, Request, Response};
use settlekit_core::call::{Call, Failure, read};
use settlekit_core::error::Reason;
use settlekit_core::operation::{Auth, Operation};
use settlekit_core::page::{Page, Paged};
use settlekit_core::sign::{Nonce, sign};
use settlekit_core::value::{OrganisationId, Timestamp};
use settlekit_core::{PREFIX, header};

use crate::{Error, Listing, Refused};

const TIMEOUT: Duration = Duration::from_secs(30);
const RETRIES: u32 = 2;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Whoever must wait longer should know it, not sit in a call.
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// How the client reaches the service, and as whom.
#[derive(Clone)]
pub struct Settings {
    /// The service's address, with or without the version prefix.
    pub base_url: String,
    /// The API key.
    pub api_key: Option<String>,
    /// The signing secret, for the operations that must be signed.
    pub signing_secret: Option<String>,
    /// The sub-merchant that a partner acts for.
    pub organisation: Option<OrganisationId>,
    /// How long one attempt may take, its answer included.
    pub timeout: Duration,
    /// How often a call that could not be answered is tried again.
    pub retries: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            base_url: String::new(),
            api_key: None,
            signing_secret: None,
            organisation: None,
            timeout: TIMEOUT,
            retries: RETRIES,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Secrets are said to be there, and no more.
        let hidden = |secret: &Option<String>| secret.as_ref().map(|_| "…");
        f.debug_struct("Settings")
            .field("base_url", &self.base_url)
            .field("api_key", &hidden(&self.api_key))
            .field("signing_secret", &hidden(&self.signing_secret))
            .field("organisation", &self.organisation)
            .field("timeout", &self.timeout)
            .field("retries", &self.retries)
            .finish()
    }
}

/// What one call does differently from the client's settings.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// How long one attempt may take.
    pub timeout: Option<Duration>,
    /// How often it is tried again.
    pub retries: Option<u32>,
    /// The sub-merchant that a partner acts for.
    pub organisation: Option<OrganisationId>,
    /// Repeating a call with the same key does the thing once. Made by the client unless given.
    pub idempotency_key: Option<String>,
}

/// The service. Cheap to clone: clones share connections and what is known of the service's clock.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    settings: Settings,
    http: reqwest::Client,
    /// The service's clock less ours, in milliseconds, once the service has said so.
    ahead_ms: AtomicI64,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.shared.settings, f)
    }
}

impl Client {
    /// A client with an API key and settings as usual.
    ///
    /// # Errors
    /// [`Error::Settings`] when no connection can be made from this machine at all.
    pub fn new(base_url: impl Into<String>, api_key: impl Into<String>) -> Result<Self, Error> {
        Self::with(Settings {
            base_url: base_url.into(),
            api_key: Some(api_key.into()),
            ..Settings::default()
        })
    }

    /// A client with these settings.
    ///
    /// # Errors
    /// [`Error::Settings`] when no connection can be made from this machine at all.
    pub fn with(settings: Settings) -> Result<Self, Error> {
        let http = reqwest::Client::builder()
            // A redirect would carry the key elsewhere.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("settlekit-rust/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| Error::Settings(format!("no client can be made: {error}")))?;
        let base = settings.base_url.trim_end_matches('/');
        let base_url = base.strip_suffix(PREFIX).unwrap_or(base).to_owned();
        Ok(Self {
            shared: Arc::new(Shared {
                settings: Settings {
                    base_url,
                    ..settings
                },
                http,
                ahead_ms: AtomicI64::new(0),
            }),
        })
    }

    /// Makes a call and reads its answer.
    ///
    /// A call that reads, or carries an idempotency key as every other does, is tried again when it could not be answered:
    /// each attempt has a nonce of its own.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn call<O: Operation>(&self, call: &Call<O>) -> Result<O::Response, Error> {
        self.call_with(call, &Options::default()).await
    }

    /// As [`Client::call`], with options of its own.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn call_with<O: Operation>(
        &self,
        call: &Call<O>,
        options: &Options,
    ) -> Result<O::Response, Error> {
        let settings = &self.shared.settings;
        let request = call.to_http(&settings.base_url).map_err(Error::Invalid)?;
        let request = self.dress::<O>(request, options)?;
        let retries = options.retries.unwrap_or(settings.retries);
        let mut corrected = false;
        let mut attempt = 0;
        loop {
            let error = match self.attempt::<O>(request.clone(), options).await {
                Ok(record) => return Ok(record),
                Err(Attempt { server_time, error }) => {
                    if let Some(server_time) = server_time.filter(|_| !corrected) {
                        self.shared
                            .ahead_ms
                            .store(server_time.millis() - clock().millis(), Ordering::Relaxed);
                        corrected = true;
                        continue;
                    }
                    error
                }
            };
            let pause = match &error {
                Error::Refused(Refused {
                    retry_after: Some(asked),
                    ..
                }) => *asked,
                _ => backoff(attempt)?,
            };
            if !error.is_transient() || attempt >= retries || pause > PAUSE_MAX {
                return Err(error);
            }
            tokio::time::sleep(pause).await;
            attempt += 1;
        }
    }

    /// The items and pages of a list, from the page asked for on.
    pub fn pages<O, T>(&self, call: Call<O>) -> Listing<O>
    where
        O: Operation<Response = Page<T>>,
        O::Query: Paged,
        T: 'static,
    {
        Listing::new(self.clone(), call)
    }

    /// The service's time, as far as known.
    pub(crate) fn now(&self) -> Timestamp {
        let ahead = self.shared.ahead_ms.load(Ordering::Relaxed);
        Timestamp::from_millis(clock().millis().saturating_add(ahead))
    }

    /// Whether a request must be signed: as its operation asks, and always where it is made for another organisation. What only may
    /// send money out is signed by a client that can.
    fn must_sign<O: Operation>(&self, options: &Options) -> bool {
        let organisation = options.organisation.or(self.shared.settings.organisation);
        match O::AUTH {
            Auth::Signed => true,
            Auth::Key => organisation.is_some(),
            Auth::Public | Auth::Session => false,
        }
    }

    /// The headers that every attempt has.
    fn dress<O: Operation>(
        &self,
        mut request: Request<Vec<u8>>,
        options: &Options,
    ) -> Result<Request<Vec<u8>>, Error> {
        let settings = &self.shared.settings;
        if self.must_sign::<O>(options) && settings.signing_secret.is_none() {
            return Err(Error::Settings(format!(
                "{} must be signed: give the client the signing secret",
                O::ID
            )));
        }
        let repeatable = request.method() != Method::GET;
        let headers = request.headers_mut();
        if let Some(key) = &settings.api_key {
            let mut value = HeaderValue::try_from(key)
                .map_err(|_| Error::Settings("the API key is not one".to_owned()))?;
            value.set_sensitive(true);
            headers.insert(header::API_KEY, value);
        }
        if let Some(organisation) = options.organisation.or(settings.organisation) {
            headers.insert(
                header::ORGANISATION,
                HeaderValue::try_from(organisation.to_string()).expect("an id is a header value"),
            );
        }
        if repeatable {
            let key = match &options.idempotency_key {
                Some(key) => key.clone(),
                None => Nonce::new(clock(), random()?).to_string(),
            };
            headers.insert(
                header::IDEMPOTENCY_KEY,
                HeaderValue::try_from(key)
                    .map_err(|_| Error::Settings("the idempotency key is not one".to_owned()))?,
            );
        }
        Ok(request)
    }

    async fn attempt<O: Operation>(
        &self,
        mut request: Request<Vec<u8>>,
        options: &Options,
    ) -> Result<O::Response, Attempt> {
        if let Some(secret) = &self.shared.settings.signing_secret
            && (O::OUTFLOW || self.must_sign::<O>(options))
        {
            sign(&mut request, secret, Nonce::new(self.now(), random()?));
        }
        let timeout = options.timeout.unwrap_or(self.shared.settings.timeout);
        let response = match tokio::time::timeout(timeout, self.send(request)).await {
            Ok(response) => response.map_err(Error::Connection)?,
            Err(_) => return Err(Error::Timeout(timeout).into()),
        };
        read::<O>(&response).map_err(|failure| refused(failure, &response))
    }

    async fn send(&self, request: Request<Vec<u8>>) -> reqwest::Result<Response<Vec<u8>>> {
        let answer = self.shared.http.execute(request.try_into()?).await?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let mut response = Response::new(answer.bytes().await?.to_vec());
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

/// What came of one attempt that gave no record.
struct Attempt {
    /// The service's clock, when it refused ours.
    server_time: Option<Timestamp>,
    error: Error,
}

impl From<Error> for Attempt {
    fn from(error: Error) -> Self {
        Self {
            server_time: None,
            error,
        }
    }
}

fn refused(failure: Failure, response: &Response<Vec<u8>>) -> Attempt {
    let headers = response.headers();
    let request_id = text(headers, header::REQUEST_ID).map(str::to_owned);
    let error = match failure {
        Failure::Unreadable { message, .. } => {
            return Error::Unreadable {
                status: response.status(),
                message,
                request_id,
            }
            .into();
        }
        Failure::Refused(error) => error,
    };
    let refused = Refused {
        status: response.status(),
        error,
        request_id,
        retry_after: text(headers, header::RETRY_AFTER)
            .and_then(|seconds| seconds.parse().ok())
            .map(Duration::from_secs),
    };
    // Only a refusal for time asks for another try with a better clock.
    let server_time = text(headers, header::SERVER_TIME)
        .filter(|_| refused.is(Reason::NonceOutOfWindow))
        .and_then(|time| time.parse().ok());
    Attempt {
        server_time,
        error: Error::Refused(refused),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn clock() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|_| Error::Settings("the operating system gives no random bytes".to_owned()))?;
    Ok(bytes)
}

/// A random part of a wait that doubles, so that many clients do not come back together.
fn backoff(attempt: u32) -> Result<Duration, Error> {
    let longest = FIRST_PAUSE.saturating_mul(1 << attempt.min(10));
    let part = u32::from_be_bytes(random()?);
    Ok(longest.mul_f64(f64::from(part) / f64::from(u32::MAX)))
}
