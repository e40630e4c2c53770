//! The operator's commands for exchange accounts.

use std::fmt;

use settlekit_core::value::Timestamp;

use super::access::{credentials_of, next_nonce};
use super::{Credentials, ExchangeBalance};
use crate::Service;
use crate::mode::Mode;
use crate::random::{Random, Seed};
use crate::secret::context;
use crate::store::exchange::{self, StoredAccount};
use crate::store::exchange_market;
use crate::store::exchange_order;
use crate::store::exchange_withdrawal;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// Why a command on exchange accounts was refused.
#[derive(Debug, Clone, PartialEq)]
pub enum ExchangeAccountError {
    /// The database is a sandbox, whose exchanges are simulated.
    Sandbox,
    /// The name is empty, too long, or has other characters than letters, digits, `-._` and
    /// spaces between them.
    Name,
    /// The account is connected, and is not to be replaced.
    Connected(String),
    /// Another account has the API key: its name.
    KeyConnected(String),
    /// No account has the name.
    NotConnected(String),
    /// The outcome of an order is not known yet.
    OrderUnderWay(String),
    /// A withdrawal has no outcome yet.
    WithdrawalUnderWay(String),
    /// The database failed.
    Store(StoreError),
}

impl fmt::Display for ExchangeAccountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sandbox => f.write_str(
                "the database is a sandbox, whose exchanges are simulated: use a live database",
            ),
            Self::Name => write!(
                f,
                "the name needs 1 to {NAME_MAX} characters: letters, digits, -._ and spaces between them"
            ),
            Self::Connected(name) => write!(
                f,
                "the exchange account {name} is connected: replace it with --replace, or give another --name"
            ),
            Self::KeyConnected(name) => write!(
                f,
                "the exchange account {name} has this API key: disconnect it first, or create another key"
            ),
            Self::NotConnected(name) => write!(f, "no exchange account {name} is connected"),
            Self::OrderUnderWay(name) => write!(
                f,
                "an order at {name} is in progress: try again when `settlekit exchange orders` shows its outcome"
            ),
            Self::WithdrawalUnderWay(name) => write!(
                f,
                "a withdrawal from {name} is in progress: try again when `settlekit exchange withdrawals` shows its outcome"
            ),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExchangeAccountError {}

impl From<StoreError> for ExchangeAccountError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The longest name.
const NAME_MAX: usize = 50;

/// Names are shown in metrics as they are.
fn is_name(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b" -._".contains(&byte);
    let has_length = (1..=NAME_MAX).contains(&text.len());
    has_length && text.trim() == text && text.bytes().all(is_allowed)
}

/// Whether the account has to stay connected, and why.
fn under_way(
    database: &mut dyn Database,
    name: &str,
) -> Result<Option<ExchangeAccountError>, StoreError> {
    if exchange_order::is_under_way(database, name)? {
        return Ok(Some(ExchangeAccountError::OrderUnderWay(name.to_owned())));
    }
    let is_withdrawing = !exchange_withdrawal::under_way(database, name)?.is_empty();
    Ok(is_withdrawing.then(|| ExchangeAccountError::WithdrawalUnderWay(name.to_owned())))
}

/// An exchange account to connect.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// The name that the operator gives it.
    pub name: String,
    /// The base URL of the exchange.
    pub url: String,
    /// The API key with its private key.
    pub credentials: Credentials,
    /// The nonce of the request that proved the credentials.
    pub nonce: u64,
    /// Whether it replaces the account of its name.
    pub replaces: bool,
    /// Whether that one is the same account at the exchange, with another API key: it has the same orders.
    pub is_same_account: bool,
}

/// A connected exchange account with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeAccount {
    /// The name that the operator gave it.
    pub name: String,
    /// The base URL of the exchange.
    pub url: String,
    /// Whether orders and withdrawals may be sent.
    pub trading: bool,
    /// The balances that are not zero, by currency.
    pub balances: Vec<ExchangeBalance>,
    /// When they were last read.
    pub succeeded_at: Option<Timestamp>,
    /// Failures since.
    pub failures: u32,
    /// Since when reading fails.
    pub failing_since: Option<Timestamp>,
    /// The last failure.
    pub last_error: Option<String>,
}

impl Service {
    /// The nonce of the request that proves the credentials of an account to connect.
    ///
    /// # Errors
    /// [`ExchangeAccountError::Sandbox`], [`ExchangeAccountError::Name`] and [`ExchangeAccountError::Connected`].
    pub fn exchange_nonce(
        &self,
        database: &mut dyn Database,
        (name, replaces): (&str, bool),
        now: Timestamp,
    ) -> Result<u64, ExchangeAccountError> {
        if self.options().mode != Mode::Live {
            return Err(ExchangeAccountError::Sandbox);
        }
        if !is_name(name) {
            return Err(ExchangeAccountError::Name);
        }
        let mut all = exchange::all_accounts(database)?.into_iter();
        let before = all.find(|account| account.name == name);
        if before.is_some() && !replaces {
            return Err(ExchangeAccountError::Connected(name.to_owned()));
        }
        // A replacement may reuse the API key, so its nonce continues.
        Ok(next_nonce(now, before.map_or(0, |before| before.nonce)))
    }

