//! A real server on a free port with its own database, for tests and benchmarks from outside.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;
use crate::workspace::Workspace;
use crate::{dashboard, file, npm, process};

/// Timeout of the start. Without optimisation, a year of demo data takes a minute, and longer on a loaded machine.
const START_SECONDS_MAX: u64 = 600;

/// Initial data of the server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// An empty organisation.
    Empty,
    /// An empty organisation, the demo organisation, and the dashboard.
    Demo,
}

/// Database of a server.
enum ServerDatabase {
    /// A file in the server's folder.
    Sqlite,
    /// A PostgreSQL database that exists until this process closes its standard input.
    Postgres { keeper: Child, address: String },
}

/// A running server; stopped, and its folder removed, when dropped.
pub(crate) struct Server {
    child: Child,
    keeping: ServerDatabase,
    folder: PathBuf,
    address: String,
    program: PathBuf,
    /// Output of `settlekit org create --json`.
    organisation: String,
}

impl ServerDatabase {
    fn postgres(workspace: &Workspace) -> Result<ServerDatabase> {
        npm::install(workspace, "tests")?;
        let name = "settlekit-test-postgres";
        let mut keeper = Command::new(workspace.target.join("debug").join(name))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start `{name}`: {error}"))?;
        let mut address = String::new();
        let printed = keeper.stdout.take().ok_or("a piped output is there")?;
        BufReader::new(printed)
            .read_line(&mut address)
            .map_err(|error| format!("cannot read what `{name}` prints: {error}"))?;
        if address.is_empty() {
            return Err("PostgreSQL did not start; see above".to_owned());
        }
        let address = address.trim().to_owned();
        Ok(ServerDatabase::Postgres { keeper, address })
    }

    /// Master key; with SQLite, the server stores its own beside the file.
    fn key(&self) -> Option<(&'static str, String)> {
        matches!(self, ServerDatabase::Postgres { .. })
            .then(|| ("SETTLEKIT_MASTER_KEY", "5e".repeat(32)))
    }

    /// Value of `--database`.
    fn database(&self, folder: &Path) -> String {
        match self {
            ServerDatabase::Sqlite => format!("sqlite:{}", folder.join("settlekit.db").display()),
            ServerDatabase::Postgres { address, .. } => address.clone(),
        }
    }
}

/// The development server as cargo builds it.
fn program_of(workspace: &Workspace) -> PathBuf {
    workspace.target.join("debug/settlekit")
}

impl Server {
    /// Builds the development server and starts it in sandbox mode.
    pub(crate) fn start(workspace: &Workspace, content: Content) -> Result<Server> {
        Server::build(workspace, content)?;
        Server::spawn(workspace, content, ServerDatabase::Sqlite)?.ready()
    }

    /// Builds the development server; returns its program, for tests that start it themselves.
    pub(super) fn program(workspace: &Workspace) -> Result<PathBuf> {
        Server::build(workspace, Content::Empty)?;
        Ok(program_of(workspace))
    }

    /// [`Server::start`] with [`Content::Empty`] on PostgreSQL.
    pub(super) fn start_on_postgres(workspace: &Workspace) -> Result<Server> {
        Server::build(workspace, Content::Empty)?;
        Server::spawn(
            workspace,
            Content::Empty,
            ServerDatabase::postgres(workspace)?,
        )?
        .ready()
    }

    /// [`Server::start`] for several servers, each with its own database.
    pub(super) fn start_beside(
        workspace: &Workspace,
        content: Content,
        count: usize,
    ) -> Result<Vec<Server>> {
        Server::build(workspace, content)?;
        let started = (0..count).map(|_| Server::spawn(workspace, content, ServerDatabase::Sqlite));
        let started = started.collect::<Result<Vec<_>>>()?;
        started.into_iter().map(Server::ready).collect()
    }

    /// Builds the server and PostgreSQL's keeper together, independent of the content, so that common dependencies are compiled
    /// once.
    fn build(workspace: &Workspace, content: Content) -> Result<()> {
        if content == Content::Demo {
            dashboard::build(workspace)?;
        }
        let mut cargo = workspace.native("build")?;
        cargo.args(["--bin", "settlekit", "--bin", "settlekit-test-postgres"]);
        // Cargo adds the features of dev-dependencies, as for the native tests, only if an example or a test is built.
        process::run(cargo.args(["--example", "look_around"]))
    }

