//! The program from outside: what it prints, how it fails, what is left after it was killed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use settlekit_core::{PREFIX, header};

const PROGRAM: &str = env!("CARGO_BIN_EXE_settlekit");

/// How often the server is killed under load; `SETTLEKIT_KILLS` says otherwise.
const KILLS: u32 = 1000;

fn settlekit(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.current_dir(folder).args(words).env_clear();
    command
}

fn run(folder: &Path, words: &[&str]) -> Output {
    settlekit(folder, words).output().expect("the program runs")
}

/// A failure is one line that starts with `error:`, and the exit code 1.
fn refused(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("text");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.starts_with("error: ") && text.trim_end().lines().count() == 1,
        "{text}"
    );
    text
}

struct Organisation {
    id: String,
    api_key: String,
}

fn create_organisation(folder: &Path) -> Organisation {
    let words = [
        "org",
        "create",
        "--database",
        "sqlite:book.db",
        "--name",
        "Acme",
        "--json",
    ];
    let output = run(folder, &words);
    let made: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let field = |name: &str| made[name].as_str().expect(name).to_owned();
    assert!(field("org_id").starts_with("org_") && field("signing_secret").starts_with("ss_"));
    Organisation {
        id: field("org_id"),
        api_key: field("api_key"),
    }
}

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let words = [
            "serve",
            "--database",
            "sqlite:book.db",
            "--listen",
            "127.0.0.1:0",
            "--sandbox",
            "--log",
            "warn",
        ];
        let mut child = settlekit(folder, &words)
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

    fn signal(&self, name: &str) {
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
        // It may have ended already.
        let _killed = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// One request on a connection of its own; `None` when no whole answer came.
fn ask(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Option<(u16, serde_json::Value)> {
    let mut stream = TcpStream::connect(address).ok()?;
    let mut request =
        format!("{method} {PREFIX}{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, serde_json::from_str(body).ok()?))
}

#[test]
fn an_organisation_is_made_once_and_its_key_opens_the_api() {
    let folder = tempfile::tempdir().expect("a folder");
    let organisation = create_organisation(folder.path());
    let server = Server::start(folder.path());
    let key = (header::API_KEY, organisation.api_key.as_str());
    let (status, answer) = ask(&server.address, "GET", "/orgs", &[key], "").expect("an answer");
    assert_eq!(
        (status, answer["data"]["name"].as_str()),
        (200, Some("Acme")),
        "{answer}"
    );
    let (status, _) = ask(
        &server.address,
        "GET",
        "/orgs",
        &[(header::API_KEY, "sk_wrong")],
        "",
    )
    .expect("an answer");
    assert_eq!(status, 401);
}

/// Adds a member whose password is given, or made when none is.
fn add_member(folder: &Path, organisation: &str, email: &str, password: Option<&str>) -> Output {
    let words = [
        "member",
        "add",
        "--database",
        "sqlite:book.db",
        "--org",
        organisation,
        "--email",
        email,
        "--name",
        "Ada",
        "--json",
    ];
    let mut command = settlekit(folder, &words);
    let Some(password) = password else {
        return command.output().expect("the program runs");
    };
    let mut child = command
        .arg("--password-stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe was asked for");
    writeln!(input, "{password}").expect("the password is taken");
    drop(input);
    child.wait_with_output().expect("the program ends")
}

#[test]
fn a_member_is_added_and_signs_in_with_the_password_given_or_made() {
    const PASSWORD: &str = "a door that opens quietly";
    let folder = tempfile::tempdir().expect("a folder");
    let organisation = create_organisation(folder.path()).id;
    let add = |email, password| add_member(folder.path(), &organisation, email, password);

    let made = add("Ada@shop.example", None);
    let made: serde_json::Value = serde_json::from_slice(&made.stdout).expect("JSON");
    assert_eq!(
        (&made["email"], &made["role"]),
        (&"ada@shop.example".into(), &"owner".into())
    );
    let given = add("otto@shop.example", Some(PASSWORD));
    let told = String::from_utf8(given.stdout).expect("text");
    assert!(given.status.success() && !told.contains(PASSWORD), "{told}");

    for (organisation, email, password, complaint) in [
        (
            &*organisation,
            "ada@shop.example",
            PASSWORD,
            "signs in already",
        ),
        (&*organisation, "nobody", PASSWORD, "e-mail address"),
        (&*organisation, "eve@shop.example", "short", "at least 12"),
        (
            "org_019cade5a0007000800000000000dead",
            "eve@shop.example",
            PASSWORD,
            "no organisation",
        ),
    ] {
        let refused = refused(&add_member(
            folder.path(),
            organisation,
            email,
            Some(password),
        ));
        assert!(refused.contains(complaint), "{refused}");
    }

    let server = Server::start(folder.path());
    for (email, password) in [
        ("ada@shop.example", made["password"].as_str().expect("text")),
        ("otto@shop.example", PASSWORD),
    ] {
        let body = serde_json::json!({ "email": email, "password": password }).to_string();
        let answer = ask(&server.address, "POST", "/sessions", &[], &body).expect("an answer");
        assert_eq!(answer.0, 201, "{}", answer.1);
    }
}

#[test]
fn an_interrupt_and_a_termination_end_it_well() {
    let folder = tempfile::tempdir().expect("a folder");
    for signal in ["INT", "TERM"] {
        let mut server = Server::start(folder.path());
        server.signal(signal);
        assert_eq!(
            server.child.wait().expect("an end").code(),
            Some(0),
            "{signal}"
        );
    }
}

#[test]
fn a_second_server_on_the_port_is_refused_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let words = [
        "serve",
        "--database",
        "sqlite:other.db",
        "--listen",
        &server.address,
    ];
    let text = refused(&run(folder.path(), &words));
    assert!(
        text.contains(&server.address) && text.contains("--listen"),
        "{text}"
    );
    assert!(
        !folder.path().join("other.db").exists() && !folder.path().join("other.db.key").exists()
    );
}

#[test]
fn what_cannot_be_opened_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(
        folder.path().join("garbage.db"),
        "no database at all. ".repeat(100),
    )
    .expect("a file");
    let key = "0".repeat(64);
    let cases = [
        ("sqlite:garbage.db", "restore it from a backup"),
        ("sqlite:no/folder.db", "make the folder"),
        ("postgres://nobody@127.0.0.1:1/nothing", "start the server"),
    ];
    for (database, advice) in cases {
        for command in [
            &["serve", "--listen", "127.0.0.1:0"][..],
            &["org", "create", "--name", "Acme"],
            &["verify"],
        ] {
            let words: Vec<&str> = command
                .iter()
                .copied()
                .chain(["--database", database, "--master-key", &key])
                .collect();
            let text = refused(&run(folder.path(), &words));
            assert!(text.contains(advice), "{words:?}: {text}");
        }
    }
}

#[test]
fn a_database_without_its_key_is_not_served() {
    let folder = tempfile::tempdir().expect("a folder");
    create_organisation(folder.path());
    std::fs::remove_file(folder.path().join("book.db.key")).expect("the key, lost");
    let words = [
        "serve",
        "--database",
        "sqlite:book.db",
        "--listen",
        "127.0.0.1:0",
    ];
    let text = refused(&run(folder.path(), &words));
    assert!(text.contains("book.db.key"), "{text}");
    let other = "0".repeat(64);
    let words: Vec<&str> = words.into_iter().chain(["--master-key", &other]).collect();
    let text = refused(&run(folder.path(), &words));
    assert!(text.contains("not the master key"), "{text}");
}

/// What was sent under one idempotency key: the amount is the number of the deposit.
struct Load<'a> {
    key: &'a str,
    next: AtomicU64,
    /// Sent and not answered with success: to be sent again after the restart.
    open: Mutex<Vec<u64>>,
    /// Answered with success.
    done: Mutex<Vec<u64>>,
}

