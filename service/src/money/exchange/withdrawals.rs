//! Withdrawals from exchange accounts to the hot wallet, as an operator requests and lists them. `withdrawal_rounds` sends them,
//! and `withdrawal_resolution` resolves them.

use alloy_primitives::{Address, B256};
use settlekit_core::value::{Amount, ChainId, Currency, Timestamp};
use uuid::Builder;

use super::balances::available_balance;
use super::withdrawal_error::{ExchangeWithdrawalError, WithdrawalFault};
use crate::Service;
use crate::mode::Mode;
use crate::random::{Random, Seed};
use crate::store::exchange::StoredAccount;
use crate::store::exchange_withdrawal::{self, ExchangeWithdrawalStatus, StoredWithdrawal};
use crate::store::poll_state::{BACK_OFF_MAX, PollState};
use crate::store::sql::{Database, StoreError};
use crate::store::{self, exchange};

/// The most withdrawals of the list.
pub const WITHDRAWALS_LISTED: i64 = 100;

/// The longest name of a key, in characters.
const KEY_MAX: usize = 100;

/// A withdrawal to request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewExchangeWithdrawal {
    /// The name of the account.
    pub account: String,
    /// The currency on the chain.
    pub currency: Currency,
    /// The chain on which the hot wallet receives the money.
    pub chain: ChainId,
    /// The amount that leaves the account. The exchange's fee is taken from it.
    pub amount: Amount,
    /// The name of the hot wallet's address in the exchange's address book.
    pub key: String,
}

/// The operator's finding at the exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WithdrawalOutcome {
    /// The exchange accepted the withdrawal, with this id.
    Accepted(String),
    /// The exchange never got the withdrawal.
    NotSent,
    /// The exchange has sent the money of the withdrawal that it had accepted.
    Completed,
    /// The exchange has given the withdrawal up that it had accepted.
    Failed,
}

/// A withdrawal from an exchange account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeWithdrawal {
    /// Its id.
    pub id: String,
    /// The request.
    pub withdrawal: NewExchangeWithdrawal,
    /// The hot wallet that receives the money.
    pub wallet: Address,
    /// The status.
    pub status: ExchangeWithdrawalStatus,
    /// The exchange's own id.
    pub exchange_id: Option<String>,
    /// The transaction on the chain.
    pub hash: Option<B256>,
    /// The exchange's fee.
    pub fee: Option<Amount>,
    /// Why it was refused or failed, or why its outcome is not known.
    pub last_error: Option<String>,
    /// When it was requested.
    pub created_at: Timestamp,
}

impl From<StoredWithdrawal> for ExchangeWithdrawal {
    fn from(stored: StoredWithdrawal) -> Self {
        Self {
            withdrawal: terms_of(&stored),
            id: stored.id,
            wallet: stored.wallet,
            status: stored.status,
            exchange_id: stored.exchange_id,
            hash: stored.hash,
            fee: stored.fee,
            last_error: stored.state.last_error,
            created_at: stored.created_at,
        }
    }
}

fn terms_of(stored: &StoredWithdrawal) -> NewExchangeWithdrawal {
    NewExchangeWithdrawal {
        account: stored.account.clone(),
        currency: stored.currency.clone(),
        chain: stored.chain,
        amount: stored.amount,
        key: stored.key.clone(),
    }
}

impl Service {
    /// Queues a withdrawal to the hot wallet in use, which a running server checks with the exchange and sends. Returns its id.
    ///
    /// # Errors
    /// [`ExchangeWithdrawalError::Sandbox`], and [`ExchangeWithdrawalError::Faults`] with everything that is wrong.
    pub fn withdraw_from_exchange(
        &self,
        database: &mut dyn Database,
        new: &NewExchangeWithdrawal,
        now: Timestamp,
        seed: Seed,
    ) -> Result<String, ExchangeWithdrawalError> {
        if self.options().mode != Mode::Live {
            return Err(ExchangeWithdrawalError::Sandbox);
        }
        self.transact(database, |database| {
            // Of two commands the second one sees the first one's withdrawal.
            let account = exchange::lock(database, &new.account)?;
            let mut faults = faults(database, (new, account.as_ref()), now)?;
            let available =
                available_balance(database, (&new.account, new.currency.as_str()), now)?;
            if account.is_some() && available.is_none_or(|available| available < new.amount) {
                faults.push(not_available(new, available));
            }
            let under_way = exchange_withdrawal::under_way(database, &new.account)?;
            if under_way.iter().any(|one| one.currency == new.currency) {
                let (account, currency) = (new.account.clone(), new.currency.clone());
                faults.push(WithdrawalFault::UnderWay(account, currency));
            }
            let wallet = store::wallet::current_wallet(database)?;
            let wallet = match wallet {
                Some(wallet) if faults.is_empty() => wallet.address,
                _ => return Ok(Err(ExchangeWithdrawalError::Faults(faults))),
            };
            let id = Builder::from_random_bytes(Random::new(seed).bytes()).into_uuid();
            let withdrawal = queued(new, (id.to_string(), wallet), now);
            exchange_withdrawal::insert(database, &withdrawal)?;
            Ok(Ok(withdrawal.id))
        })?
    }

