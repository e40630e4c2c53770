//! Withdrawals from the operator's exchange accounts to the hot wallet.

use alloy_primitives::{Address, B256};
use settlekit_core::value::{Amount, ChainId, Currency, Timestamp};

use super::columns::{self, columns};
use super::hex;
use super::poll_state::{DUE_MAX, PollState};
use super::sql::{Database, Row, StoreError};
use super::statement::{insert, update};

/// The status of a withdrawal from an exchange account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeWithdrawalStatus {
    /// No request was sent.
    Queued,
    /// The request may have been sent, and its answer is awaited.
    Sending,
    /// The answer was lost: the exchange may have accepted the withdrawal.
    Unknown,
    /// The exchange has accepted the withdrawal.
    Accepted,
    /// The exchange has sent the money.
    Completed,
    /// The exchange has accepted the withdrawal, and given it up.
    Failed,
    /// The exchange, or the service, has refused the withdrawal.
    Refused,
    /// The operator has found that the exchange never got the withdrawal.
    NotSent,
}

columns::stored_enum! { ExchangeWithdrawalStatus {
    Queued "Queued", Sending "Sending", Unknown "Unknown", Accepted "Accepted", Completed "Completed", Failed "Failed",
    Refused "Refused", NotSent "NotSent",
} }

/// Who has named the exchange's id of a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeIdSource {
    /// The exchange's answer to the request.
    Answer,
    /// The exchange's list.
    List,
    /// The operator.
    Operator,
}

columns::stored_enum! { ExchangeIdSource { Answer "Answer", List "List", Operator "Operator" } }

/// A withdrawal from an exchange account.
#[derive(Debug, Clone)]
pub(crate) struct StoredWithdrawal {
    pub(crate) id: String,
    pub(crate) account: String,
    pub(crate) currency: Currency,
    pub(crate) chain: ChainId,
    /// The hot wallet that receives the money.
    pub(crate) wallet: Address,
    /// The name of its address in the exchange's address book.
    pub(crate) key: String,
    /// The amount that leaves the account, with the exchange's fee.
    pub(crate) amount: Amount,
    pub(crate) status: ExchangeWithdrawalStatus,
    /// The address as the exchange writes it.
    pub(crate) address: Option<String>,
    /// The exchange's fee.
    pub(crate) fee: Option<Amount>,
    /// The exchange's ids of the withdrawals that it listed before, as JSON.
    pub(crate) known_ids: Option<String>,
    /// When the exchange was asked for address, fee and list.
    pub(crate) checked_at: Option<Timestamp>,
    /// The exchange's own id.
    pub(crate) exchange_id: Option<String>,
    /// Who has named it.
    pub(crate) id_source: Option<ExchangeIdSource>,
    /// The transaction on the chain.
    pub(crate) hash: Option<B256>,
    /// The exchange's refusal, until it does not list the withdrawal either.
    pub(crate) refusal: Option<String>,
    /// Answers about a sent withdrawal that do not identify it.
    pub(crate) absences: u32,
    pub(crate) created_at: Timestamp,
    pub(crate) sent_at: Option<Timestamp>,
    /// The account's count of key changes when it was sent.
    pub(crate) sent_key: Option<u64>,
    /// The account's last nonce when the acceptance was recorded.
    pub(crate) accepted_nonce: Option<u64>,
    pub(crate) state: PollState,
}

/// The columns before those of [`PollState`].
const STATE: usize = 21;

impl columns::Columns for StoredWithdrawal {
    fn read(row: &Row, first: usize) -> Result<Self, StoreError> {
        Ok(Self {
            id: columns::get(row, first)?,
            account: columns::get(row, first + 1)?,
            currency: columns::get(row, first + 2)?,
            chain: columns::get(row, first + 3)?,
            wallet: columns::get(row, first + 4)?,
            key: columns::get(row, first + 5)?,
            amount: columns::get(row, first + 6)?,
            status: columns::get(row, first + 7)?,
            address: columns::get(row, first + 8)?,
            fee: columns::get(row, first + 9)?,
            known_ids: columns::get(row, first + 10)?,
            checked_at: columns::get(row, first + 11)?,
            exchange_id: columns::get(row, first + 12)?,
            id_source: columns::get(row, first + 13)?,
            hash: columns::get(row, first + 14)?,
            refusal: columns::get(row, first + 15)?,
            absences: columns::get(row, first + 16)?,
            created_at: columns::get(row, first + 17)?,
            sent_at: columns::get(row, first + 18)?,
            sent_key: columns::get(row, first + 19)?,
            accepted_nonce: columns::get(row, first + 20)?,
            state: PollState::read(row, first + STATE)?,
        })
    }
}

