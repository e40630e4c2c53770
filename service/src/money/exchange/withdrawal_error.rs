//! Why a withdrawal from an exchange account is refused.

use std::fmt;

use alloy_primitives::Address;
use settlekit_core::chain::Asset;
use settlekit_core::value::{Amount, ChainId, Currency, Timestamp};

use crate::store::sql::StoreError;

/// Why a withdrawal is not possible.
#[derive(Debug, Clone, PartialEq)]
pub enum WithdrawalFault {
    /// No account has the name.
    AccountNotConnected(String),
    /// Trading is off for the account.
    TradingOff(String),
    /// The exchange asked for a pause, which lasts until this time.
    AccountPaused(String, Timestamp),
    /// The name of the key is empty, too long or has control characters.
    Key,
    /// The chain is not connected.
    ChainNotConnected(ChainId),
    /// The chain is paused.
    ChainPaused(ChainId),
    /// The chain is a test network.
    TestNetwork(ChainId),
    /// The chain does not have the currency.
    UnknownCurrency(ChainId, Currency),
    /// The amount is not positive, or has more decimal places than the currency.
    Amount(Amount, Asset),
    /// There is no hot wallet.
    NoWallet,
    /// This hot wallet is not the one in use any more.
    WalletReplaced(Address),
    /// The available balance of the account is less: this amount, if a fresh balance is known.
    NotAvailable(String, Currency, Option<Amount>),
    /// A withdrawal of the currency from the account is in progress.
    UnderWay(String, Currency),
    /// The exchange's address book does not have the key.
    KeyUnknown(String),
    /// The exchange's address book has the key several times.
    KeyAmbiguous(String),
    /// The key is not confirmed at the exchange.
    KeyNotVerified(String),
    /// The key has another address than this hot wallet.
    KeyAddress(String, Address),
    /// The key is of another network, by the name of its method.
    KeyNetwork(String, String, ChainId),
    /// The key has this method in the address book, and that one in the terms.
    KeyMethod(String, String, String),
    /// The exchange rounds the amount to this one.
    Rounded(Amount),
    /// The exchange's fee takes the whole amount.
    Fee(Amount),
    /// The exchange lets at most this much arrive.
    Limit(Amount),
    /// The exchange's own refusal.
    Exchange(String),
}

impl fmt::Display for WithdrawalFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AccountNotConnected(name) => {
                write!(f, "no exchange account {name} is connected")
            }
            Self::TradingOff(name) => write!(
                f,
                "trading is off for {name}: switch it on with `settlekit exchange trading on`"
            ),
            Self::AccountPaused(name, until) => write!(
                f,
                "{name} asked for fewer requests and is left alone until {until}"
            ),
            Self::Key => {
                f.write_str("the key needs 1 to 100 characters, and no control characters")
            }
            Self::ChainNotConnected(chain) => write!(f, "chain {chain} is not connected"),
            Self::ChainPaused(chain) => write!(f, "chain {chain} is paused: resume it first"),
            Self::TestNetwork(chain) => write!(
                f,
                "chain {chain} is a test network: an exchange sends real money"
            ),
            Self::UnknownCurrency(chain, currency) => {
                write!(f, "chain {chain} does not have the currency {currency}")
            }
            Self::Amount(amount, asset) => write!(
                f,
                "{amount} is no amount of {}: it must be positive, with at most {} decimal places",
                asset.symbol, asset.scale
            ),
            Self::NoWallet => f.write_str(
                "there is no hot wallet: create one with `settlekit wallet create` first",
            ),
            Self::WalletReplaced(address) => {
                write!(f, "{address} is not the hot wallet in use any more")
            }
            Self::NotAvailable(name, currency, Some(available)) => write!(
                f,
                "only {available} {currency} are available at {name}: orders and withdrawals in progress take the rest"
            ),
            Self::NotAvailable(name, currency, None) => write!(
                f,
                "{name} has no {currency}, or its balances were not read in the last five minutes"
            ),
            Self::UnderWay(name, currency) => write!(
                f,
                "a withdrawal of {currency} from {name} is in progress: look at `settlekit exchange withdrawals`"
            ),
            Self::KeyUnknown(key) => write!(
                f,
                "the exchange's address book has no {key} for the currency: add the hot wallet's address there under this name"
            ),
            Self::KeyAmbiguous(key) => write!(
                f,
                "the exchange's address book has several addresses named {key}: rename one"
            ),
            Self::KeyNotVerified(key) => {
                write!(
                    f,
                    "{key} is not confirmed at the exchange: confirm it there"
                )
            }
            Self::KeyAddress(key, wallet) => write!(
                f,
                "{key} has another address at the exchange than the hot wallet {wallet}"
            ),
            Self::KeyNetwork(key, method, chain) => write!(
                f,
                "{key} has the method {method} at the exchange, which is not known to send on chain {chain}"
            ),
            Self::KeyMethod(key, method, other) => write!(
                f,
                "{key} has the method {method} in the exchange's address book, and {other} in its terms"
            ),
            Self::Rounded(whole) => write!(
                f,
                "the exchange takes fewer decimal places: it would send {whole}"
            ),
            Self::Fee(fee) => write!(f, "the exchange's fee of {fee} takes the whole amount"),
            Self::Limit(limit) => write!(f, "the exchange sends at most {limit} now"),
            Self::Exchange(text) => f.write_str(text),
        }
    }
}

