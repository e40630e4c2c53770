//! The command line and the environment: all settings, with defaults and reasons.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use settlekit_core::member::Role;
use settlekit_core::operation::Scope;
use settlekit_core::value::{Amount, Currency, OrganisationId, Param};
use settlekit_service::admin::Percent;
use sha2::{Digest, Sha256};

use crate::connection::ConnectionLimits;
use crate::engine::Address;
use crate::limit::Limits;

/// A self-hosted merchant payments and settlement service.
#[derive(Debug, Parser)]
#[command(name = "settlekit", version, max_term_width = 100)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API, the dashboard and the payers' pages, and deliver webhooks.
    Serve(Serve),
    /// Organisations.
    #[command(subcommand)]
    Org(Org),
    /// API keys.
    #[command(subcommand)]
    Key(Key),
    /// Members, who sign in to the dashboard.
    #[command(subcommand)]
    Member(Member),
    /// Accounts.
    #[command(subcommand)]
    Account(Account),
    /// Copy a snapshot of an SQLite database into a new file. A server may use the database at the same time.
    Backup {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The new file.
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Export an organisation's books as JSON lines, without secrets. A server may use the database at the same time.
    Export {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The new file; standard output by default.
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
    },
    /// Import an organisation's books into an empty database, all or nothing.
    Import {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Create the database in sandbox mode; books of the other mode are refused.
        #[arg(long, env = "SETTLEKIT_SANDBOX")]
        sandbox: bool,
        /// The file; standard input by default.
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        /// Print JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Audit the books: recompute every balance from its postings and report each difference.
    Verify(Store),
    /// Print the description of the API (OpenAPI 3.1).
    Openapi,
}

/// Commands for organisations.
#[derive(Debug, Subcommand)]
pub enum Org {
    /// Create an organisation with its first API key.
    Create {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Create the database in sandbox mode. An existing one keeps its mode; a live one is refused.
        #[arg(long, env = "SETTLEKIT_SANDBOX")]
        sandbox: bool,
        /// The name.
        #[arg(long)]
        name: String,
        /// The partner that manages the organisation as a sub-merchant.
        #[arg(long, value_name = "ORG_ID")]
        partner: Option<OrganisationId>,
        /// Allow OTC trading.
        #[arg(long)]
        otc: bool,
        /// Print JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Suspend an organisation: it can read, but not sell, trade or send. Incoming money is still booked.
    Suspend {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The kind of suspension, as shown in the organisation's record.
        #[arg(long, default_value = "Operator")]
        kind: String,
    },
    /// Record the reviews of an organisation, in your own words; omitted ones stay unchanged.
    #[command(group(clap::ArgGroup::new("found").required(true).multiple(true)))]
    Review {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The KYC status of its owner, such as approved.
        #[arg(long, value_name = "STATUS", group = "found")]
        kyc: Option<String>,
        /// The company's name.
        #[arg(long, value_name = "NAME", group = "found")]
        company: Option<String>,
        /// The KYB status of the company.
        #[arg(long, value_name = "STATUS", group = "found")]
        kyb: Option<String>,
    },
    /// Lift a suspension.
    Resume {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
    },
}

/// Commands for accounts.
#[derive(Debug, Subcommand)]
pub enum Account {
    /// Set the service's fees in percent, booked with each deposit and payout. An omitted fee stays unchanged.
    Fees {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The account's id. Fees of a virtual account apply to its sub-accounts without fees of their own.
        #[arg(long, value_name = "ID")]
        account: i64,
        /// The fee on deposits, 0 to 100.
        #[arg(long, value_name = "PERCENT", value_parser = str::parse::<Percent>)]
        payin: Option<Percent>,
        /// The fee on payouts, 0 to 100.
        #[arg(long, value_name = "PERCENT", value_parser = str::parse::<Percent>)]
        payout: Option<Percent>,
    },
    /// Adjust an account's balance against the service's revenue from its organisation.
    Adjust {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The account's id.
        #[arg(long, value_name = "ID")]
        account: i64,
        /// The amount: positive credits the account, negative debits it.
        #[arg(long, allow_hyphen_values = true)]
        amount: Amount,
        /// The currency.
        #[arg(long)]
        currency: Currency,
    },
}

/// Commands for API keys.
#[derive(Debug, Subcommand)]
pub enum Key {
    /// Create another API key. It is shown once.
    Create {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The name in lists.
        #[arg(long, default_value = "command line")]
        name: String,
        /// The scopes: `read`, `write`, `payout`, `manage`, separated by commas.
        ///
        /// With `payout` its holder can send money out of every account; with `manage` create and revoke keys, read and rotate
        /// the signing secret, and change where webhooks go.
        #[arg(long, value_name = "SCOPE", value_delimiter = ',', default_value = "read,write", value_parser = scope)]
        scope: Vec<Scope>,
        /// Print JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Seal every secret in the database with a new master key. Stop all servers first, and start them with the new key.
    ///
    /// If the key is in a key file, the file is replaced, and the old key is kept next to it with the suffix `.old`: older
    /// backups need it. The next command or start completes an interrupted rotation.
    RotateMaster {
        /// The database, and the current key.
        #[command(flatten)]
        store: Store,
        /// The new key: 64 hex digits. Generated if the current key is in a key file.
        #[arg(
            long,
            env = "SETTLEKIT_NEW_MASTER_KEY",
            hide_env_values = true,
            value_name = "HEX"
        )]
        new_master_key: Option<MasterKey>,
    },
}

/// Commands for members.
#[derive(Debug, Subcommand)]
pub enum Member {
    /// Add a member without an invitation. Members invite others in the dashboard.
    Add {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The e-mail address to sign in with.
        #[arg(long)]
        email: String,
        /// The name.
        #[arg(long)]
        name: String,
        /// The role: `owner` can do everything, `operator` all but keys, settings and members, `viewer` only read.
        #[arg(long, default_value = "owner", value_parser = role)]
        role: Role,
        /// Read the password from the first line of standard input. By default one is generated and shown once.
        #[arg(long)]
        password_stdin: bool,
        /// Print JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Set a new password for a member and end their sessions.
    Password {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The e-mail address to sign in with.
        #[arg(long)]
        email: String,
        /// Read the password from the first line of standard input. By default one is generated and shown once.
        #[arg(long)]
        password_stdin: bool,
        /// Print JSON instead of text.
        #[arg(long)]
        json: bool,
    },
}

fn scope(text: &str) -> Result<Scope, String> {
    Scope::from_wire(text).ok_or_else(|| "a scope is read, write, payout or manage".to_owned())
}

fn role(text: &str) -> Result<Role, String> {
    Role::from_text(text).map_err(|(_, message)| format!("a role {message}"))
}

/// The database, and the key to its secrets.
#[derive(Clone, Debug, Args)]
pub struct Store {
    /// `sqlite:FILE`, created if missing, or `postgres://user:password@host/name`.
    ///
    /// SQLite needs nothing else and suits a single machine; PostgreSQL lets several machines serve the same data.
    /// `?sslmode=require` encrypts the connection to PostgreSQL and verifies its certificate; a server on another machine is
    /// accepted without encryption only with `?sslmode=disable`.
    #[arg(
        long,
        env = "SETTLEKIT_DATABASE",
        hide_env_values = true,
        default_value = "sqlite:settlekit.db"
    )]
    pub database: Address,

    /// The master key, which seals secrets in the database: 64 hex digits.
    ///
    /// By default it is in the key file. Without it the signing secrets and webhook keys are lost.
    #[arg(
        long,
        env = "SETTLEKIT_MASTER_KEY",
        hide_env_values = true,
        value_name = "HEX"
    )]
    pub master_key: Option<MasterKey>,

    /// The key file: by default next to the SQLite file, with the suffix `.key`.
    ///
    /// Created together with a new database. PostgreSQL has no default: give the key, or name this file.
    #[arg(long, env = "SETTLEKIT_KEY_FILE", value_name = "FILE")]
    pub key_file: Option<PathBuf>,
}