impl Load<'_> {
    /// Makes deposits until the server is gone.
    fn run(&self, address: &str) {
        loop {
            let again = self.open.lock().expect("no panic").pop();
            let number = again.unwrap_or_else(|| self.next.fetch_add(1, Ordering::Relaxed));
            match self.deposit(address, number) {
                Some((201, _)) => self.done.lock().expect("no panic").push(number),
                Some((503, _)) => self.open.lock().expect("no panic").push(number),
                Some((status, answer)) => panic!("deposit {number}: {status} {answer}"),
                None => {
                    self.open.lock().expect("no panic").push(number);
                    return;
                }
            }
        }
    }

    fn deposit(&self, address: &str, number: u64) -> Option<(u16, serde_json::Value)> {
        let once = format!("deposit-{number}");
        let headers = [
            (header::API_KEY, self.key),
            (header::IDEMPOTENCY_KEY, once.as_str()),
        ];
        let body =
            format!(r#"{{"account":"main","chain_id":1,"currency":"USDC","amount":"{number}"}}"#);
        ask(address, "POST", "/sandbox/deposits", &headers, &body)
    }
}

#[test]
fn what_was_answered_with_success_survives_being_killed_and_nothing_is_there_twice() {
    let kills =
        std::env::var("SETTLEKIT_KILLS").map_or(KILLS, |kills| kills.parse().expect("a count"));
    let folder = tempfile::tempdir().expect("a folder");
    let organisation = create_organisation(folder.path());
    let key = organisation.api_key.as_str();
    let load = Load {
        key,
        next: AtomicU64::new(1),
        open: Mutex::default(),
        done: Mutex::default(),
    };

    let server = Server::start(folder.path());
    let account = r#"{"name":"Main","reference":"main","chain_id":1,"currencies":["USDC"]}"#;
    let (status, answer) = ask(
        &server.address,
        "POST",
        "/accounts",
        &[(header::API_KEY, key)],
        account,
    )
    .expect("an answer");
    assert_eq!(status, 201, "{answer}");
    drop(server);

    for kill in 1..=u64::from(kills) {
        let server = Server::start(folder.path());
        let before = load.done.lock().expect("no panic").len() as u64;
        std::thread::scope(|scope| {
            let senders: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| load.run(&server.address)))
                .collect();
            // Killed after a few answers, another number each time, always in the middle of others.
            while (load.done.lock().expect("no panic").len() as u64) < before + 1 + kill % 7
                && !senders.iter().all(|sender| sender.is_finished())
            {
                std::thread::yield_now();
            }
            server.signal("KILL");
        });
    }

    let server = Server::start(folder.path());
    let open = std::mem::take(&mut *load.open.lock().expect("no panic"));
    for number in open {
        let (status, answer) = load.deposit(&server.address, number).expect("an answer");
        assert_eq!(status, 201, "{answer}");
    }
    let sent = load.next.load(Ordering::Relaxed) - 1;
    let path = "/accounts/1/movement?limit=1";
    let (_, answer) =
        ask(&server.address, "GET", path, &[(header::API_KEY, key)], "").expect("an answer");
    assert_eq!(
        answer["data"]["total"].as_u64(),
        Some(sent),
        "deposits lost or made twice: {answer}"
    );
    drop(server);

    let verified = run(folder.path(), &["verify", "--database", "sqlite:book.db"]);
    assert!(
        verified.status.success(),
        "{}",
        String::from_utf8_lossy(&verified.stdout)
    );
}
