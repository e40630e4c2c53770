//! A local HTTP server in the place of price sources.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};

/// Decides the answer to a path: the status line after `HTTP/1.1`, with more headers if any, and the body.
pub type Reply = Arc<dyn Fn(&str) -> (String, String) + Send + Sync>;

/// The server. Ends with the test process.
pub struct PriceHost {
    address: String,
    shared: Arc<Mutex<State>>,
}

struct State {
    reply: Reply,
    paths: Vec<String>,
}

impl PriceHost {
    /// Starts a server that has no prices yet.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address").to_string();
        let shared = Arc::new(Mutex::new(State {
            reply: Arc::new(|_| ("503 Service Unavailable".to_owned(), String::new())),
            paths: Vec::new(),
        }));
        let served = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&served);
                // A broken connection is the client's business.
                std::thread::spawn(move || drop(serve(&shared, &stream)));
            }
        });
        Self { address, shared }
    }

    /// The base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers so from now on.
    pub fn answer(&self, reply: impl Fn(&str) -> (String, String) + Send + Sync + 'static) {
        lock(&self.shared).reply = Arc::new(reply);
    }

    /// Answers everything with one status line and body from now on.
    pub fn answer_all(&self, status: &str, body: &str) {
        let answer = (status.to_owned(), body.to_owned());
        self.answer(move |_| answer.clone());
    }

    /// The paths that were asked for since the last time.
    pub fn take_paths(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.shared).paths)
    }
}

fn lock(shared: &Mutex<State>) -> MutexGuard<'_, State> {
    shared.lock().expect("no thread panicked")
}

fn serve(shared: &Mutex<State>, mut stream: &TcpStream) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let reply = {
        let mut state = lock(shared);
        state.paths.push(path.clone());
        Arc::clone(&state.reply)
    };
    let (status, body) = reply(&path);
    let length = body.len();
    let answer =
        format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
    stream.write_all(answer.as_bytes())
}