/// The settings of `settlekit serve`.
#[derive(Clone, Debug, Args)]
pub struct Serve {
    /// The database.
    #[command(flatten)]
    pub store: Store,

    /// The address to listen on.
    ///
    /// The default is reachable from this machine only: put a TLS proxy in front.
    #[arg(long, env = "SETTLEKIT_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// The public base URL, `https://pay.example.com`; links to pages start with it.
    ///
    /// By default the listening address. With `https`, cookies are secure and HSTS is on.
    #[arg(long, env = "SETTLEKIT_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,

    /// Sandbox mode: play money on simulated chains, a test wallet and a movable clock.
    ///
    /// A database keeps the mode it was created in, sandbox or live, and is refused in the other.
    #[arg(long, env = "SETTLEKIT_SANDBOX")]
    pub sandbox: bool,

    /// Allow webhooks to plain http and to private addresses, for development only.
    ///
    /// Otherwise a merchant could make the server call its internal network.
    #[arg(long, env = "SETTLEKIT_ALLOW_PRIVATE_WEBHOOKS")]
    pub allow_private_webhooks: bool,

    /// Requests per minute of one API key or session; 0 for no limit.
    ///
    /// Each process counts on its own. Over the limit the answer is 429 with `Retry-After` and the `RateLimit` headers.
    #[arg(long, env = "SETTLEKIT_KEY_LIMIT", default_value_t = 6000)]
    pub key_limit: u32,

