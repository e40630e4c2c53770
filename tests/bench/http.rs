//! Deposits over HTTP: a listening server on a database file, with many concurrent connections.
//!
//! The callers run in the same process on the same processors, so they are minimal: each writes a request to its keep-alive
//! connection, waits for the complete response, and then writes the next. A full HTTP client would take CPU time from the
//! measured server.

use std::path::Path;
use std::time::{Instant, SystemTime};

use serde_json::json;
use settlekit_core::header;
use settlekit_core::value::Timestamp;
use settlekit_server::engine::Address;
use settlekit_server::limit::Limits;
use settlekit_server::{Setup, build};
use settlekit_service::store::sqlite::Sqlite;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::deliveries::resident;
use crate::listening::Listening;
use crate::{median, open_shop, row};

const CALLERS: u32 = 64;
const EACH: u32 = 50;
const ROUNDS: usize = 3;

pub(crate) fn run() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let rounds = |callers| {
        let rounds = (0..ROUNDS).map(|_| runtime.block_on(deposits(callers, EACH)));
        median(rounds.collect())
    };
    let alone = rounds(1);
    let together = rounds(CALLERS);
    let before = resident();
    rounds(CALLERS);
    let after = resident();
    row(
        &format!("deposits over HTTP into a file, {CALLERS} callers at once"),
        &format!("{together:.0}/s"),
        &format!("one caller, each waiting for the disk, {alone:.0}/s"),
        together / alone,
    );
    row(
        "memory of server and callers after as many deposits again",
        &format!("{after:.0} MB"),
        &format!("after those, {before:.0} MB"),
        after / before,
    );
}

pub(crate) fn setup(file: &Path) -> Setup {
    Setup {
        database: Address::Sqlite(file.to_owned()),
        master_key: "0".repeat(64).parse().expect("a key"),
        public_url: "http://localhost".to_owned(),
        mode: settlekit_service::Mode::Sandbox,
        allow_private_webhooks: true,
        limits: Limits::NONE,
        connections: Default::default(),
        metrics_token: None,
    }
}

/// Creates the file with an organisation; returns its API key.
pub(crate) fn shop_in(file: &Path) -> String {
    let mut database = Sqlite::open(file).expect("a file");
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .expect("a clock that is set");
    open_shop(
        &mut database,
        Timestamp::from_millis(i64::try_from(since.as_millis()).expect("a timestamp")),
    )
}

async fn deposits(callers: u32, each: u32) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bench.db");
    let key = shop_in(&file);
    let server = build(&setup(&file)).expect("a server");
    let listening = Listening::start(server).await;
    let host = listening
        .base
        .strip_prefix("http://")
        .expect("plain HTTP")
        .to_owned();
    let request = |path: &str, body: serde_json::Value| {
        let body = body.to_string();
        format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\n{}: {key}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            header::API_KEY,
            body.len()
        )
    };
    let account = json!({ "reference": "main", "chain_id": 1, "currencies": ["USDC"] });
    let account = request("/v1/accounts", account);
    Caller::connect(&host).await.call(account.as_bytes()).await;
    let deposit = json!({ "account": "main", "chain_id": 1, "currency": "USDC", "amount": "1.5" });
    let deposit = request("/v1/sandbox/deposits", deposit);
    let mut open = Vec::new();
    for _ in 0..callers {
        open.push(Caller::connect(&host).await);
    }
    let since = Instant::now();
    let tasks: Vec<_> = open
        .into_iter()
        .map(|mut caller| {
            let deposit = deposit.clone();
            tokio::spawn(async move {
                for _ in 0..each {
                    caller.call(deposit.as_bytes()).await;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("every deposit is answered");
    }
    let rate = f64::from(callers * each) / since.elapsed().as_secs_f64();
    listening.end().await;
    rate
}

/// A keep-alive connection with its read buffer.
struct Caller {
    stream: TcpStream,
    came: Vec<u8>,
}

impl Caller {
    async fn connect(host: &str) -> Self {
        let stream = TcpStream::connect(host).await.expect("a connection");
        stream.set_nodelay(true).expect("set");
        Self {
            stream,
            came: Vec::with_capacity(4096),
        }
    }

    /// Writes a request and reads its complete response, which must be a success.
    async fn call(&mut self, request: &[u8]) {
        self.stream.write_all(request).await.expect("sent");
        self.came.clear();
        while !is_whole(&self.came) {
            let read = self.stream.read_buf(&mut self.came).await;
            assert!(read.expect("an answer") > 0, "the answer broke off");
        }
        assert!(
            self.came.starts_with(b"HTTP/1.1 20"),
            "{}",
            String::from_utf8_lossy(&self.came)
        );
    }
}

/// Whether a response is complete, by its `Content-Length`.
fn is_whole(came: &[u8]) -> bool {
    const LENGTH: &[u8] = b"content-length: ";
    let find = |what: &[u8]| came.windows(what.len()).position(|found| found == what);
    let Some(head) = find(b"\r\n\r\n") else {
        return false;
    };
    let length = find(LENGTH).expect("the length of the answer") + LENGTH.len();
    let digits = came[length..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    let length = digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0'));
    came.len() >= head + 4 + length
}
