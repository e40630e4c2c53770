//! The command line and the environment: every setting, its default, and why.

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
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program does.
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
    /// People who sign in to the dashboard.
    #[command(subcommand)]
    Member(Member),
    /// Accounts.
    #[command(subcommand)]
    Account(Account),
    /// Copy an SQLite database, as it is at one time, into a new file. A server may use it meanwhile.
    Backup {
        /// Where the data is.
        #[command(flatten)]
        store: Store,
        /// The new file.
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Write an organisation's books as lines of JSON, without secrets. A server may use the database meanwhile.
    Export {
        /// Where the data is.
        #[command(flatten)]
        store: Store,
        /// Whose.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The new file; standard output where none is named.
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
    },
    /// Put an organisation's books into a database that holds none, all or nothing.
    Import {
        /// Where they go.
        #[command(flatten)]
        store: Store,
        /// Create the database for play money; books of the other mode are refused.
        #[arg(long, env = "SETTLEKIT_SANDBOX")]
        sandbox: bool,
        /// The file; standard input where none is named.
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        /// Print JSON for programs instead of lines for people.
        #[arg(long)]
        json: bool,
    },
    /// Recompute every balance from its postings and name each difference.
    Verify(Store),
    /// Print the description of the API (OpenAPI 3.1).
    Openapi,
}

/// What can be done to organisations.
#[derive(Debug, Subcommand)]
pub enum Org {
    /// Make an organisation with its first API key.
    Create {
        /// Where the data is.
        #[command(flatten)]
        store: Store,
        /// Create the database for play money. A database that is there already keeps its mode; a live one is refused.
        #[arg(long, env = "SETTLEKIT_SANDBOX")]
        sandbox: bool,
        /// Its name.
        #[arg(long)]
        name: String,
        /// Make it a sub-merchant of this partner.
        #[arg(long, value_name = "ORG_ID")]
        partner: Option<OrganisationId>,
        /// Allow it to trade over the counter.
        #[arg(long)]
        otc: bool,
        /// Print JSON for programs instead of lines for people.
        #[arg(long)]
        json: bool,
    },
    /// Suspend an organisation: it reads everything, and sells, trades and sends nothing. Money on its way to it is booked.
    Suspend {
        /// Where the data is.
        #[command(flatten)]
        store: Store,
        /// Whom.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// What kind of suspension it is, for people and in the organisation's record.
        #[arg(long, default_value = "Operator")]
        kind: String,
    },
    /// Write down what was found out about an organisation, in your own words; what is not given stays.
    #[command(group(clap::ArgGroup::new("found").required(true).multiple(true)))]
    Review {
        /// Where the data is.
        #[command(flatten)]
        store: Store,
        /// Whom.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// Where the check of its owner stands, such as approved.
        #[arg(long, value_name = "STATUS", group = "found")]
        kyc: Option<String>,
        /// What its company is called.
        #[arg(long, value_name = "NAME", group = "found")]
        company: Option<String>,
        /// What the check of the company came to.
        #[arg(long, value_name = "STATUS", group = "found")]
        kyb: Option<String>,
    },
    /// Lift a suspension.
    Resume {
        /// Where the data is.
        #[command(flatten)]
        store: Store,
        /// Whose.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
    },
}

/// What can be done to accounts.
#[derive(Debug, Subcommand)]
pub enum Account {
    /// Agree on what the service takes, in percent: a service fee is booked with each deposit and payout. What is not given
    /// stays.
    Fees {
        /// Where the data is.
        #[command(flatten)]
        store: Store,
        /// Whose account.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// Which: its number. What is agreed for a virtual account holds for those below it without a percentage of their own.
        #[arg(long, value_name = "ID")]
        account: i64,
        /// Of what comes in, 0 to 100.
        #[arg(long, value_name = "PERCENT", value_parser = str::parse::<Percent>)]
        payin: Option<Percent>,
        /// Of what goes out, 0 to 100.
        #[arg(long, value_name = "PERCENT", value_parser = str::parse::<Percent>)]
        payout: Option<Percent>,
    },
    /// Correct what an account holds, against what the service has taken from its organisation: an adjustment is booked.
    Adjust {
        /// Where the data is.
        #[command(flatten)]
        store: Store,
        /// Whose account.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// Which: its number.
        #[arg(long, value_name = "ID")]
        account: i64,
        /// How much: to the account, or with a minus from it.
        #[arg(long, allow_hyphen_values = true)]
        amount: Amount,
        /// Of what.
        #[arg(long)]
        currency: Currency,
    },
}

