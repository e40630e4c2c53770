//! Connections that block others: silent, slow, too many, and attacks on HTTP/2.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use axum::Router;
use settlekit_core::header;
use settlekit_core::overview::LIVE;
use settlekit_server::connection::ConnectionLimits;
use settlekit_server::{Setup, build};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::server::listening::Listening;
use crate::server::{call, create_organisation, metrics, setup_on};

/// Far longer than any step here takes.
const PATIENCE: Duration = Duration::from_secs(60);

const SHORT: Duration = Duration::from_millis(200);

fn short() -> ConnectionLimits {
    ConnectionLimits {
        first_bytes: SHORT,
        head: SHORT,
        body: SHORT,
        idle: 3 * SHORT,
        write: SHORT,
        linger: SHORT,
        ..ConnectionLimits::default()
    }
}

struct Place {
    router: Router,
    listening: Listening,
    key: String,
    _folder: tempfile::TempDir,
}

impl Place {
    async fn start(connections: ConnectionLimits) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let setup = Setup {
            connections,
            ..setup_on(&folder.path().join("book.db"))
        };
        let made = setup.clone();
        let made = tokio::task::spawn_blocking(move || create_organisation(&made, "Shop"));
        let key = made.await.expect("no panic").api_key;
        let server = tokio::task::spawn_blocking(move || build(&setup));
        let server = server.await.expect("no panic").expect("a server");
        Self {
            router: server.router(),
            listening: Listening::start(server).await,
            key,
            _folder: folder,
        }
    }

    fn address(&self) -> &str {
        self.listening
            .base
            .strip_prefix("http://")
            .expect("a scheme")
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address())
            .await
            .expect("a connection")
    }

    /// A metric of the server, read in process without a connection.
    async fn metric(&self, name: &str) -> u64 {
        let received = metrics(&self.router).await;
        let line = received
            .text()
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name} ")));
        line.expect(name).parse().expect("a number")
    }

    async fn wait_for_connections(&self, count: u64) {
        let since = Instant::now();
        while self.metric("settlekit_connections").await != count {
            assert!(
                since.elapsed() < PATIENCE,
                "not {count} connections in time"
            );
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Asserts that all connections are closed and that a new one is answered; stops the server.
    async fn ends_idle(self) {
        self.wait_for_connections(0).await;
        self.is_healthy().await;
        self.listening.end().await;
    }

    async fn is_healthy(&self) {
        let mut stream = self.connect().await;
        let asked = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        stream.write_all(asked).await.expect("a request");
        let answer = read_all(&mut stream).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

/// Reads until the peer closes or resets.
async fn read_bytes(mut stream: impl AsyncRead + Unpin) -> Vec<u8> {
    let mut all = Vec::new();
    let mut piece = vec![0; 64 << 10];
    let reading = async {
        while let Ok(read @ 1..) = stream.read(&mut piece).await {
            all.extend_from_slice(&piece[..read]);
        }
    };
    let ended = timeout(PATIENCE, reading).await;
    ended.expect("the other end closes");
    all
}

/// [`read_bytes`] as text; ignores invalid UTF-8.
async fn read_all(stream: &mut TcpStream) -> String {
    String::from_utf8_lossy(&read_bytes(stream).await).into_owned()
}

/// Writes the same bytes until the peer closes.
async fn flood(stream: &mut TcpStream, bytes: &[u8]) {
    let writing = async { while stream.write_all(bytes).await.is_ok() {} };
    timeout(PATIENCE, writing)
        .await
        .expect("the other end closes");
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_and_stalled_connections_are_closed() {
    let place = Place::start(short()).await;
    let mut open = Vec::new();
    for begun in [
        "",
        "P",
        "PRI * HT",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET",
        "GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ",
    ] {
        let mut stream = place.connect().await;
        stream
            .write_all(begun.as_bytes())
            .await
            .expect("a beginning");
        open.push(stream);
    }
    // An idle connection after an answer.
    let mut answered = place.connect().await;
    answered
        .write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .expect("a request");
    open.push(answered);
    for mut stream in open {
        read_all(&mut stream).await;
    }
    place.ends_idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_request_head_times_out() {
    let place = Place::start(short()).await;
    let mut stream = place.connect().await;
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\nx-slow: ")
        .await
        .expect("a beginning");
    let since = Instant::now();
    while stream.write_all(b"a").await.is_ok() {
        assert!(since.elapsed() < PATIENCE, "it is waited for");
        sleep(SHORT / 10).await;
    }
    place.ends_idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_body_times_out_with_a_reason() {
    let place = Place::start(short()).await;
    let mut stream = place.connect().await;
    let head = b"POST /v1/sessions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{";
    stream.write_all(head).await.expect("a head");
    let answer = read_all(&mut stream).await;
    assert!(
        answer.starts_with("HTTP/1.1 400") && answer.contains("the body did not arrive"),
        "{answer}"
    );
    place.listening.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unread_response_closes_its_connection() {
    let place = Place::start(short()).await;
    let mut stream = place.connect().await;
    // More requests than all buffers hold, without reading any answer.
    let asked = b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(100);
    // The server stops reading when it cannot write.
    let _written = timeout(SHORT, stream.write_all(&asked)).await;
    place.ends_idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_per_address_are_limited() {
    let limits = ConnectionLimits {
        connections: NonZeroUsize::new(5),
        connections_of_address: Some(3),
        ..ConnectionLimits::default()
    };
    let place = Place::start(limits).await;
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(place.connect().await);
    }
    place.wait_for_connections(3).await;
    for _ in 0..10 {
        read_all(&mut place.connect().await).await;
    }
    assert_eq!(
        place.metric("settlekit_connections_refused_total").await,
        10
    );
    open.pop();
    place.wait_for_connections(2).await;
    place.is_healthy().await;
    place.wait_for_connections(2).await;
    // The total limit applies to all addresses.
    open.push(place.connect().await);
    place.wait_for_connections(3).await;
    drop(open);
    place.ends_idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_stream_outlives_the_idle_timeouts() {
    let place = Place::start(short()).await;
    let mut stream = place.connect().await;
    let key = &place.key;
    let asked = format!(
        "GET {LIVE} HTTP/1.1\r\nhost: x\r\n{}: {key}\r\n\r\n",
        header::API_KEY
    );
    stream.write_all(asked.as_bytes()).await.expect("a request");
    let mut heard = String::new();
    let mut piece = vec![0; 64 << 10];
    let mut hear = async |events: usize| {
        while heard.matches("data: ").count() < events {
            let read = timeout(PATIENCE, stream.read(&mut piece))
                .await
                .expect("an event in time");
            let read = read.expect("a connection");
            assert_ne!(read, 0, "it was closed: {heard}");
            heard.push_str(&String::from_utf8_lossy(&piece[..read]));
        }
    };
    hear(1).await;
    // The same over HTTP/2, with a client that answers pings.
    let client = reqwest::Client::builder().no_proxy();
    let client = client.http2_prior_knowledge().build().expect("a client");
    let asked = client
        .get(format!("{}{LIVE}", place.listening.base))
        .header(header::API_KEY, key);
    let mut over_http2 = asked.send().await.expect("an answer");
    assert_eq!(over_http2.status(), 200);
    over_http2
        .chunk()
        .await
        .expect("a connection")
        .expect("an event");
    sleep(6 * SHORT).await;
    let account = serde_json::json!({ "name": "Till", "chain_id": 8453, "currencies": ["USDC"] });
    call(&place.router, key, "POST", "/accounts", account).await;
    hear(2).await;
    let event = timeout(PATIENCE, over_http2.chunk())
        .await
        .expect("an event in time");
    event.expect("a connection").expect("an event");
    drop((over_http2, client));
    place.listening.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unanswered_ping_closes_the_connection() {
    let place = Place::start(short()).await;
    let mut stream = http2(&place, &[]).await;
    let mut headers = get_headers(LIVE);
    for text in [header::API_KEY, &place.key] {
        if text == header::API_KEY {
            headers.push(0);
        }
        headers.push(u8::try_from(text.len()).expect("a short text"));
        headers.extend_from_slice(text.as_bytes());
    }
    let asked = get_frame(1, &headers);
    stream.write_all(&asked).await.expect("a request");
    let received = read_all(&mut stream).await;
    assert!(
        received.contains("data: "),
        "the stream was open: {received}"
    );
    place.ends_idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_sends_too_large_a_body_reads_the_reason() {
    let place = Place::start(ConnectionLimits::default()).await;
    let url = format!("{}/v1/sessions", place.listening.base);
    // A client with Expect: 100-continue.
    let mut stream = place.connect().await;
    let head = b"POST /v1/sessions HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 9999999\r\n\r\n";
    stream.write_all(head).await.expect("a head");
    let answer = read_all(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    for size in [17 << 10, 3 << 20, 12 << 20] {
        // A client that writes everything before it reads.
        let mut stream = place.connect().await;
        let head = format!(
            "POST /v1/sessions HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {size}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.expect("a head");
        let body = vec![b' '; size];
        timeout(PATIENCE, stream.write_all(&body))
            .await
            .expect("in time")
            .expect("all is taken");
        let answer = read_all(&mut stream).await;
        assert!(
            answer.starts_with("HTTP/1.1 413") && answer.contains("BODY_TOO_LARGE"),
            "{size}: {answer}"
        );
        for client in [
            reqwest::Client::builder(),
            reqwest::Client::builder().http2_prior_knowledge(),
        ] {
            let client = client.no_proxy().build().expect("a client");
            let answer = client.post(&url).body(body.clone()).send().await;
            assert_eq!(answer.expect("an answer").status(), 413, "{size}");
        }
    }
    place.listening.end().await;
}

/// An HTTP/2 frame (RFC 9113, section 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len())
        .expect("a short payload")
        .to_be_bytes();
    let mut frame = vec![length[1], length[2], length[3], kind, flags];
    frame.extend_from_slice(&stream.to_be_bytes());
    frame.extend_from_slice(payload);
    frame
}

const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const CONTINUATION: u8 = 9;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// `GET` of a path, with the static table only (RFC 7541).
fn get_headers(path: &str) -> Vec<u8> {
    let mut headers = vec![0x82, 0x86, 0x01, 1, b'x', 0x04];
    headers.push(u8::try_from(path.len()).expect("a short path"));
    headers.extend_from_slice(path.as_bytes());
    headers
}

/// A whole request without a body.
fn get_frame(stream: u32, headers: &[u8]) -> Vec<u8> {
    frame(HEADERS, END_STREAM | END_HEADERS, stream, headers)
}

async fn http2(place: &Place, settings: &[u8]) -> TcpStream {
    let mut stream = place.connect().await;
    let mut begun = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    begun.extend(frame(SETTINGS, 0, 0, settings));
    stream.write_all(&begun).await.expect("a beginning");
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn rapid_resets_close_the_connection() {
    let place = Place::start(ConnectionLimits::default()).await;
    let mut stream = http2(&place, &[]).await;
    let mut resets = Vec::new();
    for number in 0..20_000 {
        let id = 2 * number + 1;
        resets.extend(get_frame(id, &get_headers("/healthz")));
        resets.extend(frame(RST_STREAM, 0, id, &8u32.to_be_bytes()));
    }
    let (read, mut write) = stream.split();
    let flooding = async {
        // The server closes during the write.
        let _written = write.write_all(&resets).await;
    };
    let both = async { tokio::join!(flooding, read_bytes(read)) };
    timeout(PATIENCE, both).await.expect("it is cut off");
    place.ends_idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_continuation_frames_close_the_connection() {
    let place = Place::start(ConnectionLimits::default()).await;
    let mut stream = http2(&place, &[]).await;
    let begun = frame(HEADERS, END_STREAM, 1, &get_headers("/healthz"));
    stream.write_all(&begun).await.expect("headers");
    // A one-kilobyte header, repeated.
    let mut header = vec![0, 1, b'x', 0x7f, 0x81, 0x07];
    header.extend_from_slice(&[b'y'; 1024]);
    flood(&mut stream, &frame(CONTINUATION, 0, 1, &header)).await;
    place.ends_idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_ping_and_settings_acknowledgements_close_the_connection() {
    let place = Place::start(short()).await;
    for one in [frame(PING, 0, 0, &[0; 8]), frame(SETTINGS, 0, 0, &[])] {
        let mut stream = http2(&place, &[]).await;
        flood(&mut stream, &one.repeat(1_000)).await;
        place.wait_for_connections(0).await;
        place.is_healthy().await;
    }
    place.listening.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_pings_and_settings_close_the_connection() {
    let limits = ConnectionLimits {
        spare_bytes: 64 << 10,
        // Frequent checks, but not an idle timeout.
        head: SHORT,
        ..ConnectionLimits::default()
    };
    let place = Place::start(limits).await;
    for one in [frame(PING, 0, 0, &[0; 8]), frame(SETTINGS, 0, 0, &[])] {
        let stream = http2(&place, &[]).await;
        let (read, mut write) = stream.into_split();
        let flooding = async move { while write.write_all(&one.repeat(1_000)).await.is_ok() {} };
        let both = async { tokio::join!(flooding, read_bytes(read)) };
        timeout(PATIENCE, both).await.expect("it is cut off");
        place.wait_for_connections(0).await;
        place.is_healthy().await;
    }
    place.listening.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_flow_control_window_closes_the_connection() {
    let place = Place::start(short()).await;
    // SETTINGS_INITIAL_WINDOW_SIZE is 0.
    let mut stream = http2(&place, &[0, 4, 0, 0, 0, 0]).await;
    let mut asked = Vec::new();
    for number in 0..50 {
        let id = 2 * number + 1;
        asked.extend(get_frame(id, &get_headers("/openapi.json")));
    }
    stream.write_all(&asked).await.expect("requests");
    // Answers pings, without opening a window.
    let (read, mut write) = stream.split();
    let alive = async {
        while write.write_all(&frame(PING, 1, 0, &[0; 8])).await.is_ok() {
            sleep(SHORT / 4).await
        }
    };
    let both = async { tokio::join!(alive, read_bytes(read)) };
    timeout(PATIENCE, both).await.expect("it is cut off");
    place.ends_idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_http2_connection_gets_goaway() {
    let place = Place::start(short()).await;
    let received = read_bytes(http2(&place, &[]).await).await;
    let mut kinds = Vec::new();
    let mut rest = received.as_slice();
    while let [a, b, c, kind, ..] = rest {
        kinds.push(*kind);
        let length = usize::from(*a) << 16 | usize::from(*b) << 8 | usize::from(*c);
        rest = &rest[(9 + length).min(rest.len())..];
    }
    assert!(kinds.contains(&GOAWAY), "{kinds:?}");
    place.listening.end().await;
}