    /// Connects an exchange account, or replaces the one of its name. Servers may keep running.
    ///
    /// # Errors
    /// As [`Service::exchange_nonce`], and [`ExchangeAccountError::KeyConnected`], [`ExchangeAccountError::OrderUnderWay`] and
    /// [`ExchangeAccountError::WithdrawalUnderWay`].
    pub fn connect_exchange(
        &self,
        database: &mut dyn Database,
        new: &NewAccount,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(), ExchangeAccountError> {
        self.exchange_nonce(database, (&new.name, new.replaces), now)?;
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            for other in exchange::all_accounts(unit.database)? {
                // Two accounts would use one nonce twice.
                let is_other = other.name != new.name;
                if is_other
                    && credentials_of(&unit, &other)
                        .is_some_and(|known| known.has_same_api_key(&new.credentials))
                {
                    return Ok(Err(ExchangeAccountError::KeyConnected(other.name)));
                }
            }
            let credentials = new.credentials.to_text();
            let context = context::exchange_account(&new.name);
            let sealed = unit.seal(&context, credentials.as_bytes())?;
            let before = exchange::lock(unit.database, &new.name)?;
            // Another account at the exchange would know neither orders nor withdrawals.
            if !new.is_same_account
                && let Some(error) = under_way(unit.database, &new.name)?
            {
                return Ok(Err(error));
            }
            // Another account may have other fees.
            if !new.is_same_account {
                exchange_market::delete_all(unit.database, &new.name)?;
            }
            let is_same_key = before
                .as_ref()
                .and_then(|before| credentials_of(&unit, before))
                .is_some_and(|before| before.has_same_api_key(&new.credentials));
            let changes = before.as_ref().map_or(0, |before| before.key_changes);
            let changes = changes + u64::from(!is_same_key);
            let nonce = before.map_or(0, |before| before.nonce).max(new.nonce);
            exchange::delete(unit.database, &new.name)?;
            let named = (new.name.as_str(), new.url.as_str());
            exchange::insert(unit.database, named, (&sealed, nonce, changes), unit.now)?;
            Ok(Ok(()))
        })?
    }

    /// Disconnects an exchange account.
    ///
    /// # Errors
    /// [`ExchangeAccountError::NotConnected`], [`ExchangeAccountError::OrderUnderWay`] and
    /// [`ExchangeAccountError::WithdrawalUnderWay`].
    pub fn disconnect_exchange(
        &self,
        database: &mut dyn Database,
        name: &str,
    ) -> Result<(), ExchangeAccountError> {
        self.transact(database, |database| {
            if exchange::lock(database, name)?.is_none() {
                return Ok(Err(ExchangeAccountError::NotConnected(name.to_owned())));
            }
            if let Some(error) = under_way(database, name)? {
                return Ok(Err(error));
            }
            exchange_market::delete_all(database, name)?;
            exchange::delete(database, name)?;
            Ok(Ok(()))
        })?
    }

    /// Lets orders and withdrawals be sent at an exchange account, or lets none.
    ///
    /// # Errors
    /// [`ExchangeAccountError::NotConnected`].
    pub fn set_exchange_trading(
        &self,
        database: &mut dyn Database,
        name: &str,
        trading: bool,
    ) -> Result<(), ExchangeAccountError> {
        self.transact(database, |database| {
            if exchange::lock(database, name)?.is_none() {
                return Ok(Err(ExchangeAccountError::NotConnected(name.to_owned())));
            }
            exchange::set_trading(database, name, trading)?;
            Ok(Ok(()))
        })?
    }

    /// How many exchange accounts cannot be read.
    ///
    /// # Errors
    /// If the database failed.
    pub fn failing_exchanges(&self, database: &mut dyn Database) -> Result<u64, StoreError> {
        exchange::failing(database)
    }

    /// The connected exchange accounts, by name.
    ///
    /// # Errors
    /// If the database failed.
    pub fn connected_exchanges(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<ExchangeAccount>, StoreError> {
        let mut list = Vec::new();
        for StoredAccount {
            name,
            url,
            trading,
            state,
            ..
        } in exchange::all_accounts(database)?
        {
            list.push(ExchangeAccount {
                balances: exchange::balances(database, &name)?,
                name,
                url,
                trading,
                succeeded_at: state.succeeded_at,
                failures: state.failures,
                failing_since: state.failing_since,
                last_error: state.last_error,
            });
        }
        Ok(list)
    }
}
