//! HTTP: preparation of requests for the service, and completion of its answers.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue, Response, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::routing::{any, get};
use settlekit_core::checkout::PAYMENT_LIVE;
use settlekit_core::error::Reason;
use settlekit_core::operation::Auth;
use settlekit_core::overview::LIVE;
use settlekit_core::{PREFIX, header};
use settlekit_service::MatchedOperation;
use settlekit_service::store::migrate;
use settlekit_service::store::sql::StoreError;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tracing::Instrument;

use crate::activity::Activity;
use crate::answer::answer;
use crate::host_error::failed;
use crate::limit::{Caller, Peer};
use crate::metrics::Metrics;
use crate::{
    Host, assets, chain_metrics, edge, exchange_metrics, live, price_metrics, security,
    venue_metrics,
};

/// Requests that take longer are answered with 503.
const TIME_MAX: Duration = Duration::from_secs(30);

/// The same for requests whose answers wait for a block.
const BLOCK_TIME_MAX: Duration = Duration::from_secs(70);

pub(crate) fn router(host: Arc<Host>) -> Router {
    let https = host.https;
    Router::new()
        .route(PREFIX, any(api))
        // No operation has this path: a client that requests it is a program, not a browser.
        .route(&format!("{PREFIX}/"), any(api))
        .route(LIVE, get(stream))
        .route(PAYMENT_LIVE, get(stream))
        .route(&format!("{PREFIX}/{{*rest}}"), any(api))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(openapi))
        .fallback(file)
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_| {
            failed(Reason::Internal, "the request could not be completed")
        }))
        .layer(from_fn_with_state(Arc::clone(&host), watch))
        .layer(axum::middleware::map_response(
            move |mut response: Response<Body>| async move {
                security::secure(response.headers_mut(), https);
                response
            },
        ))
        .with_state(host)
}

/// The id of a request, for log and answer.
#[derive(Clone)]
struct RequestId(HeaderValue);

/// Identifies, counts, times and logs a request.
async fn watch(State(host): State<Arc<Host>>, mut request: Request, next: Next) -> Response<Body> {
    let id = edge::request_id();
    let value = HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("unknown"));
    request.extensions_mut().insert(RequestId(value.clone()));
    let span =
        tracing::info_span!("request", id, method = %request.method(), path = request.uri().path());
    let mut watched = InFlight {
        metrics: &host.metrics,
        since: Instant::now(),
        status: None,
    };
    watched.metrics.begun();
    // Callers in the same process have no connection.
    let under_way = request
        .extensions_mut()
        .remove::<Arc<Activity>>()
        .map(|activity| activity.begin());
    async {
        let mut response = next.run(request).await;
        response
            .headers_mut()
            .insert(HeaderName::from_static(header::REQUEST_ID), value);
        let status = response.status().as_u16();
        watched.status = Some(status);
        tracing::info!(
            status,
            duration_us = watched.since.elapsed().as_micros() as u64,
            "request completed"
        );
        match under_way {
            Some(under_way) => response.map(|body| under_way.answer(body)),
            None => response,
        }
    }
    .instrument(span)
    .await
}

/// Ends the count on drop, also when the caller has gone.
struct InFlight<'a> {
    metrics: &'a Metrics,
    since: Instant,
    status: Option<u16>,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.metrics.ended(self.status, self.since.elapsed());
    }
}

/// A stream counts as one request, whatever its duration.
async fn stream(State(host): State<Arc<Host>>, request: Request) -> Response<Body> {
    let path = live::operation_path(request.uri().path());
    let route = host.service.route(request.method(), path);
    let caller = caller(&host, &request, route.auth());
    let opened = live::open(&host, &caller, route, request);
    within(&host, &caller, opened).await
}

