//! The command line and the environment: every setting, its default, and why.

mod chain;
mod exchange;
mod price;
mod store;
mod venue;
mod wallet_link;

pub use chain::{Chain, ChainToken, Confirmations, Limit, Token, Wallet};
pub use exchange::{Exchange, FoundOutcome, Market, OrderSide, Switch};
pub use price::{FeedOption, OnChain, Price};
pub use store::{MasterKey, Store};
pub use venue::{Venue, VenueContracts};
pub use wallet_link::WalletLink;

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
    /// Serve the API, the dashboard and the payment pages, and deliver webhooks.
    Serve(Serve),
    /// Manage organisations.
    #[command(subcommand)]
    Org(Org),
    /// Manage API keys.
    #[command(subcommand)]
    Key(Key),
    /// Manage the people who sign in to the dashboard.
    #[command(subcommand)]
    Member(Member),
    /// Manage accounts.
    #[command(subcommand)]
    Account(Account),
    /// Connect chains.
    #[command(subcommand)]
    Chain(Chain),
    /// Manage the hot wallet.
    #[command(subcommand)]
    Wallet(Wallet),
    /// Choose the wallets that payers on a phone are offered.
    #[command(subcommand)]
    WalletLink(WalletLink),
    /// Connect sources of prices.
    #[command(subcommand)]
    Price(Price),
    /// Connect exchanges on chains.
    #[command(subcommand)]
    Venue(Venue),
    /// Connect accounts at exchanges.
    #[command(subcommand)]
    Exchange(Exchange),
    /// Copy an SQLite database into a new file, as a consistent snapshot. Servers may keep running.
    Backup {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The file to create.
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Export an organisation's books as JSON Lines, without secrets. Servers may keep running.
    Export {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The file to create; standard output by default.
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
    },
    /// Import an organisation's books into a database without organisations, all or nothing.
    Import {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Create a sandbox database; books of the other mode are rejected.
        #[arg(long, env = "SETTLEKIT_SANDBOX")]
        sandbox: bool,
        /// The file to read; standard input by default.
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Recompute every balance from its postings and print each difference.
    Verify {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Also compare the books with the connected chains: the balance of each proxy, derived address, hot wallet and watched
        /// address of a merchant at the latest settled block.
        #[arg(long)]
        chain: bool,
        /// Also fail if any balance or chain was not compared. Wallets that merchants have connected within the last hour don't count.
        #[arg(long, requires = "chain")]
        complete: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the OpenAPI 3.1 document of the API.
    Openapi,
}

/// The commands on organisations.
#[derive(Debug, Subcommand)]
pub enum Org {
    /// Create an organisation and its first API key.
    Create {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Create a sandbox database if there is none. An existing database keeps its mode; a live one is rejected.
        #[arg(long, env = "SETTLEKIT_SANDBOX")]
        sandbox: bool,
        /// The organisation's name.
        #[arg(long)]
        name: String,
        /// The partner, if the organisation is a sub-merchant.
        #[arg(long, value_name = "ORG_ID")]
        partner: Option<OrganisationId>,
        /// Enable over-the-counter (OTC) trading.
        #[arg(long)]
        otc: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Suspend an organisation: it can read everything, but not sell, trade or send. Incoming money is still credited.
    Suspend {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The kind of suspension, stored with the organisation.
        #[arg(long, default_value = "Operator")]
        kind: String,
    },
    /// Record the result of an organisation's verification, in your own words. Omitted options stay unchanged.
    #[command(group(clap::ArgGroup::new("found").required(true).multiple(true)))]
    Review {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The status of the owner's verification, such as approved.
        #[arg(long, value_name = "STATUS", group = "found")]
        kyc: Option<String>,
        /// The company's name.
        #[arg(long, value_name = "NAME", group = "found")]
        company: Option<String>,
        /// The status of the company's verification.
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

/// The commands on accounts.
#[derive(Debug, Subcommand)]
pub enum Account {
    /// Set an account's service fees, charged on each deposit and payout. Omitted fees stay unchanged.
    Fees {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The account's number. Sub-accounts without fees of their own inherit those of their virtual account.
        #[arg(long, value_name = "ID")]
        account: i64,
        /// The fee on deposits, 0 to 100.
        #[arg(long, value_name = "PERCENT", value_parser = str::parse::<Percent>)]
        payin: Option<Percent>,
        /// The fee on payouts, 0 to 100.
        #[arg(long, value_name = "PERCENT", value_parser = str::parse::<Percent>)]
        payout: Option<Percent>,
    },
    /// Post an adjustment to an account, against the fees that the service has taken from its organisation.
    Adjust {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The account's number.
        #[arg(long, value_name = "ID")]
        account: i64,
        /// The amount to add; negative to take from the account.
        #[arg(long, allow_hyphen_values = true)]
        amount: Amount,
        /// The currency.
        #[arg(long)]
        currency: Currency,
    },
}

/// The commands on API keys.
#[derive(Debug, Subcommand)]
pub enum Key {
    /// Create an API key. It is shown once.
    Create {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The organisation that the key acts for.
        #[arg(long, value_name = "ORG_ID")]
        org: OrganisationId,
        /// The key's name.
        #[arg(long, default_value = "command line")]
        name: String,
        /// The scopes, separated by commas: `read`, `write`, `payout`, `manage`.
        ///
        /// `payout` can send money out of every account. `manage` can create and revoke keys, read and rotate the signing
        /// secret, and change where webhooks go.
        #[arg(long, value_name = "SCOPE", value_delimiter = ',', default_value = "read,write", value_parser = scope)]
        scope: Vec<Scope>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Re-encrypt every secret in the database with a new master key. Stop all servers first; restart them with the new key.
    ///
    /// A key file is replaced, and the old key is kept beside it with the suffix `.old`: older backups need it. The next
    /// command or start finishes an interrupted rotation.
    RotateMaster {
        /// The database and the current key.
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

/// The commands on members.
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
        /// The email address to sign in with.
        #[arg(long)]
        email: String,
        /// The member's name.
        #[arg(long)]
        name: String,
        /// The role: `owner` (everything), `operator` (all but keys, settings and members) or `viewer` (read only).
        #[arg(long, default_value = "owner", value_parser = role)]
        role: Role,
        /// Also let the member operate the installation: see its chains, nodes and hot wallets, and act on them as an owner.
        #[arg(long)]
        operator: bool,
        /// Read the password from the first line of standard input. By default one is generated and shown once.
        #[arg(long)]
        password_stdin: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Let a member operate the installation: see its chains, nodes and hot wallets, and act on them as an owner.
    Operator {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The email address to sign in with.
        #[arg(long)]
        email: String,
        /// No longer let the member operate the installation.
        #[arg(long)]
        remove: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Reset a member's password and end their sessions.
    Password {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The email address to sign in with.
        #[arg(long)]
        email: String,
        /// Read the password from the first line of standard input. By default one is generated and shown once.
        #[arg(long)]
        password_stdin: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

fn scope(text: &str) -> Result<Scope, String> {
    Scope::from_wire(text).ok_or_else(|| "must be read, write, payout or manage".to_owned())
}

fn role(text: &str) -> Result<Role, String> {
    Role::from_text(text).map_err(|(_, message)| format!("a role {message}"))
}

/// The settings of `settlekit serve`.
#[derive(Clone, Debug, Args)]
pub struct Serve {
    /// The database.
    #[command(flatten)]
    pub store: Store,

    /// The address to listen on.
    ///
    /// The default is reachable from this machine only. Terminate TLS in a proxy in front of it.
    #[arg(long, env = "SETTLEKIT_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// The URL at which payers and merchants reach the service, such as `https://pay.example.com`. Links start with it.
    ///
    /// By default the listen address. With `https`, cookies are `Secure` and HSTS is sent.
    #[arg(long, env = "SETTLEKIT_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,

    /// Sandbox mode: simulated chains and money, a test wallet and a clock that can be moved forward.
    ///
    /// A database keeps the mode it was created in, sandbox or live, and is rejected in the other.
    #[arg(long, env = "SETTLEKIT_SANDBOX")]
    pub sandbox: bool,

    /// Allow webhooks to plain http and to private addresses. For development only.
    ///
    /// Merchants could make the server call internal systems (SSRF).
    #[arg(long, env = "SETTLEKIT_ALLOW_PRIVATE_WEBHOOKS")]
    pub allow_private_webhooks: bool,

    /// Requests per minute for each API key or session; 0 for no limit.
    ///
    /// Each process counts for itself. Over the limit, the answer is 429 with `Retry-After` and the `RateLimit` headers.
    #[arg(long, env = "SETTLEKIT_KEY_LIMIT", default_value_t = 6000)]
    pub key_limit: u32,

    /// Requests per minute for each address without a key or session: sign-in and payment pages; 0 for no limit.
    #[arg(long, env = "SETTLEKIT_ADDRESS_LIMIT", default_value_t = 600)]
    pub address_limit: u32,

    /// Open connections at once; by default as many as the limit of open files allows, at most 16384.
    ///
    /// The limit of open files (`ulimit -n`) is raised to its hard maximum at startup.
    #[arg(long, env = "SETTLEKIT_MAX_CONNECTIONS", value_name = "COUNT")]
    pub max_connections: Option<NonZeroUsize>,

    /// Open connections for each address (IPv6: each /64); by default a quarter of all, at most 1024; 0 for no limit.
    ///
    /// Ignored behind a proxy, which owns all connections: set the limit there.
    #[arg(
        long,
        env = "SETTLEKIT_MAX_CONNECTIONS_PER_ADDRESS",
        value_name = "COUNT"
    )]
    pub max_connections_per_address: Option<usize>,

    /// A separate address for `/metrics`, without authentication: only monitoring should reach it.
    ///
    /// `/metrics` is off without this address and without a token.
    #[arg(long, env = "SETTLEKIT_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,

    /// The token for `/metrics` at the main address (`Authorization: Bearer …`): at least 16 characters.
    #[arg(
        long,
        env = "SETTLEKIT_METRICS_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN"
    )]
    pub metrics_token: Option<MetricsToken>,

    /// Take the client address from the end of `X-Forwarded-For`. Only behind a proxy that sets it.
    #[arg(long, env = "SETTLEKIT_BEHIND_PROXY")]
    pub behind_proxy: bool,

    /// Create a year of demo data, once, and print how to sign in. Needs `--sandbox`.
    #[arg(long, env = "SETTLEKIT_DEMO", requires = "sandbox")]
    pub demo: bool,

    /// The format of the log, on standard error.
    #[arg(long, env = "SETTLEKIT_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// The log level, or levels per module, such as `info,settlekit_server=debug`.
    ///
    /// `info` writes one line per request. No level writes keys, secrets or bodies; libraries log nothing below `info`.
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
    /// Human-readable lines.
    Text,
    /// One JSON object per line.
    Json,
}

/// What reads the metrics. Its text is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct MetricsToken([u8; 32]);

impl MetricsToken {
    /// Whether a text is the token. Digests are compared, so that the time taken reveals nothing about it.
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
            return Err("must be at least 16 printable ASCII characters".to_owned());
        }
        Ok(Self(Sha256::digest(text).into()))
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
                Err("`sqlite:` needs a file name, such as sqlite:settlekit.db".to_owned())
            }
            // `sqlite:///var/x.db` is how other programs write an absolute path.
            Some(path) => Ok(Self::Sqlite(PathBuf::from(
                path.strip_prefix("//").unwrap_or(path),
            ))),
            None => Err("must be sqlite:FILE or postgres://…".to_owned()),
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
    fn a_master_key_is_64_hex_digits_and_redacted_in_debug_output() {
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