    /// How many withdrawals are under way, by account and status.
    ///
    /// # Errors
    /// If the database failed.
    pub fn exchange_withdrawals_under_way(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<(String, ExchangeWithdrawalStatus, u64)>, StoreError> {
        exchange_withdrawal::counts(database)
    }

    /// The latest withdrawals from exchange accounts, newest first: at most [`WITHDRAWALS_LISTED`].
    ///
    /// # Errors
    /// If the database failed.
    pub fn exchange_withdrawals(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<ExchangeWithdrawal>, StoreError> {
        let latest = exchange_withdrawal::latest(database, WITHDRAWALS_LISTED)?;
        Ok(latest.into_iter().map(ExchangeWithdrawal::from).collect())
    }
}

fn queued(
    new: &NewExchangeWithdrawal,
    (id, wallet): (String, Address),
    now: Timestamp,
) -> StoredWithdrawal {
    StoredWithdrawal {
        id,
        account: new.account.clone(),
        currency: new.currency.clone(),
        chain: new.chain,
        wallet,
        key: new.key.clone(),
        amount: new.amount,
        status: ExchangeWithdrawalStatus::Queued,
        address: None,
        fee: None,
        known_ids: None,
        checked_at: None,
        exchange_id: None,
        id_source: None,
        hash: None,
        refusal: None,
        absences: 0,
        created_at: now,
        sent_at: None,
        sent_key: None,
        accepted_nonce: None,
        state: PollState::due_at(now),
    }
}

/// Why a queued withdrawal is not possible, as far as the database shows.
pub(super) fn faults_of_queued(
    database: &mut dyn Database,
    (withdrawal, account): (&StoredWithdrawal, &StoredAccount),
    now: Timestamp,
) -> Result<Vec<WithdrawalFault>, StoreError> {
    let terms = terms_of(withdrawal);
    let mut faults = faults(database, (&terms, Some(account)), now)?;
    let current = store::wallet::current_wallet(database)?;
    if current.is_some_and(|current| current.address != withdrawal.wallet) {
        faults.push(WithdrawalFault::WalletReplaced(withdrawal.wallet));
    }
    let of = (terms.account.as_str(), terms.currency.as_str());
    // Its own amount is subtracted already.
    let rest = available_balance(database, of, now)?;
    if rest.is_none_or(Amount::is_negative) {
        let available = rest.and_then(|rest| rest.plus(terms.amount).ok());
        faults.push(not_available(&terms, available));
    }
    Ok(faults)
}

fn not_available(new: &NewExchangeWithdrawal, available: Option<Amount>) -> WithdrawalFault {
    WithdrawalFault::NotAvailable(new.account.clone(), new.currency.clone(), available)
}

/// Why a withdrawal is not possible, apart from the balance.
fn faults(
    database: &mut dyn Database,
    (new, account): (&NewExchangeWithdrawal, Option<&StoredAccount>),
    now: Timestamp,
) -> Result<Vec<WithdrawalFault>, StoreError> {
    let mut faults = Vec::new();
    match account {
        None => faults.push(WithdrawalFault::AccountNotConnected(new.account.clone())),
        Some(account) if !account.trading => {
            faults.push(WithdrawalFault::TradingOff(account.name.clone()));
        }
        // A pause without an end was set by a clock that was ahead.
        Some(account)
            if account.paused_until > now && account.paused_until.since(now) <= BACK_OFF_MAX =>
        {
            faults.push(WithdrawalFault::AccountPaused(
                account.name.clone(),
                account.paused_until,
            ));
        }
        Some(_) => {}
    }
    let length = new.key.chars().count();
    if !(1..=KEY_MAX).contains(&length) || new.key.chars().any(char::is_control) {
        faults.push(WithdrawalFault::Key);
    }
    match store::connection::find(database, new.chain)? {
        None => faults.push(WithdrawalFault::ChainNotConnected(new.chain)),
        Some(connected) if connected.paused => {
            faults.push(WithdrawalFault::ChainPaused(new.chain));
        }
        Some(_) => {}
    }
    let known = store::chain::find(database, new.chain)?;
    if known.is_some_and(|known| known.is_test) {
        faults.push(WithdrawalFault::TestNetwork(new.chain));
    }
    match store::chain::asset(database, new.chain, &new.currency)? {
        None => faults.push(WithdrawalFault::UnknownCurrency(
            new.chain,
            new.currency.clone(),
        )),
        Some(asset) => {
            let units = new.amount.to_units(asset.scale).ok();
            if units.is_none_or(|units| units <= 0) {
                faults.push(WithdrawalFault::Amount(new.amount, asset));
            }
        }
    }
    if store::wallet::current_wallet(database)?.is_none() {
        faults.push(WithdrawalFault::NoWallet);
    }
    Ok(faults)
}
