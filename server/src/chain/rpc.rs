//! JSON-RPC 2.0 over HTTP, to one node.
//!
//! The URL of a node may contain a key. Errors name the host only.

use std::fmt;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::{outbound_error, web_client};

pub use super::rpc_error::{RpcError, RpcFailure};

/// Bytes of an error message of a node that are kept.
const MESSAGE_MAX: usize = 200;

/// The longest time that a node may ask us to wait.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(300);

/// The limits of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RpcLimits {
    /// The time until the whole answer is there.
    pub timeout: Duration,
    /// The most bytes of an answer.
    pub response_bytes: usize,
}

impl Default for RpcLimits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(20),
            response_bytes: 64 * 1024 * 1024,
        }
    }
}

/// The HTTP client for nodes, shared by all.
///
/// # Errors
/// If the operating system's trusted certificates cannot be read.
pub fn http_client() -> Result<Client, String> {
    Client::builder()
        // A redirect would carry the key elsewhere.
        .redirect(Policy::none())
        .no_proxy()
        .connect_timeout(Duration::from_secs(5))
        .user_agent(concat!("Settlekit/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(outbound_error::describe)
}

/// The connection to a node.
#[derive(Clone)]
pub struct Rpc {
    client: Client,
    url: Url,
    host: String,
    limits: RpcLimits,
}

impl fmt::Debug for Rpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rpc")
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

/// One response of a batch, or the only one.
#[derive(Deserialize)]
struct Reply<'a> {
    #[serde(default)]
    id: Option<u64>,
    // `null` is a result, too.
    #[serde(default, borrow, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(default)]
    error: Option<ErrorObject>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
struct ErrorObject {
    code: i64,
    #[serde(default)]
    message: Option<String>,
}

impl Rpc {
    /// The connection to the node at a URL of HTTP or HTTPS.
    ///
    /// # Errors
    /// What is wrong with the URL, without the URL.
    pub fn new(client: Client, url: &str, limits: RpcLimits) -> Result<Self, &'static str> {
        let url: Url = url.parse().map_err(|_| "the URL of a node is malformed")?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("the URL of a node starts with https:// or http://");
        }
        let host = url.host_str().ok_or("the URL of a node names no host")?;
        let host = match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        Ok(Self {
            client,
            url,
            host,
            limits,
        })
    }

    /// The node's host, with its port if it is unusual.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Calls a method.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
    ) -> Result<T, RpcError> {
        let body = json!({ "jsonrpc": "2.0", "id": 0, "method": method, "params": params });
        let failed = |failure| self.error(method, failure);
        let bytes = self.exchange(&body).await.map_err(failed)?;
        let reply: Reply<'_> = decode(&bytes).map_err(failed)?;
        self.result(&reply)
            .and_then(|result| decode(result.get().as_bytes()))
            .map_err(failed)
    }

    /// Calls a method several times in one request; the results have the order of the parameters.
    pub(super) async fn batch<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Vec<Value>,
    ) -> Result<Vec<T>, RpcError> {
        let count = params.len();
        if count == 0 {
            return Ok(Vec::new());
        }
        let call = |(id, params)| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let body = Value::Array(params.into_iter().enumerate().map(call).collect());
        let failed = |failure| self.error(method, failure);
        let bytes = self.exchange(&body).await.map_err(failed)?;
        self.in_order(&bytes, count).map_err(failed)
    }

    /// The results of a batch, which a node may answer in any order.
    fn in_order<T: DeserializeOwned>(
        &self,
        bytes: &[u8],
        count: usize,
    ) -> Result<Vec<T>, RpcFailure> {
        // A node that refuses the batch as a whole answers with one object.
        if let Ok(reply) = serde_json::from_slice::<Reply<'_>>(bytes) {
            self.result(&reply)?;
            return Err(RpcFailure::Malformed("one answer to a batch".to_owned()));
        }
        let replies: Vec<Reply<'_>> = decode(bytes)?;
        let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
        for reply in &replies {
            let result = self.result(reply)?;
            let place = reply.id.and_then(|id| usize::try_from(id).ok());
            let Some(place) = place.and_then(|id| results.get_mut(id)) else {
                return Err(RpcFailure::Malformed("an answer to no call".to_owned()));
            };
            if place.replace(decode(result.get().as_bytes())?).is_some() {
                return Err(RpcFailure::Malformed("two answers to a call".to_owned()));
            }
        }
        let results: Option<Vec<T>> = results.into_iter().collect();
        results.ok_or_else(|| RpcFailure::Malformed("a call without an answer".to_owned()))
    }

    fn result<'a>(&self, reply: &Reply<'a>) -> Result<&'a RawValue, RpcFailure> {
        match (&reply.error, reply.result) {
            (Some(error), _) => Err(RpcFailure::Refused {
                code: error.code,
                message: self.shown(error.message.as_deref().unwrap_or_default()),
            }),
            (None, Some(result)) => Ok(result),
            (None, None) => Err(RpcFailure::Malformed("neither result nor error".to_owned())),
        }
    }

    async fn exchange(&self, body: &Value) -> Result<Vec<u8>, RpcFailure> {
        let exchange = async {
            let request = self
                .client
                .post(self.url.clone())
                .header("content-type", "application/json")
                .body(body.to_string());
            let response = request.send().await.map_err(unreachable)?;
            let (status, retry_after) = (response.status(), retry_after(&response));
            let body = self.body(response).await?;
            if status.is_success() {
                return Ok(body);
            }
            // Some nodes answer JSON-RPC errors with a status of their own.
            if status.as_u16() != 429
                && let Ok(reply) = serde_json::from_slice::<Reply<'_>>(&body)
                && reply.error.is_some()
            {
                self.result(&reply)?;
            }
            Err(RpcFailure::Status {
                status: status.as_u16(),
                retry_after,
            })
        };
        match tokio::time::timeout(self.limits.timeout, exchange).await {
            Ok(exchanged) => exchanged,
            Err(_) => Err(RpcFailure::TimedOut(self.limits.timeout)),
        }
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, RpcFailure> {
        let max = self.limits.response_bytes;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
            if body.len() + chunk.len() > max {
                return Err(RpcFailure::TooLarge(max));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// A message of the node as it may be logged: short, on one line, and without the URL's key.
    fn shown(&self, message: &str) -> String {
        let mut message = message.to_owned();
        let secrets = self.url.path_segments().into_iter().flatten();
        let secrets = secrets.chain(self.url.query()).chain(self.url.password());
        for secret in secrets.filter(|secret| secret.len() > 7) {
            message = message.replace(secret, "…");
        }
        shortened(&message)
    }

    /// An error of a call to this node.
    pub(crate) fn error(&self, method: &'static str, failure: RpcFailure) -> RpcError {
        RpcError {
            host: self.host.clone(),
            method,
            failure,
        }
    }
}

fn shortened(text: &str) -> String {
    let printable = text.chars().filter(|letter| !letter.is_control());
    let mut short: String = printable.take(MESSAGE_MAX + 1).collect();
    if short.chars().count() > MESSAGE_MAX {
        short.pop();
        short.push('…');
    }
    short
}

fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, RpcFailure> {
    serde_json::from_slice(bytes).map_err(|error| RpcFailure::Malformed(malformed(&error, bytes)))
}

/// What is wrong with an answer. Prose instead of JSON is common, a page of a proxy above all.
fn malformed(error: &serde_json::Error, bytes: &[u8]) -> String {
    match serde_json::from_slice::<IgnoredAny>(bytes) {
        Ok(_) => shortened(&error.to_string()),
        Err(_) => "not JSON".to_owned(),
    }
}

fn unreachable(error: reqwest::Error) -> RpcFailure {
    RpcFailure::Unreachable(outbound_error::describe(error))
}

/// How long a node asks to wait.
fn retry_after(response: &Response) -> Option<Duration> {
    web_client::retry_after(response).map(|after| after.min(RETRY_AFTER_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rpc(url: &str) -> Result<Rpc, &'static str> {
        let client = http_client().expect("a client");
        Rpc::new(client, url, RpcLimits::default())
    }

    #[tokio::test]
    async fn errors_name_the_host_and_hide_the_key() {
        for url in [
            "http://127.0.0.1:1/v3/0123456789abcdef?token=0123456789abcdef",
            "http://user:0123456789abcdef@127.0.0.1:1/",
        ] {
            let rpc = rpc(url).expect("a URL");
            assert_eq!(rpc.host(), "127.0.0.1:1");
            let error = rpc.latest().await.expect_err("nobody listens there");
            assert!(matches!(error.failure, RpcFailure::Unreachable(_)));
            let text = format!("{error} {error:?} {rpc:?}");
            assert!(
                text.contains("127.0.0.1:1") && !text.contains("0123456789abcdef"),
                "{text}"
            );
            let shown = rpc.shown("the key 0123456789abcdef\nhas no credit");
            assert_eq!(shown, "the key …has no credit");
            assert!(rpc.shown(&"x".repeat(5000)).len() < 300);
        }
    }

    #[test]
    fn a_url_is_of_http_and_names_a_host() {
        for url in [
            "",
            "node.example",
            "wss://node.example/",
            "file:///node",
            "http://",
        ] {
            assert!(rpc(url).is_err(), "{url}");
        }
        let host = |url| rpc(url).map(|rpc| rpc.host().to_owned());
        assert_eq!(
            host("https://node.example/key").as_deref(),
            Ok("node.example")
        );
    }

    #[test]
    fn the_answers_to_a_batch_may_have_any_order_and_each_call_has_one() {
        let rpc = rpc("http://node.example").expect("a URL");
        let read = |text: &str| rpc.in_order::<u64>(text.as_bytes(), 2).ok();
        assert_eq!(
            read(r#"[{"id":1,"result":5},{"id":0,"result":4}]"#),
            Some(vec![4, 5])
        );
        for wrong in [
            "[]",
            "{}",
            "null",
            r#"{"id":0,"result":4}"#,
            r#"[{"id":0,"result":4}]"#,
            r#"[{"id":0,"result":4},{"id":0,"result":5}]"#,
            r#"[{"id":0,"result":4},{"id":2,"result":5}]"#,
            r#"[{"id":0,"result":4},{"result":5}]"#,
            r#"[{"id":0,"result":4},{"id":1}]"#,
            r#"[{"id":0,"result":4},{"id":1,"result":null}]"#,
            r#"[{"id":0,"result":4},{"id":1,"result":5},{"id":1,"result":5}]"#,
            r#"[{"id":0,"result":4},{"id":1,"error":{"code":-1,"message":null}}]"#,
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
