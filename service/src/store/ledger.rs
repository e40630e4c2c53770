//! Ledger accounts, transfers and postings. Only `crate::money::ledger` calls the functions that change a balance.

use std::collections::HashSet;

use settlekit_core::value::{AccountId, ChainId, Currency, OrganisationId, Timestamp};

use super::columns::{self, Columns, columns};
use super::sql::{CachedTable, Change, Database, Row, StoreError, Value};

/// The key of a ledger account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) kind: &'static str,
    /// The merchant's account; `None` for the organisation as a whole.
    pub(crate) account: Option<AccountId>,
    pub(crate) chain: ChainId,
    pub(crate) currency: Currency,
}

/// A ledger account by key: its id and balance.
static CACHED: CachedTable = CachedTable::new(
    "ledger_accounts",
    &["org_id", "kind", "account_id", "chain_id", "currency"],
    &["id", "posted", "reserved", "posted_on"],
    "UPDATE ledger_accounts SET posted = ?7, reserved = ?8, posted_on = ?9 \
     WHERE org_id = ?1 AND kind = ?2 AND account_id = ?3 AND chain_id = ?4 AND currency = ?5 AND id = ?6",
);

/// The balance of a ledger account, in the currency's smallest unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LedgerBalance {
    pub(crate) id: i64,
    pub(crate) posted: i128,
    pub(crate) reserved: i128,
    /// The UTC day of the last posting.
    pub(crate) posted_on: i64,
}

columns!(LedgerBalance {
    id,
    posted,
    reserved,
    posted_on,
});

/// Reads and locks ledger accounts, in the order of the keys; creates missing ones.
pub(crate) fn lock(
    database: &mut dyn Database,
    organisation: OrganisationId,
    keys: &[&Key],
) -> Result<Vec<LedgerBalance>, StoreError> {
    let wholes: Vec<_> = keys.iter().map(|key| whole(organisation, key)).collect();
    let wholes: Vec<&[Value<'_>]> = wholes.iter().map(|whole| whole.as_slice()).collect();
    let rows = database.read_cached(&CACHED, &wholes)?;
    let found = keys.iter().zip(rows);
    found
        .map(|(key, row)| match row {
            Some(row) => Columns::read(&row, 0),
            None => insert(database, organisation, key),
        })
        .collect()
}

/// Inserts an empty ledger account.
fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    key: &Key,
) -> Result<LedgerBalance, StoreError> {
    const INSERT: &str = "INSERT INTO ledger_accounts (org_id, kind, account_id, chain_id, currency, posted, reserved) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)";
    let [kind, account, chain, currency] = named(key);
    let values = [
        organisation.into(),
        kind,
        account,
        chain,
        currency,
        0_i128.into(),
    ];
    match database.insert(INSERT, &values) {
        Ok(id) => Ok(LedgerBalance {
            id,
            posted: 0,
            reserved: 0,
            posted_on: 0,
        }),
        // Another transaction inserted it.
        Err(StoreError::Constraint(_)) => Err(StoreError::Conflict),
        Err(error) => Err(error),
    }
}

fn named(key: &Key) -> [Value<'_>; 4] {
    [
        key.kind.into(),
        key.account.map_or(0, AccountId::get).into(),
        key.chain.into(),
        key.currency.as_str().into(),
    ]
}

fn whole(organisation: OrganisationId, key: &Key) -> [Value<'_>; 5] {
    let [kind, account, chain, currency] = named(key);
    [organisation.into(), kind, account, chain, currency]
}

/// Updates the balance of a ledger account.
pub(crate) fn write(
    database: &mut dyn Database,
    organisation: OrganisationId,
    key: &Key,
    balance: LedgerBalance,
) -> Result<(), StoreError> {
    let values = [
        balance.id.into(),
        balance.posted.into(),
        balance.reserved.into(),
        balance.posted_on.into(),
    ];
    let key = whole(organisation, key);
    database.write_cached(&CACHED, &key, Change::Set(&values))
}

/// Inserts a transfer and returns its id.
pub(crate) fn insert_transfer(
    database: &mut dyn Database,
    organisation: OrganisationId,
    cause: &str,
    entity: Option<&str>,
    now: Timestamp,
) -> Result<i64, StoreError> {
    const INSERT: &str =
        "INSERT INTO transfers (org_id, cause, entity_id, created_at) VALUES (?1, ?2, ?3, ?4)";
    database.insert(
        INSERT,
        &[organisation.into(), cause.into(), entity.into(), now.into()],
    )
}