/// What can be done to API keys.
#[derive(Debug, Subcommand)]
pub enum Key {
    /// Make another API key. It is shown once.
    Create {
        /// Where the data is.
        #[command(flatten)]
        store: Store,
        /// The organisation it acts for.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// What it is called in lists.
        #[arg(long, default_value = "command line")]
        name: String,
        /// What it may do: `read`, `write`, `payout`, `manage`, several by commas.
        ///
        /// With `payout` its holder can send money out of every account; with `manage` create and revoke keys, read and rotate the
        /// signing secret, and change where webhooks go.
        #[arg(long, value_name = "SCOPE", value_delimiter = ',', default_value = "read,write", value_parser = scope)]
        scope: Vec<Scope>,
        /// Print JSON for programs instead of lines for people.
        #[arg(long)]
        json: bool,
    },
    /// Seal every secret in the database with another master key. Stop every server first, and start them with the new key.
    ///
    /// Where the key stands in a key file, the file is replaced, and the old key is kept beside it with `.old` added to the name:
    /// older backups need it. A rotation that was interrupted is finished by the next command or start.
    RotateMaster {
        /// Where the data is, and the present key.
        #[command(flatten)]
        store: Store,
        /// The new key: 64 hex digits. One is made where the present key stands in a key file.
        #[arg(
            long,
            env = "SETTLEKIT_NEW_MASTER_KEY",
            hide_env_values = true,
            value_name = "HEX"
        )]
        new_master_key: Option<MasterKey>,
    },
}

/// What can be done to members.
#[derive(Debug, Subcommand)]
pub enum Member {
    /// Let somebody sign in, without an invitation. Whoever is in invites others in the dashboard.
    Add {
        /// Where the data is.
        #[command(flatten)]
        store: Store,
        /// For which organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// What they sign in with.
        #[arg(long)]
        email: String,
        /// What they are called.
        #[arg(long)]
        name: String,
        /// What they may do: `owner` everything, `operator` all but keys, settings and members, `viewer` look.
        #[arg(long, default_value = "owner", value_parser = role)]
        role: Role,
        /// Read the password from the first line of standard input. Without this one is made, and shown once.
        #[arg(long)]
        password_stdin: bool,
        /// Print JSON for programs instead of lines for people.
        #[arg(long)]
        json: bool,
    },
    /// Give somebody who forgot theirs another password, and end their sessions.
    Password {
        /// Where the data is.
        #[command(flatten)]
        store: Store,
        /// What they sign in with.
        #[arg(long)]
        email: String,
        /// Read the password from the first line of standard input. Without this one is made, and shown once.
        #[arg(long)]
        password_stdin: bool,
        /// Print JSON for programs instead of lines for people.
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

/// Where the data is, and the key to its secrets.
#[derive(Clone, Debug, Args)]
pub struct Store {
    /// `sqlite:FILE`, made when it is not there, or `postgres://user:password@host/name`.
    ///
    /// SQLite needs nothing else and is right for one machine; PostgreSQL when several machines serve the same data.
    /// `?sslmode=require` encrypts the connection to PostgreSQL and checks its certificate; a server on another machine
    /// is reached without encryption only with `?sslmode=disable`.
    #[arg(
        long,
        env = "SETTLEKIT_DATABASE",
        hide_env_values = true,
        default_value = "sqlite:settlekit.db"
    )]
    pub database: Address,

    /// The key that seals secrets in the database: 64 hex digits.
    ///
    /// Without it the key stands in the key file. A lost key loses the signing secrets and webhook keys.
    #[arg(
        long,
        env = "SETTLEKIT_MASTER_KEY",
        hide_env_values = true,
        value_name = "HEX"
    )]
    pub master_key: Option<MasterKey>,

    /// Where that key stands otherwise: by default beside the file of SQLite, with `.key` added to its name.
    ///
    /// Made together with a new database. With PostgreSQL there is no default: give the key, or name this file.
    #[arg(long, env = "SETTLEKIT_KEY_FILE", value_name = "FILE")]
    pub key_file: Option<PathBuf>,
}

/// The settings of `settlekit serve`.
#[derive(Clone, Debug, Args)]
pub struct Serve {
    /// Where the data is.
    #[command(flatten)]
    pub store: Store,

