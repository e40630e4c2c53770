//! The audit: every balance computed again from its postings, and what is reserved from the work under way.

use std::collections::BTreeMap;
use std::fmt;

use crate::store::ledger::{audit_accounts, audit_postings, audit_unbooked, audit_under_way};
use crate::store::sql::{Access, Database, StoreError};

/// Something in the books that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// A balance is not the sum of its postings; in the currency's smallest unit.
    Balance {
        /// Which ledger account.
        account: String,
        /// What stands there.
        posted: i128,
        /// What its postings come to.
        computed: i128,
    },
    /// What is reserved is not what work under way has set aside; in the currency's smallest unit.
    Reserved {
        /// Which ledger account.
        account: String,
        /// What stands there.
        reserved: i128,
        /// What the work under way comes to.
        computed: i128,
    },
    /// A posting's balance is not the one before it plus the posting.
    Running {
        /// Which ledger account.
        account: String,
        /// Which posting.
        posting: i64,
    },
    /// The postings of a transfer do not come to nothing.
    Unbalanced {
        /// Which transfer.
        transfer: i64,
    },
    /// A posting is about a ledger account that is not there.
    Stray {
        /// Which posting.
        posting: i64,
    },
    /// A movement is confirmed, but nothing was booked for it.
    Unbooked {
        /// Which movement.
        movement: i64,
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
                    "{account}: the balance is {posted}, its postings come to {computed}"
                )
            }
            Self::Reserved {
                account,
                reserved,
                computed,
            } => write!(
                f,
                "{account}: {reserved} is reserved, the work under way comes to {computed}"
            ),
            Self::Running { account, posting } => write!(
                f,
                "{account}: posting {posting} does not follow from the one before"
            ),
            Self::Unbalanced { transfer } => {
                write!(f, "transfer {transfer} does not come to nothing")
            }
            Self::Stray { posting } => write!(f, "posting {posting} is about no ledger account"),
            Self::Unbooked { movement } => write!(
                f,
                "movement {movement} is confirmed, but nothing was booked for it"
            ),
        }
    }
}

/// What the audit looked at, and what it found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Audit {
    /// Ledger accounts looked at.
    pub accounts: u64,
    /// Postings looked at.
    pub postings: u64,
    /// Everything that is not as it should be.
    pub differences: Vec<Difference>,
}

/// How many postings are read at once.
const PIECE: u32 = 10_000;

/// Computes every balance again from its postings, and what is reserved from the work under way, in one view of the database.
///
/// # Errors
/// When the database cannot be read.
pub fn verify(database: &mut dyn Database) -> Result<Audit, StoreError> {
    database.begin(Access::Read)?;
    let audit = look(database);
    database.rollback()?;
    audit
}

fn look(database: &mut dyn Database) -> Result<Audit, StoreError> {
    let accounts: BTreeMap<i64, _> = audit_accounts(database)?
        .into_iter()
        .map(|account| (account.id, account))
        .collect();
    let mut audit = Audit {
        accounts: accounts.len() as u64,
        ..Audit::default()
    };
    let mut sums: BTreeMap<i64, i128> = BTreeMap::new();
    // A transfer's postings lie close together: only open sums are kept, per transfer and currency.
    let mut open: BTreeMap<(i64, String), i128> = BTreeMap::new();
    let mut after = 0;
    loop {
        let postings = audit_postings(database, after, PIECE)?;
        let Some(last) = postings.last() else { break };
        after = last.id;
        for posting in postings {
            audit.postings += 1;
            let Some(account) = accounts.get(&posting.ledger_account) else {
                audit.differences.push(Difference::Stray {
                    posting: posting.id,
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
    let mut under_way: BTreeMap<String, i128> = BTreeMap::new();
    for (account, units) in audit_under_way(database)? {
        let sum = under_way.entry(account).or_default();
        *sum = sum.saturating_add(units);
    }
    for account in accounts.values() {
        let set_aside = under_way.remove(&account.name).unwrap_or(0);
        if set_aside != account.reserved {
            audit.differences.push(Difference::Reserved {
                account: account.name.clone(),
                reserved: account.reserved,
                computed: set_aside,
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
    // Work under way of what has no ledger account.
    let missing = under_way.into_iter().filter(|(_, units)| *units != 0);
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
    Ok(audit)
}
