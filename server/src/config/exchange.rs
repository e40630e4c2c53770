//! The commands on exchange accounts.

use clap::Subcommand;

use super::Store;

/// The commands on exchange accounts.
#[derive(Debug, Subcommand)]
pub enum Exchange {
    /// Connect an account at Kraken. Servers may keep running.
    ///
    /// The API key and its private key are read from standard input, one per line. The key needs the permission to query funds.
    Connect {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The name that is shown.
        #[arg(long, value_name = "NAME", default_value = "Kraken")]
        name: String,
        /// The base URL, if the exchange is reached through another address.
        #[arg(long, value_name = "URL", default_value = settlekit_service::exchange::BASE_URL)]
        url: String,
        /// Replace the account of this name.
        #[arg(long)]
        replace: bool,
    },
    /// List the connected exchange accounts with their balances.
    List {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Disconnect an exchange account, and forget its credentials.
    Disconnect {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The name.
        #[arg(long, value_name = "NAME", default_value = "Kraken")]
        name: String,
    },
}