    /// The address to listen on.
    ///
    /// Only this machine reaches the default: TLS belongs in front, in the proxy that the world reaches.
    #[arg(long, env = "SETTLEKIT_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Where payers and merchants reach the service, `https://pay.example.com`; links to pages are made from it.
    ///
    /// By default the address listened on. With `https` the cookie is secure and browsers are told to insist.
    #[arg(long, env = "SETTLEKIT_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,

    /// Play money on simulated chains, a test wallet and a movable clock: for a database created in this mode.
    ///
    /// A database keeps the mode it was created in, sandbox or live, and is refused in the other.
    #[arg(long, env = "SETTLEKIT_SANDBOX")]
    pub sandbox: bool,

    /// Let webhooks go to plain http and to private addresses: for development only.
    ///
    /// Otherwise a merchant could make the server call what only the server can reach.
    #[arg(long, env = "SETTLEKIT_ALLOW_PRIVATE_WEBHOOKS")]
    pub allow_private_webhooks: bool,

    /// How many requests a minute one API key or one session may make; 0 for as many as it likes.
    ///
    /// Each process counts for itself. Who asks too often is told by 429, `Retry-After` and the `RateLimit` headers.
    #[arg(long, env = "SETTLEKIT_KEY_LIMIT", default_value_t = 6000)]
    pub key_limit: u32,

    /// The same for one address without either: sign-in and the payers' pages.
    #[arg(long, env = "SETTLEKIT_ADDRESS_LIMIT", default_value_t = 600)]
    pub address_limit: u32,

    /// How many connections may be open at once; by default what the limit of open files leaves, 16384 at most.
    ///
    /// That limit (`ulimit -n`) is raised to its hard maximum at the start.
    #[arg(long, env = "SETTLEKIT_MAX_CONNECTIONS", value_name = "COUNT")]
    pub max_connections: Option<NonZeroUsize>,

    /// How many of them one address may have (of IPv6 one /64); by default a quarter, 1024 at most; 0 for as many as it likes.
    ///
    /// Behind a proxy all connections are the proxy's: then there is no such limit here, and it is the proxy's to set.
    #[arg(
        long,
        env = "SETTLEKIT_MAX_CONNECTIONS_PER_ADDRESS",
        value_name = "COUNT"
    )]
    pub max_connections_per_address: Option<usize>,

    /// An address of its own for `/metrics`, which is open there: one that only the monitoring reaches.
    ///
    /// Without it and without a token there is no `/metrics`.
    #[arg(long, env = "SETTLEKIT_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,

    /// The token with which `/metrics` is read at the main address: `Authorization: Bearer …`, 16 characters or more.
    #[arg(
        long,
        env = "SETTLEKIT_METRICS_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN"
    )]
    pub metrics_token: Option<MetricsToken>,

    /// Take callers' addresses from the end of `X-Forwarded-For`: right only behind a proxy that writes it.
    #[arg(long, env = "SETTLEKIT_BEHIND_PROXY")]
    pub behind_proxy: bool,

    /// Add a year of a merchant's business, once, and print how to sign in. Needs `--sandbox`.
    #[arg(long, env = "SETTLEKIT_DEMO", requires = "sandbox")]
    pub demo: bool,

    /// How to write the log, on standard error.
    #[arg(long, env = "SETTLEKIT_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// What to log: a level, or levels per part, as in `info,settlekit_server=debug`.
    ///
    /// `info` writes a line per request. No level writes a key, a secret or a body: what libraries write below `info` is left out.
    #[arg(long, env = "SETTLEKIT_LOG", default_value = "info")]
    pub log: String,
}

impl Serve {
    /// How often a caller may ask.
    pub fn limits(&self) -> Limits {
        Limits {
            key: NonZeroU32::new(self.key_limit),
            address: NonZeroU32::new(self.address_limit),
            behind_proxy: self.behind_proxy,
        }
    }

    /// How many connections there may be, and how long each may take.
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

    /// The address of the service as others see it, without a slash at the end.
    pub fn public_url(&self) -> String {
        match &self.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("http://{}", self.listen),
        }
    }
}

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object per line.
    Json,
}

/// What reads the metrics. Its text is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct MetricsToken([u8; 32]);

impl MetricsToken {
    /// Whether a text is the token. Digests are compared, so that the time taken tells nothing of it.
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

/// The key that seals secrets at rest. Its text is never printed.
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
            // Not the text itself: it may be most of a key.
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
            // `sqlite:///var/x.db` is how other programs write an absolute path.
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
