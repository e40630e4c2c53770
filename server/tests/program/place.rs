//! Fixtures: a folder with a database, a server in it, and requests to one.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::SystemTime;

use serde_json::{Value, json};
use settlekit_core::sign::{self, Nonce};
use settlekit_core::value::Timestamp;
use settlekit_core::{PREFIX, header};
use settlekit_tests::postgres;

const PROGRAM: &str = env!("CARGO_BIN_EXE_settlekit");

/// A quiet server in sandbox mode, on a free port.
pub(crate) const SERVE: [&str; 6] = [
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--sandbox",
    "--log",
    "error",
];

pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) database: String,
    is_live: bool,
}

impl Place {
    /// SQLite's file is `book.db` in the folder.
    pub(crate) fn sqlite() -> Self {
        Self::on("sqlite:book.db".to_owned())
    }

    pub(crate) fn postgres() -> Self {
        Self::on(postgres::database())
    }

    fn on(database: String) -> Self {
        Self::within(&std::env::temp_dir(), database)
    }

    /// A subfolder of another folder, with a database that may be elsewhere.
    pub(crate) fn within(folder: &Path, database: String) -> Self {
        let folder = tempfile::tempdir_in(folder).expect("a folder");
        Self {
            folder,
            database,
            is_live: false,
        }
    }

    /// As [`Place::sqlite`], for real money.
    pub(crate) fn live() -> Self {
        Self {
            is_live: true,
            ..Self::sqlite()
        }
    }

    /// As [`Place::postgres`], for real money.
    pub(crate) fn live_postgres() -> Self {
        Self {
            is_live: true,
            ..Self::postgres()
        }
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .current_dir(self.folder.path())
            .args(words)
            .env_clear()
            .env("SETTLEKIT_DATABASE", &self.database);
        // Databases are created in sandbox mode.
        if !self.is_live {
            command.env("SETTLEKIT_SANDBOX", "true");
        }
        // SQLite's key file is next to the database.
        if self.database.starts_with("postgres") {
            command.env("SETTLEKIT_MASTER_KEY", "7".repeat(64));
        }
        command
    }

    /// As [`Place::command`], run by a shell after a command of its own.
    pub(crate) fn command_after(&self, shell: &str, words: &[&str]) -> Command {
        let inner = self.command(words);
        let set = inner
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?)));
        let mut command = Command::new("sh");
        command
            .current_dir(self.folder.path())
            .env_clear()
            .envs(set)
            .args(["-c", &format!("{shell}; exec \"$0\" \"$@\"")])
            .arg(inner.get_program())
            .args(inner.get_args());
        command
    }

    /// Runs a command with text on its standard input.
    pub(crate) fn run_with_input(&self, words: &[&str], input: &str) -> Output {
        let mut child = self
            .command(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut pipe = child.stdin.take().expect("a pipe was asked for");
        // A failing command may stop reading early.
        let _written = pipe.write_all(input.as_bytes());
        drop(pipe);
        child.wait_with_output().expect("the program ends")
    }

    pub(crate) fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("the program runs")
    }

    /// Runs a command that prints JSON.
    pub(crate) fn json(&self, words: &[&str]) -> Value {
        let output = self.run(words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    pub(crate) fn organisation(&self) -> Organisation {
        self.organisation_with(&[])
    }

    /// As [`Place::organisation`], with more arguments.
    pub(crate) fn organisation_with(&self, more: &[&str]) -> Organisation {
        let words = ["org", "create", "--name", "Acme", "--json"];
        let made = self.json(&[&words, more].concat());
        let field = |name: &str| made[name].as_str().expect(name).to_owned();
        Organisation {
            id: field("org_id"),
            key: field("api_key"),
            secret: field("signing_secret"),
        }
    }

    /// Asserts that all balances equal their postings.
    pub(crate) fn is_sound(&self) {
        let output = self.run(&["verify"]);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}");
    }
}

/// An organisation created by `settlekit org create`.
pub(crate) struct Organisation {
    pub(crate) id: String,
    pub(crate) key: String,
    pub(crate) secret: String,
}

/// The error of a failed command: one line that starts with `error:`, exit code 1.
pub(crate) fn refused(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("text");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.starts_with("error: ") && text.trim_end().lines().count() == 1,
        "{text}"
    );
    text
}

