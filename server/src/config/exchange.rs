//! The commands on exchange accounts.

use clap::{Args, Subcommand, ValueEnum};
use settlekit_core::value::{Amount, ChainId, Currency};

use super::store::Store;

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
        /// The new API key belongs to the same exchange account; it takes over pending orders and withdrawals.
        #[arg(long, requires = "replace")]
        same_account: bool,
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
    /// Let orders and withdrawals be sent at an exchange account, or let none. A connected account starts without.
    ///
    /// The API key needs the permissions to query open and closed orders and to create orders, too; for withdrawals, to withdraw funds.
    Trading {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Whether orders and withdrawals may be sent.
        state: Switch,
        /// The name.
        #[arg(long, value_name = "NAME", default_value = "Kraken")]
        name: String,
    },
    /// Buy or sell at an exchange account, at once and at the price or better. The rest is canceled.
    ///
    /// A running server sends the order within a minute or not at all, and asks for its outcome until it is known.
    Order {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The name of the account.
        #[arg(long, value_name = "NAME", default_value = "Kraken")]
        name: String,
        /// Whether the first currency of the market is bought or sold.
        #[arg(value_enum)]
        side: OrderSide,
        /// How much of the first currency.
        #[arg(long, value_name = "AMOUNT")]
        volume: Amount,
        /// The market.
        #[arg(long, value_name = "USDC/EUR")]
        market: String,
        /// The price of one of the first currency: at most for a buy, at least for a sale.
        #[arg(long, value_name = "AMOUNT")]
        price: Amount,
    },
    /// List the latest orders at exchange accounts, newest first.
    Orders {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Enter the outcome of an order whose status is Unknown, as the exchange shows it. The merchant's order continues.
    Resolve {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The id of the order.
        #[arg(value_name = "ID")]
        id: String,
        /// How much of the first currency was executed; 0 for nothing.
        #[arg(long, value_name = "AMOUNT")]
        executed: Amount,
        /// What was paid or received for it, in the second currency.
        #[arg(long, value_name = "AMOUNT", default_value = "0")]
        cost: Amount,
        /// The fee, in the second currency.
        #[arg(long, value_name = "AMOUNT", default_value = "0")]
        fee: Amount,
    },
    /// Withdraw your money from an exchange account to the hot wallet in use.
    ///
    /// Add the hot wallet's address to the exchange's address book first. A running server checks the withdrawal with the exchange and
    /// sends it within an hour or not at all, once, and asks for its outcome until it is known.
    Withdraw {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The name of the account.
        #[arg(long, value_name = "NAME", default_value = "Kraken")]
        name: String,
        /// The chain on which the hot wallet receives the money.
        #[arg(long, value_name = "ID")]
        chain: ChainId,
        /// The currency.
        #[arg(long, value_name = "SYMBOL")]
        currency: Currency,
        /// The amount that leaves the account; the exchange's fee is taken from it.
        #[arg(long)]
        amount: Amount,
        /// The name of the hot wallet's address in the exchange's address book.
        #[arg(long, value_name = "KEY")]
        key: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the latest withdrawals from exchange accounts, newest first.
    Withdrawals {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Enter the outcome of a withdrawal that is Unknown, or that is Accepted and not listed as it was sent, as the exchange shows it.
    ResolveWithdrawal {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The id of the withdrawal.
        #[arg(value_name = "ID")]
        id: String,
        /// What the exchange shows.
        #[command(flatten)]
        outcome: FoundOutcome,
    },
    /// The markets in which merchants' quotes are traded.
    #[command(subcommand)]
    Market(Market),
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

/// The commands on markets.
#[derive(Debug, Subcommand)]
pub enum Market {
    /// Trade merchants' quotes in a market of an exchange account, or change its margin. Servers may keep running.
    ///
    /// The hot wallet pays the merchant with the operator's own money, and an order at the exchange covers it. Trading must be on for the
    /// account.
    Add {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The name of the account.
        #[arg(long, value_name = "NAME", default_value = "Kraken")]
        name: String,
        /// The market: two currencies of connected chains.
        #[arg(value_name = "ETH/USDC")]
        market: String,
        /// Your part of each trade, in hundredths of a percent.
        #[arg(long, value_name = "BASIS_POINTS", default_value = "50", value_parser = clap::value_parser!(u32).range(0..=1_000))]
        margin: u32,
    },
    /// List the markets with their best prices.
    List {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Trade no more quotes in a market. Orders in progress continue.
    Remove {
        /// The database.
        #[command(flatten)]
        store: Store,
        /// The name of the account.
        #[arg(long, value_name = "NAME", default_value = "Kraken")]
        name: String,
        /// The market.
        #[arg(value_name = "ETH/USDC")]
        market: String,
    },
}

/// What the exchange shows of a withdrawal: one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct FoundOutcome {
    /// The exchange accepted it with this reference id. Servers ask about it until the money is sent.
    #[arg(long, value_name = "REFID")]
    pub exchange_id: Option<String>,
    /// The exchange does not have it: no money has left the account. Only for an Unknown one.
    #[arg(long)]
    pub not_sent: bool,
    /// The exchange has sent the money. Only for an Accepted one.
    #[arg(long)]
    pub completed: bool,
    /// The exchange has given it up: the money is in the account. Only for an Accepted one.
    #[arg(long)]
    pub failed: bool,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

/// The side of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrderSide {
    /// Buy the first currency of the market.
    Buy,
    /// Sell the first currency of the market.
    Sell,
}