    fn spawn(workspace: &Workspace, content: Content, keeping: ServerDatabase) -> Result<Server> {
        let program = program_of(workspace);
        let folder =
            std::env::temp_dir().join(format!("settlekit-{}-{}", std::process::id(), free_port()?));
        file::create_folder(&folder)?;
        let database = keeping.database(&folder);
        let organisation = process::read(
            Command::new(&program)
                .current_dir(&folder)
                .envs(keeping.key())
                .args(["org", "create", "--database", &database])
                .args(["--name", "Consumer", "--sandbox", "--json"]),
        )?;
        let address = format!("127.0.0.1:{}", free_port()?);
        let unwritten = |error| file::cannot("write in", &folder)(error);
        let printed = File::create(folder.join("server.log")).map_err(unwritten)?;
        let errors = printed.try_clone().map_err(unwritten)?;
        let mut command = Command::new(&program);
        command
            .current_dir(&folder)
            .envs(keeping.key())
            .args(["serve", "--database", &database, "--listen", &address])
            .args(["--sandbox", "--allow-private-webhooks"]);
        // All payers of the specs share an address, and the interface test calls often.
        command.args(["--address-limit", "6000", "--key-limit", "0"]);
        if content == Content::Demo {
            command.arg("--demo");
        }
        command.stdin(Stdio::null()).stdout(printed).stderr(errors);
        let child = command
            .spawn()
            .map_err(|error| format!("cannot start `{}`: {error}", process::line(&command)))?;
        Ok(Server {
            child,
            keeping,
            folder,
            address,
            program,
            organisation: organisation.trim().to_owned(),
        })
    }

    /// Environment variables for the tests.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        // The server prints how to use its demo organisation when it creates it.
        let printed = self.printed();
        let after = |words: &str| {
            let (_, rest) = printed.split_once(words).unwrap_or_default();
            rest.lines().next().unwrap_or_default().trim().to_owned()
        };
        let (email, password) = printed
            .split_once("Sign in with ")
            .and_then(|(_, rest)| rest.lines().next()?.split_once(" and the password: "))
            .unwrap_or_default();
        vec![
            ("SETTLEKIT_EMAIL", email.to_owned()),
            ("SETTLEKIT_PASSWORD", password.trim().to_owned()),
            ("SETTLEKIT_API_KEY", after("API key: ")),
            ("SETTLEKIT_SIGNING_SECRET", after("Signing secret: ")),
            ("SETTLEKIT_URL", format!("http://{}", self.address)),
            ("SETTLEKIT_ORGANISATION", self.organisation.clone()),
            (
                "SETTLEKIT_SERVER_LOG",
                self.folder.join("server.log").display().to_string(),
            ),
            (
                "SETTLEKIT_SERVER_DATABASE",
                self.folder.join("settlekit.db").display().to_string(),
            ),
            ("SETTLEKIT_PROGRAM", self.program.display().to_string()),
        ]
    }

    /// Address of the server, `http://127.0.0.1:4711`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// API key of the empty organisation, with all scopes.
    pub(crate) fn api_key(&self) -> Result<&str> {
        self.made("api_key")
    }

    /// Signing secret of the empty organisation.
    pub(super) fn signing_secret(&self) -> Result<&str> {
        self.made("signing_secret")
    }

    /// Adds a member to the empty organisation; returns the password.
    pub(super) fn add_member(&self, email: &str) -> Result<String> {
        let database = self.keeping.database(&self.folder);
        let words = ["member", "add", "--database", &database, "--name", "Ada"];
        let printed = process::read(
            Command::new(&self.program)
                .current_dir(&self.folder)
                .envs(self.keeping.key())
                .args(words)
                .args(["--email", email, "--org", self.made("org_id")?]),
        )?;
        let password = printed
            .lines()
            .find_map(|line| line.strip_prefix("password: "));
        let password = password.ok_or_else(|| format!("no password was printed: {printed}"))?;
        Ok(password.to_owned())
    }

    fn made(&self, name: &str) -> Result<&str> {
        let (_, rest) = self
            .organisation
            .split_once(&format!("\"{name}\":\""))
            .ok_or_else(|| format!("the organisation was made without {name}"))?;
        Ok(rest.split('"').next().unwrap_or_default())
    }

    fn ready(mut self) -> Result<Server> {
        let since = Instant::now();
        while since.elapsed() < Duration::from_secs(START_SECONDS_MAX) {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(format!("the server ended ({status}): {}", self.printed()));
            }
            if is_healthy(&self.address) {
                return Ok(self);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err(format!(
            "the server did not answer within {START_SECONDS_MAX} s: {}",
            self.printed()
        ))
    }

    fn printed(&self) -> String {
        fs::read_to_string(self.folder.join("server.log")).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let ServerDatabase::Postgres { keeper, .. } = &mut self.keeping {
            drop(keeper.stdin.take());
            let _ = keeper.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A port that is currently free.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    listener
        .map(|address| address.port())
        .map_err(|error| format!("no free port: {error}"))
}

fn is_healthy(address: &str) -> bool {
    let ask = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        stream.write_all(
            format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
                .as_bytes(),
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
}