pub(crate) fn insert_posting(
    database: &mut dyn Database,
    organisation: OrganisationId,
    transfer: i64,
    ledger_account: i64,
    units: i128,
    balance_after: i128,
) -> Result<(), StoreError> {
    const INSERT: &str = "INSERT INTO postings (org_id, transfer_id, ledger_account_id, amount, balance_after) \
         VALUES (?1, ?2, ?3, ?4, ?5)";
    database.write(
        INSERT,
        &[
            organisation.into(),
            transfer.into(),
            ledger_account.into(),
            units.into(),
            balance_after.into(),
        ],
    )?;
    Ok(())
}

#[derive(Debug, Clone)]
pub(crate) struct Balance {
    pub(crate) account: AccountId,
    pub(crate) chain: ChainId,
    pub(crate) currency: Currency,
    pub(crate) posted: i128,
    pub(crate) reserved: i128,
}

columns! { Balance { account, chain, currency, posted, reserved } }

/// The balances of all accounts of the organisation, or of one.
pub(crate) fn balances(
    database: &mut dyn Database,
    organisation: OrganisationId,
    account: Option<AccountId>,
) -> Result<Vec<Balance>, StoreError> {
    const ALL: &str = "SELECT account_id, chain_id, currency, posted, reserved FROM ledger_accounts \
         WHERE org_id = ?1 AND kind = 'merchant' ORDER BY chain_id, currency, account_id";
    const ONE: &str = "SELECT account_id, chain_id, currency, posted, reserved FROM ledger_accounts \
         WHERE org_id = ?1 AND kind = 'merchant' AND account_id = ?2 ORDER BY chain_id, currency";
    let rows = match account {
        None => database.query(ALL, &[organisation.into()])?,
        Some(account) => database.query(ONE, &[organisation.into(), account.into()])?,
    };
    columns::all(&rows)
}

/// A ledger account for the audit.
#[derive(Debug, Clone)]
pub(crate) struct Audited {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) posted: i128,
    pub(crate) reserved: i128,
}

/// The name of a ledger account in the audit, from five columns: organisation, kind, account, chain, currency.
fn audited_name(row: &Row, first: usize) -> Result<String, StoreError> {
    Ok(format!(
        "{} {} account {} chain {} {}",
        row.text(first)?,
        row.text(first + 1)?,
        row.int(first + 2)?,
        row.int(first + 3)?,
        row.text(first + 4)?
    ))
}

/// All ledger accounts: the audit reads across organisations.
pub(crate) fn audit_accounts(database: &mut dyn Database) -> Result<Vec<Audited>, StoreError> {
    const ACCOUNTS: &str = "SELECT id, org_id, kind, account_id, chain_id, currency, posted, reserved FROM ledger_accounts ORDER BY id";
    let rows = database.query(ACCOUNTS, &[])?;
    rows.iter()
        .map(|row| {
            Ok(Audited {
                id: row.int(0)?,
                name: audited_name(row, 1)?,
                posted: row.amount(6)?,
                reserved: row.amount(7)?,
            })
        })
        .collect()
}

/// A posting for the audit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posting {
    pub(crate) id: i64,
    pub(crate) transfer: i64,
    pub(crate) ledger_account: i64,
    pub(crate) units: i128,
    pub(crate) balance_after: i128,
}

columns! { Posting { id, transfer, ledger_account, units, balance_after } }

/// The next postings by id: the audit reads them in batches.
pub(crate) fn audit_postings(
    database: &mut dyn Database,
    after: i64,
    limit: u32,
) -> Result<Vec<Posting>, StoreError> {
    const POSTINGS: &str = "SELECT id, transfer_id, ledger_account_id, amount, balance_after FROM postings \
         WHERE id > ?1 ORDER BY id LIMIT ?2";
    columns::all(&database.query(POSTINGS, &[after.into(), limit.into()])?)
}

/// Confirmed movements without a transfer; there must be none.
pub(crate) fn audit_unbooked(database: &mut dyn Database) -> Result<Vec<i64>, StoreError> {
    const UNBOOKED: &str = "SELECT id FROM movements WHERE status = 'Confirmed' AND transfer_id IS NULL ORDER BY id LIMIT 100";
    database
        .query(UNBOOKED, &[])?
        .iter()
        .map(|row| row.int(0))
        .collect()
}

/// A row that refers to one that does not exist.
#[derive(Debug, Clone)]
pub(crate) struct DanglingReference {
    /// The row's table, and the one that it refers to.
    pub(crate) tables: (&'static str, &'static str),
    pub(crate) row: String,
    pub(crate) other_row: String,
}

