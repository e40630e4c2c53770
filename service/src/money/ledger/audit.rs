//! The audit: recomputes every balance from its postings, and every reserve from pending work.

use std::collections::BTreeMap;
use std::fmt;

use crate::store::ledger::{
    audit_accounts, audit_dangling, audit_postings, audit_reserved, audit_unbooked,
};
use crate::store::migrate::lift_statement_timeout;
#[cfg(not(target_family = "wasm"))]
use crate::store::order::audit_bought;
use crate::store::sql::{Access, Database, StoreError, transaction};

/// Amounts reserved by pending work, by ledger account name.
#[cfg(not(target_family = "wasm"))]
fn all_reserved(database: &mut dyn Database) -> Result<Vec<(String, i128)>, StoreError> {
    let mut reserved = audit_reserved(database)?;
    reserved.extend(audit_bought(database)?);
    Ok(reserved)
}

/// A service in wasm is a sandbox, whose orders reserve nothing that they bought.
#[cfg(target_family = "wasm")]
fn all_reserved(database: &mut dyn Database) -> Result<Vec<(String, i128)>, StoreError> {
    audit_reserved(database)
}

/// An inconsistency in the books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// A balance differs from the sum of its postings; in the currency's smallest unit.
    Balance {
        /// The ledger account.
        account: String,
        /// The stored balance.
        posted: i128,
        /// The sum of the postings.
        computed: i128,
    },
    /// A reserve differs from that of pending work; in the currency's smallest unit.
    Reserved {
        /// The ledger account.
        account: String,
        /// The stored reserve.
        reserved: i128,
        /// The reserve of pending work.
        computed: i128,
    },
    /// A posting's running balance is not the one before plus the posting.
    Running {
        /// The ledger account.
        account: String,
        /// The posting.
        posting: i64,
    },
    /// A transfer's postings do not sum to zero.
    Unbalanced {
        /// The transfer.
        transfer: i64,
    },
    /// A confirmed movement has no transfer.
    Unbooked {
        /// The movement.
        movement: i64,
    },
    /// A row refers to one that does not exist.
    Dangling {
        /// The row's table.
        table: &'static str,
        /// The row's id, or the columns of its key joined by colons.
        row: String,
        /// The table that it refers to.
        other_table: &'static str,
        /// The id that it refers to.
        other_row: String,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Balance {
                account,
                posted,
                computed,
            } => {
                write!(
                    f,
                    "{account}: the balance is {posted}, its postings add up to {computed}"
                )
            }
            Self::Reserved {
                account,
                reserved,
                computed,
            } => write!(
                f,
                "{account}: {reserved} is reserved, open work needs {computed}"
            ),
            Self::Running { account, posting } => write!(
                f,
                "{account}: posting {posting} does not follow from the one before"
            ),
            Self::Unbalanced { transfer } => {
                write!(f, "transfer {transfer} does not balance")
            }
            Self::Unbooked { movement } => write!(
                f,
                "movement {movement} is confirmed, but nothing was booked for it"
            ),
            Self::Dangling {
                table,
                row,
                other_table,
                other_row,
            } => write!(
                f,
                "row {row} of {table} refers to row {other_row} of {other_table}, which does not exist"
            ),
        }
    }
}

/// The result of an audit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Audit {
    /// Ledger accounts checked.
    pub accounts: u64,
    /// Postings checked.
    pub postings: u64,
    /// The inconsistencies.
    pub differences: Vec<Difference>,
}

/// Postings per query.
const BATCH: u32 = 10_000;

/// Audits the whole database in one snapshot.
///
/// # Errors
/// If the database cannot be read.
pub fn verify(database: &mut dyn Database) -> Result<Audit, StoreError> {
    transaction(database, Access::Read, |database| {
        // Whole tables are read.
        lift_statement_timeout(database)?;
        audit_all(database)
    })
}