macro_rules! withdrawal_columns {
    () => {
        "SELECT id, account, currency, chain_id, wallet, key_name, amount, status, address, fee, known_ids, checked_at, exchange_id, \
         id_source, hash, refusal, absences, created_at, sent_at, sent_key, accepted_nonce, due_at, asked_at, failures, failing_since, last_error, succeeded_at \
         FROM exchange_withdrawals"
    };
}

/// The condition of the index of withdrawals under way.
macro_rules! under_way {
    () => {
        "status IN ('Queued', 'Sending', 'Unknown', 'Accepted')"
    };
}

// A server runs some of these every second: each has an index, so that it reads the withdrawals under way and not all that ever were.

const LOCK_NEXT: &str = concat!(
    withdrawal_columns!(),
    " WHERE ",
    under_way!(),
    " AND account = ?1 AND (due_at <= ?2 OR due_at > ?3) \
     ORDER BY CASE status WHEN 'Queued' THEN 0 ELSE 1 END, due_at, id LIMIT 1 FOR UPDATE"
);
const UNDER_WAY: &str = concat!(
    "SELECT currency, amount, accepted_nonce FROM exchange_withdrawals WHERE ",
    under_way!(),
    " AND account = ?1"
);
const COUNTS: &str = concat!(
    "SELECT account, status, COUNT(*) FROM exchange_withdrawals WHERE ",
    under_way!(),
    " GROUP BY account, status ORDER BY account, status"
);
const HAS_EXCHANGE_ID: &str =
    "SELECT id FROM exchange_withdrawals WHERE account = ?1 AND exchange_id = ?2 AND id <> ?3";
const FIND: &str = concat!(withdrawal_columns!(), " WHERE id = ?1");
const LOCK: &str = concat!(withdrawal_columns!(), " WHERE id = ?1 FOR UPDATE");
const LATEST: &str = concat!(
    withdrawal_columns!(),
    " ORDER BY created_at DESC, id DESC LIMIT ?1"
);

/// Inserts a queued withdrawal, which is due at once.
pub(crate) fn insert(
    database: &mut dyn Database,
    withdrawal: &StoredWithdrawal,
) -> Result<(), StoreError> {
    insert!(database, "exchange_withdrawals" {
        id: withdrawal.id.as_str(),
        account: withdrawal.account.as_str(),
        currency: withdrawal.currency.as_str(),
        chain_id: withdrawal.chain,
        wallet: &hex(withdrawal.wallet),
        key_name: withdrawal.key.as_str(),
        amount: &withdrawal.amount.to_string(),
        status: withdrawal.status.as_str(),
        created_at: withdrawal.created_at,
        due_at: withdrawal.state.due_at,
    })
}

/// The next due withdrawal of an account, locked until the database transaction ends: a queued one first, then the one that is due
/// longest. A due time far in the future was set by a clock that was ahead: it counts as due.
pub(crate) fn lock_next(
    database: &mut dyn Database,
    account: &str,
    now: Timestamp,
) -> Result<Option<StoredWithdrawal>, StoreError> {
    let latest = now.plus(DUE_MAX);
    let values = [account.into(), now.into(), latest.into()];
    columns::first(&database.query(LOCK_NEXT, &values)?)
}

/// A withdrawal under way, as the balance of its account sees it.
#[derive(Debug)]
pub(crate) struct Leaving {
    pub(crate) currency: Currency,
    pub(crate) amount: Amount,
    pub(crate) accepted_nonce: Option<u64>,
}

columns! { Leaving { currency, amount, accepted_nonce } }

/// The withdrawals of an account that are under way.
pub(crate) fn under_way(
    database: &mut dyn Database,
    account: &str,
) -> Result<Vec<Leaving>, StoreError> {
    columns::all(&database.query(UNDER_WAY, &[account.into()])?)
}

