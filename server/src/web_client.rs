//! The HTTP client for price sources, for exchanges, and for nodes that are asked about contracts.

use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response};
use settlekit_service::web_answer::{WebAnswer, WebError};

use crate::outbound_error;

/// The time until the whole answer of a request is there.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// A client that follows no redirects: another host could answer anything.
pub(crate) fn build() -> Result<Client, String> {
    Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .connect_timeout(Duration::from_secs(5))
        .timeout(REQUEST_TIMEOUT)
        .user_agent(concat!("Settlekit/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(outbound_error::describe)
}

/// Sends a request and reads its answer, of at most `body_max` bytes.
pub(crate) async fn send(request: RequestBuilder, body_max: usize) -> WebAnswer {
    answer(request, body_max)
        .await
        .unwrap_or_else(WebAnswer::Failed)
}

async fn answer(request: RequestBuilder, body_max: usize) -> Result<WebAnswer, WebError> {
    let response = request.send().await.map_err(|error| failed(&error))?;
    let (status, retry_after) = (response.status().as_u16(), retry_after(&response));
    Ok(WebAnswer::Answer {
        status,
        body: body(response, body_max).await?,
        retry_after,
    })
}

async fn body(mut response: Response, body_max: usize) -> Result<Vec<u8>, WebError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failed(&error))? {
        if body.len() + chunk.len() > body_max {
            return Err(WebError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn failed(error: &reqwest::Error) -> WebError {
    match error.is_timeout() {
        true => WebError::TimedOut,
        false => WebError::Unreachable,
    }
}

/// The seconds of `Retry-After`; a date is ignored.
fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    Some(Duration::from_secs(seconds.trim().parse().ok()?))
}