    /// Requests per minute of one address without key and session (sign-in, checkout); 0 for no limit.
    #[arg(long, env = "SETTLEKIT_ADDRESS_LIMIT", default_value_t = 600)]
    pub address_limit: u32,

    /// Maximum open connections; by default as many as the open-file limit permits, at most 16384.
    ///
    /// The open-file limit (`ulimit -n`) is raised to its hard maximum at the start.
    #[arg(long, env = "SETTLEKIT_MAX_CONNECTIONS", value_name = "COUNT")]
    pub max_connections: Option<NonZeroUsize>,

    /// Maximum connections per address (IPv6: per /64); by default a quarter of all, at most 1024; 0 for no limit.
    ///
    /// Not applied behind a proxy, from which all connections come: set the limit there.
    #[arg(
        long,
        env = "SETTLEKIT_MAX_CONNECTIONS_PER_ADDRESS",
        value_name = "COUNT"
    )]
    pub max_connections_per_address: Option<usize>,

    /// A separate address for `/metrics` without a token: make it reachable for monitoring only.
    ///
    /// Without this address and without a token there is no `/metrics`.
    #[arg(long, env = "SETTLEKIT_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,

    /// The token for `/metrics` at the main address: `Authorization: Bearer …`, 16 characters or more.
    #[arg(
        long,
        env = "SETTLEKIT_METRICS_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN"
    )]
    pub metrics_token: Option<MetricsToken>,

    /// Take callers' addresses from the end of `X-Forwarded-For`: only behind a proxy that sets it.
    #[arg(long, env = "SETTLEKIT_BEHIND_PROXY")]
    pub behind_proxy: bool,

    /// Create a demo merchant with a year of business, once, and print how to sign in. Needs `--sandbox`.
    #[arg(long, env = "SETTLEKIT_DEMO", requires = "sandbox")]
    pub demo: bool,

    /// The format of the log on standard error.
    #[arg(long, env = "SETTLEKIT_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// The log level, or levels per module, as in `info,settlekit_server=debug`.
    ///
    /// `info` writes a line per request. No level logs a key, a secret or a body: messages of libraries below `info` are omitted.
    #[arg(long, env = "SETTLEKIT_LOG", default_value = "info")]
    pub log: String,
}

impl Serve {
    /// The rate limits.
    pub fn limits(&self) -> Limits {
        Limits {
            key: NonZeroU32::new(self.key_limit),
            address: NonZeroU32::new(self.address_limit),
            behind_proxy: self.behind_proxy,
        }
    }