/// How many withdrawals are under way, by account and status.
pub(crate) fn counts(
    database: &mut dyn Database,
) -> Result<Vec<(String, ExchangeWithdrawalStatus, u64)>, StoreError> {
    let rows = database.query(COUNTS, &[])?;
    let read = |row: &Row| {
        Ok((
            columns::get(row, 0)?,
            columns::get(row, 1)?,
            columns::get(row, 2)?,
        ))
    };
    rows.iter().map(read).collect()
}

/// Whether another withdrawal of the account has an id of the exchange.
pub(crate) fn is_of_another(
    database: &mut dyn Database,
    withdrawal: &StoredWithdrawal,
    exchange_id: &str,
) -> Result<bool, StoreError> {
    let values = [
        withdrawal.account.as_str().into(),
        exchange_id.into(),
        withdrawal.id.as_str().into(),
    ];
    Ok(!database.query(HAS_EXCHANGE_ID, &values)?.is_empty())
}

/// A withdrawal, not locked.
pub(crate) fn find(
    database: &mut dyn Database,
    id: &str,
) -> Result<Option<StoredWithdrawal>, StoreError> {
    columns::first(&database.query(FIND, &[id.into()])?)
}

/// A withdrawal, locked until the database transaction ends.
pub(crate) fn lock(
    database: &mut dyn Database,
    id: &str,
) -> Result<Option<StoredWithdrawal>, StoreError> {
    columns::first(&database.query(LOCK, &[id.into()])?)
}

/// The latest withdrawals, newest first.
pub(crate) fn latest(
    database: &mut dyn Database,
    limit: i64,
) -> Result<Vec<StoredWithdrawal>, StoreError> {
    columns::all(&database.query(LATEST, &[limit.into()])?)
}

/// Updates the columns of a withdrawal that change.
pub(crate) fn update(
    database: &mut dyn Database,
    withdrawal: &StoredWithdrawal,
) -> Result<(), StoreError> {
    let state = &withdrawal.state;
    update!(database, "exchange_withdrawals" [id: withdrawal.id.as_str()] {
        status: withdrawal.status.as_str(),
        address: &withdrawal.address,
        fee: &withdrawal.fee.map(|fee| fee.to_string()),
        known_ids: &withdrawal.known_ids,
        checked_at: withdrawal.checked_at,
        exchange_id: &withdrawal.exchange_id,
        id_source: &withdrawal.id_source.map(|source| source.as_str().to_owned()),
        hash: &withdrawal.hash.map(hex),
        refusal: &withdrawal.refusal,
        absences: withdrawal.absences,
        sent_at: withdrawal.sent_at,
        sent_key: stored_number(withdrawal.sent_key)?,
        accepted_nonce: stored_number(withdrawal.accepted_nonce)?,
        due_at: state.due_at,
        asked_at: state.asked_at,
        failures: state.failures,
        failing_since: state.failing_since,
        last_error: &state.last_error,
        succeeded_at: state.succeeded_at,
    })
}

fn stored_number(number: Option<u64>) -> Result<Option<i64>, StoreError> {
    let stored = number.map(i64::try_from).transpose();
    stored.map_err(|_| StoreError::Broken("a nonce is too large".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::migrate::migrate;
    use crate::store::sqlite::Sqlite;

    #[test]
    fn no_query_reads_the_whole_history() {
        let mut database = Sqlite::in_memory().expect("memory");
        migrate(&mut database).expect("a schema");
        for (query, index) in [
            (LOCK_NEXT, "exchange_withdrawals_under_way"),
            (UNDER_WAY, "exchange_withdrawals_under_way"),
            (COUNTS, "exchange_withdrawals_under_way"),
            (HAS_EXCHANGE_ID, "exchange_withdrawals_by_exchange_id"),
            (LATEST, "exchange_withdrawals_by_time"),
            (FIND, "sqlite_autoindex_exchange_withdrawals_1"),
            (LOCK, "sqlite_autoindex_exchange_withdrawals_1"),
        ] {
            let explain = format!("EXPLAIN QUERY PLAN {query}");
            let values: Vec<_> = (1..=3_i64)
                .filter(|place| query.contains(&format!("?{place}")))
                .map(Into::into)
                .collect();
            let rows = database.query(&explain, &values).expect("a plan");
            let plan = rows[0].text(3).expect("a step");
            assert!(plan.contains(&format!("INDEX {index}")), "{query}: {plan}");
        }
    }
}