/// A server process; killed on drop.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(place: &Place) -> Self {
        Self::start_with(place, &[])
    }

    /// As [`Server::start`], with more arguments.
    pub(crate) fn start_with(place: &Place, more: &[&str]) -> Self {
        let words = [SERVE.as_slice(), &["--allow-private-webhooks"], more].concat();
        Self::of(&mut place.command(&words))
    }

    /// A quiet server in live mode.
    pub(crate) fn live(place: &Place) -> Self {
        let words = ["serve", "--listen", "127.0.0.1:0", "--log", "error"];
        Self::of(&mut place.command(&words))
    }

    /// Starts a server by a command.
    pub(crate) fn of(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe was asked for"))
            .read_line(&mut line)
            .expect("a line");
        let address = line
            .trim()
            .strip_prefix("Settlekit is at http://")
            .expect("its address")
            .to_owned();
        Self { child, address }
    }

    pub(crate) fn signal(&self, name: &str) {
        let process = self.child.id().to_string();
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &process])
            .status()
            .expect("kill runs");
        assert!(sent.success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have exited already.
        let _killed = self.child.kill();
        let _ended = self.child.wait();
    }
}

pub(crate) fn request(key: &str, method: &str, path: &str, body: &Value) -> http::Request<Vec<u8>> {
    let body = if body.is_null() {
        Vec::new()
    } else {
        body.to_string().into_bytes()
    };
    http::Request::builder()
        .method(method)
        .uri(format!("{PREFIX}{path}"))
        .header(header::API_KEY, key)
        .body(body)
        .expect("a request")
}

/// A response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Value,
}

impl Answer {
    /// The cookies it sets, as names and values.
    pub(crate) fn cookies(&self) -> Vec<String> {
        let lines = self.head.lines();
        let set = lines.filter_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next());
        set.map(str::to_owned).collect()
    }
}

/// Sends one request.
pub(crate) fn answer_of(address: &str, request: &http::Request<Vec<u8>>) -> Answer {
    exchange(address, request).expect("a whole answer")
}

/// Sends one request on a new connection; `None` without a complete response.
pub(crate) fn ask(address: &str, request: &http::Request<Vec<u8>>) -> Option<(u16, Value)> {
    let answer = exchange(address, request)?;
    Some((answer.status, answer.body))
}

fn exchange(address: &str, request: &http::Request<Vec<u8>>) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).ok()?;
    let mut head = format!(
        "{} {} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n",
        request.method(),
        request.uri(),
        request.body().len()
    );
    for (name, value) in request.headers() {
        head.push_str(&format!("{name}: {}\r\n", value.to_str().ok()?));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(request.body()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer {
        status,
        head: head.to_owned(),
        body: serde_json::from_str(body).ok()?,
    })
}

/// Sends a request that must succeed.
pub(crate) fn call(address: &str, key: &str, method: &str, path: &str, body: Value) -> Value {
    let (status, answer) = sent(address, key, method, path, &body);
    assert!(status < 300, "{method} {path}: {status} {answer}");
    answer["data"].clone()
}

/// Sends a request; returns the status and the body of the answer.
pub(crate) fn sent(
    address: &str,
    key: &str,
    method: &str,
    path: &str,
    body: &Value,
) -> (u16, Value) {
    ask(address, &request(key, method, path, body)).expect("a whole answer")
}

/// Signs a request with the time of the machine.
pub(crate) fn sign(request: &mut http::Request<Vec<u8>>, made: &Organisation) {
    sign::sign(request, &made.secret, Nonce::new(now(), [7; 10]));
}

/// The time of the machine.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let since = since.expect("a clock that is set");
    Timestamp::from_millis(i64::try_from(since.as_millis()).expect("a timestamp"))
}

/// A sandbox deposit on Base to an account, by its reference.
pub(crate) fn deposit(address: &str, key: &str, account: &str, currency: &str, amount: &str) {
    let body =
        json!({ "account": account, "chain_id": 8453, "currency": currency, "amount": amount });
    call(address, key, "POST", "/sandbox/deposits", body);
}

pub(crate) fn total(address: &str, key: &str, path: &str) -> u64 {
    call(address, key, "GET", path, Value::Null)["total"]
        .as_u64()
        .expect("a total")
}

/// The balances of a currency.
pub(crate) fn posted(address: &str, key: &str, currency: &str) -> Option<String> {
    let overview = call(address, key, "GET", "/overview", Value::Null);
    let mut balances = overview["balances"].as_array()?.iter();
    let found = balances.find(|balance| balance["currency"] == currency)?;
    found["posted"].as_str().map(str::to_owned)
}

/// Waits for a condition.
pub(crate) fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);
    let since = std::time::Instant::now();
    while !is_so() {
        assert!(since.elapsed() < PATIENCE, "not in time: {what}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
