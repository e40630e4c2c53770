//! The HTTP client for price sources, for exchanges, and for nodes that are asked about contracts.

use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response};
use settlekit_core::value::Timestamp;
use settlekit_service::web_answer::{WebAnswer, WebError};

use crate::{edge, outbound_error};

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

/// The names of the months in dates of HTTP.
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// How long an answer asks to wait by `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3).
pub(crate) fn retry_after(response: &Response) -> Option<Duration> {
    let wait = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    wait_of(wait.trim(), edge::now())
}

fn wait_of(wait: &str, now: Timestamp) -> Option<Duration> {
    match wait.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => http_date(wait).map(|until| until.since(now)),
    }
}

/// A date of HTTP, `Sun, 06 Nov 1994 08:49:37 GMT`. Obsolete forms are none.
fn http_date(text: &str) -> Option<Timestamp> {
    let parts: Vec<&str> = text.split(' ').collect();
    let [_, day, month, year, time, "GMT"] = parts[..] else {
        return None;
    };
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    format!("{year}-{month:02}-{day}T{time}Z").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_a_number_of_seconds_or_a_date() {
        let now = "2026-11-21T09:30:00Z".parse().expect("a timestamp");
        let seconds = |wait: &str| wait_of(wait, now).map(|wait| wait.as_secs());
        assert_eq!(seconds("120"), Some(120));
        assert_eq!(seconds("Sat, 21 Nov 2026 09:32:05 GMT"), Some(125));
        assert_eq!(seconds("Sun, 22 Nov 2026 09:30:00 GMT"), Some(86_400));
        assert_eq!(seconds("Sat, 21 Nov 2026 09:29:59 GMT"), Some(0));
        for malformed in [
            "",
            "soon",
            "-1",
            "1.5",
            "Sat, 21 Nov 2026 09:32:05",
            "Sat, 21 Nov 2026 09:32:05 CET",
            "Sat, 21 Nov 2026 9:32:05 GMT",
            "Sat, 31 Nov 2026 09:32:05 GMT",
            "Sat, 21 Nix 2026 09:32:05 GMT",
            "Sat Nov 21 09:32:05 2026",
            "2026-11-21T09:32:05Z",
        ] {
            assert_eq!(seconds(malformed), None, "{malformed}");
        }
    }
}