/// References of the tables that every deposit writes: the table, its row's id, the column, and the table that it refers to.
const REFERENCES: [[&str; 4]; 7] = [
    ["postings", "CAST(r.id AS TEXT)", "transfer_id", "transfers"],
    [
        "movements",
        "CAST(r.id AS TEXT)",
        "transfer_id",
        "transfers",
    ],
    ["movements", "CAST(r.id AS TEXT)", "account_id", "accounts"],
    [
        "movement_lists",
        "CAST(r.account_id AS TEXT) || ':' || CAST(r.seq AS TEXT)",
        "movement_id",
        "movements",
    ],
    [
        "chain_transactions",
        "CAST(r.id AS TEXT)",
        "movement_id",
        "movements",
    ],
    [
        "chain_transactions",
        "CAST(r.id AS TEXT)",
        "chain_id",
        "chains",
    ],
    ["events", "r.id", "org_id", "organisations"],
];

/// Rows of the tables that every deposit writes that refer to no row, at most 100 per reference; there must be none. On PostgreSQL no
/// foreign key says so.
pub(crate) fn audit_dangling(
    database: &mut dyn Database,
) -> Result<Vec<DanglingReference>, StoreError> {
    let mut dangling = Vec::new();
    for [table, id, column, other] in REFERENCES {
        let sql = format!(
            "SELECT {id}, CAST(r.{column} AS TEXT) FROM {table} r LEFT JOIN {other} o ON o.id = r.{column} \
             WHERE r.{column} IS NOT NULL AND o.id IS NULL ORDER BY 1 LIMIT 100"
        );
        for row in database.query(&sql, &[])? {
            dangling.push(DanglingReference {
                tables: (table, other),
                row: row.text(0)?.to_owned(),
                other_row: row.text(1)?.to_owned(),
            });
        }
    }
    Ok(dangling)
}

/// Amounts reserved by pending work, by ledger account name: payouts with their network and service fees, sold money of orders. Nothing
/// is reserved for withdrawals from the merchants' own wallets.
pub(crate) fn audit_reserved(
    database: &mut dyn Database,
) -> Result<Vec<(String, i128)>, StoreError> {
    const RESERVED: &str = "WITH leaving AS (SELECT m.*, a.chain_id AS on_chain FROM movements m \
         JOIN accounts a ON a.org_id = m.org_id AND a.id = m.account_id \
         WHERE m.direction = 'OUT' AND m.status IN ('Pending', 'Processing') \
         AND NOT EXISTS (SELECT 1 FROM chain_transactions t WHERE t.chain_id = m.chain_id AND t.hash = m.transaction_hash \
         AND t.org_id = m.org_id AND t.direction = 'OUT' AND t.movement_id = m.id)) \
         SELECT org_id, 'merchant', account_id, on_chain, currency, amount FROM leaving \
         UNION ALL SELECT org_id, 'merchant', account_id, on_chain, fee_currency, fee FROM leaving WHERE fee IS NOT NULL \
         UNION ALL SELECT m.org_id, 'merchant', m.account_id, m.on_chain, m.currency, p.service_fee FROM leaving m \
         JOIN payouts p ON p.org_id = m.org_id AND p.movement_id = m.id";
    let rows = database.query(RESERVED, &[])?;
    rows.iter()
        .map(|row| Ok((audited_name(row, 0)?, row.amount(5)?)))
        .collect()
}

/// The balance of merchants and the service in a currency on a chain, across organisations, without the merchants' own wallets.
pub(crate) fn held_on_chain(
    database: &mut dyn Database,
    chain: ChainId,
    currency: &Currency,
) -> Result<i128, StoreError> {
    /// Ledger accounts per query.
    const PAGE: u32 = 5000;
    const BALANCES: &str = "SELECT id, posted, account_id FROM ledger_accounts WHERE chain_id = ?1 AND currency = ?2 \
         AND kind IN ('merchant', 'fees') AND id > ?3 ORDER BY id LIMIT ?4";
    let own: HashSet<i64> = (super::account::own_wallets(database, chain)?.iter())
        .map(|account| account.id.get())
        .collect();
    let (mut sum, mut after) = (0_i128, 0_i64);
    loop {
        let named = [
            chain.into(),
            currency.as_str().into(),
            after.into(),
            PAGE.into(),
        ];
        let rows = database.query(BALANCES, &named)?;
        let Some(last) = rows.last() else {
            return Ok(sum);
        };
        after = last.int(0)?;
        for row in &rows {
            if !own.contains(&row.int(2)?) {
                sum = sum.saturating_add(columns::get(row, 1)?);
            }
        }
    }
}