/// The positions of trades at exchange accounts that differ from the books and the orders under way.
#[cfg(not(target_family = "wasm"))]
fn position_differences(database: &mut dyn Database) -> Result<Vec<Difference>, StoreError> {
    let mut differences = Vec::new();
    let audit = crate::money::exchange::audit(database)?;
    for ((chain, currency), [posted, computed]) in audit.posted {
        if posted != computed {
            differences.push(Difference::Balance {
                account: format!("position at exchange accounts, chain {chain} {currency}"),
                posted,
                computed,
            });
        }
    }
    for ((chain, currency, wallet), [reserved, computed]) in audit.reserved {
        if reserved != computed {
            differences.push(Difference::Reserved {
                account: format!(
                    "position at exchange accounts, chain {chain} {currency}, hot wallet {wallet}"
                ),
                reserved,
                computed,
            });
        }
    }
    Ok(differences)
}

fn audit_all(database: &mut dyn Database) -> Result<Audit, StoreError> {
    let accounts: BTreeMap<i64, _> = audit_accounts(database)?
        .into_iter()
        .map(|account| (account.id, account))
        .collect();
    let mut audit = Audit {
        accounts: accounts.len() as u64,
        ..Audit::default()
    };
    let mut sums: BTreeMap<i64, i128> = BTreeMap::new();
    // A transfer's postings are close together, so few sums are open at a time, per transfer and currency.
    let mut open: BTreeMap<(i64, String), i128> = BTreeMap::new();
    let mut after = i64::MIN;
    loop {
        let postings = audit_postings(database, after, BATCH)?;
        let Some(last) = postings.last() else { break };
        after = last.id;
        for posting in postings {
            audit.postings += 1;
            let Some(account) = accounts.get(&posting.ledger_account) else {
                audit.differences.push(Difference::Dangling {
                    table: "postings",
                    row: posting.id.to_string(),
                    other_table: "ledger_accounts",
                    other_row: posting.ledger_account.to_string(),
                });
                continue;
            };
            let sum = sums.entry(account.id).or_default();
            *sum = sum.saturating_add(posting.units);
            if *sum != posting.balance_after {
                audit.differences.push(Difference::Running {
                    account: account.name.clone(),
                    posting: posting.id,
                });
            }
            let asset = account
                .name
                .rsplit(" chain ")
                .next()
                .unwrap_or_default()
                .to_owned();
            let open_sum = open.entry((posting.transfer, asset)).or_default();
            *open_sum = open_sum.saturating_add(posting.units);
        }
        open.retain(|_, sum| *sum != 0);
    }
    audit.differences.extend(
        open.into_keys()
            .map(|(transfer, _)| Difference::Unbalanced { transfer }),
    );
    let mut reserved: BTreeMap<String, i128> = BTreeMap::new();
    for (account, units) in all_reserved(database)? {
        let sum = reserved.entry(account).or_default();
        *sum = sum.saturating_add(units);
    }
    for account in accounts.values() {
        let computed = reserved.remove(&account.name).unwrap_or(0);
        if computed != account.reserved {
            audit.differences.push(Difference::Reserved {
                account: account.name.clone(),
                reserved: account.reserved,
                computed,
            });
        }
        let computed = sums.get(&account.id).copied().unwrap_or(0);
        if computed != account.posted {
            audit.differences.push(Difference::Balance {
                account: account.name.clone(),
                posted: account.posted,
                computed,
            });
        }
    }
    #[cfg(not(target_family = "wasm"))]
    audit.differences.extend(position_differences(database)?);
    // Pending work without a ledger account.
    let missing = reserved.into_iter().filter(|(_, units)| *units != 0);
    audit
        .differences
        .extend(missing.map(|(account, computed)| Difference::Reserved {
            account,
            reserved: 0,
            computed,
        }));
    audit.differences.extend(
        audit_unbooked(database)?
            .into_iter()
            .map(|movement| Difference::Unbooked { movement }),
    );
    audit
        .differences
        .extend(audit_dangling(database)?.into_iter().map(|dangling| {
            let (table, other_table) = dangling.tables;
            Difference::Dangling {
                table,
                row: dangling.row,
                other_table,
                other_row: dangling.other_row,
            }
        }));
    Ok(audit)
}