/// All faults in one line.
pub(super) fn joined(faults: &[WithdrawalFault]) -> String {
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

/// Why a command on withdrawals was refused.
#[derive(Debug, Clone, PartialEq)]
pub enum ExchangeWithdrawalError {
    /// A sandbox has no exchange accounts.
    Sandbox,
    /// All faults of a new withdrawal.
    Faults(Vec<WithdrawalFault>),
    /// No withdrawal of this id has an unknown outcome.
    NotInDoubt(String),
    /// The exchange has an id for this withdrawal: it was sent.
    Sent(String),
    /// The exchange itself has named the id of this withdrawal.
    IdAnswered(String),
    /// The exchange has no id for this withdrawal yet.
    NotAccepted(String),
    /// The balances have not been read since the exchange accepted this withdrawal.
    NotSubtracted(String),
    /// The exchange has not been asked about this withdrawal often enough.
    TooEarly(String),
    /// A text is no id of the exchange.
    ExchangeId(String),
    /// The exchange listed this id before the withdrawal was sent.
    KnownBefore(String),
    /// Another withdrawal has this id of the exchange.
    OfAnother(String),
    /// The database failed.
    Store(StoreError),
}

impl fmt::Display for ExchangeWithdrawalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sandbox => {
                f.write_str("the database is a sandbox: exchange accounts are for live databases")
            }
            Self::Faults(faults) => f.write_str(&joined(faults)),
            Self::NotInDoubt(id) => write!(
                f,
                "the outcome of no withdrawal {id} is in doubt: look at `settlekit exchange withdrawals`"
            ),
            Self::Sent(id) => write!(
                f,
                "withdrawal {id} has an id at the exchange: enter --completed or --failed"
            ),
            Self::IdAnswered(id) => write!(
                f,
                "the exchange itself has named the id of withdrawal {id}: enter --completed or --failed"
            ),
            Self::NotAccepted(id) => write!(
                f,
                "withdrawal {id} has no id at the exchange: enter --exchange-id or --not-sent"
            ),
            Self::NotSubtracted(id) => write!(
                f,
                "the balances were not read since withdrawal {id} was accepted: try again in a minute, while a server runs"
            ),
            Self::TooEarly(id) => write!(
                f,
                "the exchange was not asked often enough about withdrawal {id}: try again in three minutes, while a server runs; or a day after it was sent, if the API key was replaced or the exchange does not answer"
            ),
            Self::ExchangeId(text) => write!(f, "{text:?} is no id of the exchange"),
            Self::KnownBefore(id) => write!(
                f,
                "the exchange listed {id} before the withdrawal was sent: it is another one"
            ),
            Self::OfAnother(id) => write!(f, "another withdrawal has the exchange's id {id}"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExchangeWithdrawalError {}

impl From<StoreError> for ExchangeWithdrawalError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
