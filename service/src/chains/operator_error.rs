//! Why an operator's command is refused.

use std::fmt;

use alloy_primitives::Address;
use settlekit_core::chain::Asset;
use settlekit_core::value::{Amount, ChainId, Currency, OrganisationId};

use crate::Service;
use crate::mode::Mode;
use crate::store::sql::StoreError;

/// Why an operator's command was refused.
#[derive(Debug, Clone, PartialEq)]
pub enum OperatorError {
    /// The database is a sandbox, where chains are simulated.
    Sandbox,
    /// There is no hot wallet.
    NoWallet,
    /// There is a hot wallet in use.
    WalletExists(Address),
    /// The new hot wallet is one already, or was one.
    WalletKnown(Address),
    /// The hot wallet in use has no seed, but an external signer.
    NoSeed(Address),
    /// Another command replaced the hot wallet at the same time.
    WalletReplaced,
    /// The chain lacks the factory of proxy wallets, and the hot wallet has no seed to derive addresses from.
    NoFactory(ChainId),
    /// A currency is another contract, or a contract another currency, than the connected chain has.
    CurrencyDiffers(ChainId, Asset),
    /// The chain is connected as a test network, and the new settings do not say so.
    IsTestNetwork(ChainId),
    /// No chain has the currency.
    UnknownCurrency(Currency),
    /// There is no such organisation.
    UnknownOrganisation(OrganisationId),
    /// The chain is not connected.
    NotConnected(ChainId),
    /// The chain has accounts, whose money would no longer be followed.
    HasAccounts(ChainId),
    /// Prices are read on the chain.
    GivesPrices(ChainId),
    /// An exchange of the chain is connected.
    HasVenue(ChainId),
    /// No transaction with this nonce is signed and in no block.
    NotUnderWay(ChainId, u64),
    /// The transaction with this nonce is being canceled already.
    CanceledAlready(ChainId, u64),
    /// Transactions of the chain are not final.
    IsSending(ChainId),
    /// The address is no hot wallet.
    UnknownWallet(Address),
    /// The amount is not positive, or has more decimal places than the currency.
    Amount(Amount, Asset),
    /// The receiver is an address that the service follows, the zero address, the factory or a token's contract.
    ServiceAddress(Address),
    /// The chain is paused.
    Paused(ChainId),
    /// A withdrawal of the currency is in progress.
    IsWithdrawing(ChainId, Currency),
    /// Less of the operator's own money is available: this amount.
    NotAvailable(Currency, Option<Amount>),
    /// The database failed.
    Store(StoreError),
}

impl fmt::Display for OperatorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sandbox => f.write_str(
                "the database is a sandbox, whose chains are simulated: use a live database",
            ),
            Self::NoWallet => f.write_str(
                "there is no hot wallet: create one with `settlekit wallet create` first",
            ),
            Self::WalletExists(address) => write!(
                f,
                "there is a hot wallet in use, {address}: `settlekit wallet rotate` replaces it"
            ),
            Self::WalletKnown(address) => write!(
                f,
                "{address} is a hot wallet of this service already: use other words"
            ),
            Self::NoSeed(address) => write!(
                f,
                "the key of {address} is with an external signer: name another key with --signer or --import"
            ),
            Self::WalletReplaced => f.write_str(
                "another command replaced the hot wallet: look at `settlekit wallet show`",
            ),
            Self::NoFactory(chain) => write!(
                f,
                "chain {chain} has no factory of proxy wallets yet, and the hot wallet no seed to derive addresses from: add \
                 --deploy, which costs the hot wallet about 1 000 000 gas"
            ),
            Self::CurrencyDiffers(chain, asset) => {
                let contract = asset.token_address.as_deref().unwrap_or("the native coin");
                write!(
                    f,
                    "{} on chain {chain} is {contract} with {} decimal places: a currency keeps its contract, and a contract \
                     its currency",
                    asset.symbol, asset.scale
                )
            }
            Self::IsTestNetwork(chain) => write!(
                f,
                "chain {chain} is connected as a test network: add --test-network, or --no-test-network if its money has value"
            ),
            Self::UnknownCurrency(currency) => write!(f, "no chain has the currency {currency}"),
            Self::UnknownOrganisation(id) => write!(f, "organisation {id} not found"),
            Self::NotConnected(chain) => write!(f, "chain {chain} is not connected"),
            Self::HasAccounts(chain) => write!(
                f,
                "chain {chain} has accounts, whose deposits would be missed: pause it instead"
            ),
            Self::GivesPrices(chain) => write!(
                f,
                "prices are read on chain {chain}: disconnect them with `settlekit price disconnect chainlink` first"
            ),
            Self::HasVenue(chain) => write!(
                f,
                "an exchange on chain {chain} is connected: disconnect it with `settlekit venue disconnect` first"
            ),
            Self::NotUnderWay(chain, nonce) => write!(
                f,
                "no transaction with nonce {nonce} on chain {chain} is signed and in no block"
            ),
            Self::CanceledAlready(chain, nonce) => write!(
                f,
                "the transaction with nonce {nonce} on chain {chain} is being canceled already"
            ),
            Self::IsSending(chain) => write!(
                f,
                "transactions on chain {chain} are not final yet: try again when they are"
            ),
            Self::UnknownWallet(address) => write!(f, "{address} is no hot wallet of this service"),
            Self::Amount(amount, asset) => write!(
                f,
                "{amount} is no amount of {}: it must be positive, with at most {} decimal places",
                asset.symbol, asset.scale
            ),
            Self::ServiceAddress(address) => write!(
                f,
                "money at {address} would not be yours: it is an address that this service follows, a contract, or nobody's"
            ),
            Self::Paused(chain) => write!(f, "chain {chain} is paused: resume it first"),
            Self::IsWithdrawing(chain, currency) => write!(
                f,
                "a withdrawal of {currency} on chain {chain} is in progress: wait until it is final"
            ),
            Self::NotAvailable(currency, Some(available)) => write!(
                f,
                "only {available} {currency} of your own money is available there: the rest is merchants', or reserved by pending transactions, \
                 orders and fees"
            ),
            Self::NotAvailable(currency, None) => {
                write!(f, "less {currency} of your own money is available there")
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OperatorError {}

impl From<StoreError> for OperatorError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Service {
    /// Refuses real money in a sandbox.
    pub(super) fn need_live(&self) -> Result<(), OperatorError> {
        match self.options().mode {
            Mode::Live => Ok(()),
            Mode::Sandbox => Err(OperatorError::Sandbox),
        }
    }
}