/// Everything under the API's prefix: passes the whole request to the service and returns its answer.
async fn api(State(host): State<Arc<Host>>, request: Request) -> Response<Body> {
    let route = host.service.route(request.method(), request.uri().path());
    let caller = caller(&host, &request, route.auth());
    let time_max = match route.waits() {
        true => BLOCK_TIME_MAX,
        false => TIME_MAX,
    };
    let answered = async {
        match tokio::time::timeout(time_max, ask(&host, &caller, route, request)).await {
            Ok(response) => response,
            Err(_) => failed(Reason::Unavailable, "the request took too long"),
        }
    };
    within(&host, &caller, answered).await
}

/// The caller of a request, for rate limits.
fn caller(host: &Host, request: &Request, auth: Auth) -> Caller {
    let peer = request.extensions().get::<Peer>().copied();
    host.limiter.caller(request.headers(), peer, auth)
}

/// The answer with rate-limit headers; over the limit the service is not called.
async fn within(
    host: &Host,
    caller: &Caller,
    answered: impl Future<Output = Response<Body>>,
) -> Response<Body> {
    let counted = host.limiter.count(caller);
    let mut response = match counted.as_ref().and_then(|counted| counted.wait) {
        Some(wait) => failed(
            Reason::RateLimited,
            &format!("too many requests: try again in {wait} s"),
        ),
        None => {
            let response = answered.await;
            host.limiter.answered(caller, response.status());
            response
        }
    };
    if let Some(counted) = counted {
        counted.write(response.headers_mut());
    }
    response
        .headers_mut()
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn ask(
    host: &Arc<Host>,
    caller: &Caller,
    route: Arc<MatchedOperation>,
    request: Request,
) -> Response<Body> {
    let (mut parts, body) = request.into_parts();
    let id = parts.extensions.remove::<RequestId>();
    // Drops a caller's own request id, which could be mistaken for the server's.
    parts.headers.remove(header::REQUEST_ID);
    parts.extensions.clear();
    // Other requests identify the caller by authentication.
    if route.auth() == Auth::Public {
        parts.extensions.insert(caller.network());
    }
    let most = route.auth().body_bytes_max();
    let too_large = || {
        let message = format!("the body is larger than {most} bytes");
        failed(Reason::BodyTooLarge, &message)
    };
    // A client that waits for 100 Continue (RFC 9110, section 10.1.1) need not send the body.
    if body.size_hint().lower() > most as u64 {
        return too_large();
    }
    let limit = host.connections.body;
    let body = match tokio::time::timeout(limit, to_bytes(body, most)).await {
        Ok(body) => body,
        Err(_) => {
            let message = format!("the body did not arrive within {} s", limit.as_secs());
            return failed(Reason::RequestMalformed, &message);
        }
    };
    let body = match body {
        Ok(body) => body,
        Err(error) if is_too_large(&error) => return too_large(),
        Err(_) => return failed(Reason::RequestMalformed, "the body broke off"),
    };
    let request = Arc::new(Request::from_parts(parts, Vec::from(body)));
    match answer(host, caller, route, request).await {
        Ok(response) => response.map(Body::from),
        Err(error) => {
            let id = id
                .as_ref()
                .and_then(|id| id.0.to_str().ok())
                .unwrap_or_default();
            refused(&error, id)
        }
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    std::error::Error::source(error)
        .is_some_and(|source| source.to_string().contains("length limit"))
}

/// The public error for a failure of the database; its text goes to the log only.
fn refused(error: &StoreError, id: &str) -> Response<Body> {
    match error {
        StoreError::Busy | StoreError::Conflict | StoreError::Unreachable(_) => {
            tracing::warn!(%error, "request failed");
            failed(
                Reason::Unavailable,
                "the service is temporarily unavailable",
            )
        }
        // Nothing was changed, and a retry helps only after the operator has acted.
        StoreError::Full | StoreError::ReadOnly => {
            tracing::error!(%error, "request failed");
            failed(
                Reason::Unavailable,
                &format!("{error}: nothing was changed"),
            )
        }
        _ => {
            tracing::error!(%error, "request failed");
            failed(
                Reason::Internal,
                &format!("the request could not be completed; its id is {id}"),
            )
        }
    }
}

/// The health check: whether the database answers. Failing price sources and exchanges are named, and stop no server: another
/// one would fail as well.
async fn health(State(host): State<Arc<Host>>) -> Response<Body> {
    let service = host.service.clone();
    let read = host.engine.read(move |database| {
        migrate::version(database)?;
        let sources = service.connected_price_sources(database)?;
        let venues = service.connected_venues(database)?;
        Ok((sources, venues, service.failing_exchanges(database)?))
    });
    let asked = tokio::time::timeout(Duration::from_secs(5), read).await;
    let unavailable = (StatusCode::SERVICE_UNAVAILABLE, "unavailable");
    let ((status, word), (sources, venues, exchanges)) = match asked {
        Ok(Ok(connected)) => ((StatusCode::OK, "ok"), connected),
        Ok(Err(error)) => {
            tracing::warn!(%error, "health check failed");
            (unavailable, Default::default())
        }
        Err(_) => (unavailable, Default::default()),
    };
    let sources = sources.iter().filter(|source| source.failures > 0);
    let sources = sources.map(|source| format!("\"{}\"", source.source));
    let venues = venues.iter().filter(|venue| venue.failures > 0);
    let venues = venues.map(|venue| venue.chain.to_string());
    // Strangers learn no names of accounts.
    let exchanges = match exchanges {
        0 => String::new(),
        failing => format!(",\"failing_exchanges\":{failing}"),
    };
    let text = format!(
        "{{\"status\":\"{word}\",\"version\":\"{}\"{}{}{}}}\n",
        env!("CARGO_PKG_VERSION"),
        failing("price_sources", sources),
        failing("venues", venues),
        exchanges,
    );
    plain(status, "application/json", text)
}

/// The JSON member of what fails; nothing if nothing does.
fn failing(what: &str, failing: impl Iterator<Item = String>) -> String {
    let failing: Vec<String> = failing.collect();
    match failing.as_slice() {
        [] => String::new(),
        failing => format!(",\"failing_{what}\":[{}]", failing.join(",")),
    }
}

/// The metrics at the main address, with the token; not found without one.
async fn metrics(State(host): State<Arc<Host>>, request: Request) -> Response<Body> {
    let given = request.headers().get(AUTHORIZATION);
    let given = given.and_then(|given| given.as_bytes().strip_prefix(b"Bearer "));
    match &host.metrics_token {
        Some(token) if given.is_some_and(|given| token.is(given)) => figures(&host).await,
        _ => failed(Reason::PathUnknown, "no operation has this path"),
    }
}

/// The router of the metrics listener.
pub(crate) fn metrics_router(host: Arc<Host>) -> Router {
    let open = |State(host): State<Arc<Host>>| async move { figures(&host).await };
    Router::new()
        .route("/metrics", get(open))
        .layer(CompressionLayer::new())
        .with_state(host)
}

async fn figures(host: &Host) -> Response<Body> {
    let chains = chain_metrics::text(host).await;
    let text = host.metrics.text()
        + &chains
        + &price_metrics::text(host).await
        + &venue_metrics::text(host).await
        + &exchange_metrics::text(host).await;
    plain(
        StatusCode::OK,
        "text/plain; version=0.0.4; charset=utf-8",
        text,
    )
}

/// The OpenAPI document, for programs and for the API reference.
async fn openapi() -> Response<Body> {
    static DOCUMENT: LazyLock<String> =
        LazyLock::new(|| settlekit_core::openapi::document().to_string());
    plain(StatusCode::OK, "application/json", DOCUMENT.clone())
}

async fn file(State(host): State<Arc<Host>>, request: Request) -> Response<Body> {
    assets::answer(
        host.files,
        request.method(),
        request.uri().path(),
        request.headers(),
    )
    .map(Body::from)
}

fn plain(status: StatusCode, kind: &'static str, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
