//! The commands on the wallets that payers are offered.

use clap::Subcommand;

use super::store::Store;

/// The commands on the wallets that payers are offered.
#[derive(Debug, Subcommand)]
pub enum WalletLink {
    /// List the wallets that payers on a phone are offered, in this order.
    List {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Add a wallet at the end of the list. Servers may keep running.
    Add {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The wallet's name, on the button.
        #[arg(long)]
        name: String,
        /// An https URL, or a URL with the wallet's own scheme, with placeholders: {page_address}, only at the end of the path, is the
        /// address of the payer's page without https://, {page_url} its encoded URL, {page_url_twice} the same encoded twice,
        /// {payment_uri} the encoded EIP-681 link.
        #[arg(long, value_name = "URL")]
        template: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove a wallet from the list.
    Remove {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The wallet's name.
        #[arg(long)]
        name: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Offer the usual wallets again: MetaMask, Coinbase Wallet, Trust Wallet, OKX Wallet.
    Restore {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}