    /// The limits of connections.
    pub fn connections(&self) -> ConnectionLimits {
        ConnectionLimits {
            connections: self.max_connections,
            connections_of_address: if self.behind_proxy {
                Some(0)
            } else {
                self.max_connections_per_address
            },
            ..ConnectionLimits::default()
        }
    }

    /// The public base URL, without a trailing slash.
    pub fn public_url(&self) -> String {
        match &self.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("http://{}", self.listen),
        }
    }
}

/// The format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Text lines.
    Text,
    /// One JSON object per line.
    Json,
}

/// The token for the metrics. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct MetricsToken([u8; 32]);

impl MetricsToken {
    /// Whether a text is the token. Compares digests, so that the duration reveals nothing.
    pub(crate) fn is(&self, text: &[u8]) -> bool {
        self.0 == <[u8; 32]>::from(Sha256::digest(text))
    }
}

impl std::fmt::Debug for MetricsToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MetricsToken")
    }
}

impl FromStr for MetricsToken {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.len() < 16 || !text.bytes().all(|letter| letter.is_ascii_graphic()) {
            return Err(
                "a token for the metrics is 16 or more letters, digits and signs".to_owned(),
            );
        }
        Ok(Self(Sha256::digest(text).into()))
    }
}

/// The key that seals secrets at rest. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct MasterKey(pub [u8; 32]);

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey")
    }
}

impl FromStr for MasterKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let mut key = [0; 32];
        if text.len() != 64 || !text.bytes().all(|letter| letter.is_ascii_hexdigit()) {
            // Not the text itself: it may contain most of a key.
            return Err(
                "a master key is 64 hex digits, as `openssl rand -hex 32` prints them".to_owned(),
            );
        }
        for (byte, pair) in key.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digit = |letter: u8| char::from(letter).to_digit(16).unwrap_or(0) as u8;
            *byte = digit(pair[0]) << 4 | digit(pair[1]);
        }
        Ok(Self(key))
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        match text.strip_prefix("sqlite:") {
            Some("" | ":memory:") => {
                Err("`sqlite:` needs the name of a file, as in sqlite:settlekit.db".to_owned())
            }
            // `sqlite:///var/x.db` is the usual form of an absolute path.
            Some(path) => Ok(Self::Sqlite(PathBuf::from(
                path.strip_prefix("//").unwrap_or(path),
            ))),
            None => Err("a database is sqlite:FILE or postgres://…".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_a_file_or_a_server() {
        let address = |text: &str| text.parse::<Address>().ok();
        assert_eq!(
            address("sqlite:a/b.db"),
            Some(Address::Sqlite("a/b.db".into()))
        );
        assert_eq!(
            address("sqlite:///a/b.db"),
            Some(Address::Sqlite("/a/b.db".into()))
        );
        assert_eq!(
            address("postgres://x/y"),
            Some(Address::Postgres("postgres://x/y".to_owned()))
        );
        for odd in [
            "",
            "sqlite:",
            "sqlite::memory:",
            "mysql://x",
            "settlekit.db",
        ] {
            assert_eq!(address(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_master_key_is_64_hex_digits_and_never_printed() {
        let key: MasterKey = format!(" {}0A\n", "00".repeat(31)).parse().expect("a key");
        assert_eq!(key.0[31], 10);
        assert_eq!(format!("{key:?}"), "MasterKey");
        for odd in ["", "00", &"g".repeat(64), &"é".repeat(32)] {
            assert!(odd.parse::<MasterKey>().is_err(), "{odd}");
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
        let cli = Cli::try_parse_from([
            "settlekit",
            "serve",
            "--database",
            "sqlite:x.db",
            "--listen",
            "127.0.0.1:0",
            "--sandbox",
        ]);
        let Ok(Cli {
            command: Command::Serve(serve),
        }) = cli
        else {
            panic!("{cli:?}")
        };
        assert!(serve.sandbox && !serve.demo);
    }
}
