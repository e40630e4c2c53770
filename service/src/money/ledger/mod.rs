//! The ledger: balanced sets of postings. Only this module changes a balance.
//!
//! Postings are never updated: a correction is a new transfer. A merchant's balance never goes negative, and reserved money
//! cannot be spent.

#[cfg(feature = "bench")]
mod alone;
mod audit;

pub use audit::{Audit, Difference, verify};

use settlekit_core::error::Reason;
use settlekit_core::value::amount::UNITS_MAX;
use settlekit_core::value::{AccountId, ChainId, Currency, OrganisationId};

use crate::store::ledger::{self, Key};
use crate::store::sql::StoreError;
use crate::store::{automation, opening_balance};
use crate::unit::{Outcome, Refusal, Unit};

/// The holder of a ledger account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    /// A merchant's account.
    Merchant(AccountId),
    /// The outside world, as seen on the chain: deposits make it negative.
    Chain,
    /// The trading venue.
    Venue,
    /// The operator, who covers trades at an exchange account.
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "a service in wasm is a sandbox")
    )]
    Exchange,
    /// The service's revenue.
    Fees,
}

impl Holder {
    const fn kind(self) -> &'static str {
        match self {
            Self::Merchant(_) => "merchant",
            Self::Chain => "chain",
            Self::Venue => "venue",
            Self::Exchange => "exchange",
            Self::Fees => "fees",
        }
    }

    const fn account(self) -> Option<AccountId> {
        match self {
            Self::Merchant(account) => Some(account),
            Self::Chain | Self::Venue | Self::Exchange | Self::Fees => None,
        }
    }

    /// Whether the balance may go negative.
    const fn may_owe(self) -> bool {
        matches!(self, Self::Chain | Self::Venue | Self::Exchange)
    }
}

/// A posting to book: an amount in the currency's smallest unit, positive in, negative out.
#[derive(Debug, Clone)]
pub(crate) struct Leg {
    pub(crate) holder: Holder,
    pub(crate) chain: ChainId,
    pub(crate) currency: Currency,
    pub(crate) units: i128,
}

impl Leg {
    /// The ledger account.
    fn key(&self) -> Key {
        Key {
            kind: self.holder.kind(),
            account: self.holder.account(),
            chain: self.chain,
            currency: self.currency.clone(),
        }
    }
}

fn not_covered() -> Refusal {
    Refusal::because(
        Reason::InsufficientFunds,
        "the balance does not cover the amount",
    )
}

/// Books a set of postings that sums to zero per currency and chain; returns the transfer's id. A refused set writes nothing but
/// empty ledger accounts.
pub(crate) fn post(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    cause: &str,
    entity: Option<&str>,
    legs: &[Leg],
) -> Outcome<i64> {
    if !balanced(legs) {
        return Err(Refusal::Store(StoreError::Broken(format!(
            "the postings of {cause} do not balance"
        ))));
    }
    let mut legs: Vec<(Key, &Leg)> = legs.iter().map(|leg| (leg.key(), leg)).collect();
    // A fixed lock order: two transfers between the same accounts cannot deadlock. All reads come before the writes, so that the
    // writes can be sent in one batch.
    legs.sort_by(|(left, _), (right, _)| left.cmp(right));
    let mut keys: Vec<&Key> = legs.iter().map(|(key, _)| key).collect();
    keys.dedup();
    let mut balances = ledger::lock(unit.database, organisation, &keys)?;
    let today = unit.now.day_number();
    let mut entries = Vec::with_capacity(legs.len());
    let mut openings = Vec::new();
    for (key, leg) in &legs {
        let place = keys.iter().position(|known| *known == key);
        let balance = place.and_then(|place| balances.get_mut(place));
        let balance = balance.expect("every leg's account was read");
        let posted = balance
            .posted
            .checked_add(leg.units)
            .filter(|posted| posted.abs() <= UNITS_MAX);
        let Some(posted) = posted else {
            return Err(Refusal::because(
                Reason::AmountTooLarge,
                "the balance would be too large to represent exactly",
            ));
        };
        if leg.units < 0 && !leg.holder.may_owe() && posted < balance.reserved {
            return Err(not_covered());
        }
        if balance.posted_on < today {
            if matches!(leg.holder, Holder::Merchant(_)) {
                openings.push((key, balance.posted));
            }
            balance.posted_on = today;
        }
        balance.posted = posted;
        entries.push((key, *balance, leg));
    }
    let transfer = ledger::insert_transfer(unit.database, organisation, cause, entity, unit.now)?;
    for (key, posted) in openings {
        opening_balance::insert(unit.database, organisation, today, key, posted)?;
    }
    for (key, balance, leg) in entries {
        ledger::write(unit.database, organisation, key, balance)?;
        ledger::insert_posting(
            unit.database,
            organisation,
            transfer,
            balance.id,
            leg.units,
            balance.posted,
        )?;
        if let Holder::Merchant(account) = leg.holder {
            automation::wake(unit.database, organisation, account, unit.now)?;
        }
    }
    Ok(transfer)
}

/// Reserves money of a merchant's account for pending work; a negative amount releases it.
pub(crate) fn reserve(unit: &mut Unit<'_>, organisation: OrganisationId, leg: &Leg) -> Outcome<()> {
    let key = leg.key();
    let balances = ledger::lock(unit.database, organisation, &[&key])?;
    let balance = balances.first().copied().expect("the account was read");
    let reserved = balance
        .reserved
        .checked_add(leg.units)
        .filter(|reserved| (0..=balance.posted).contains(reserved));
    let Some(reserved) = reserved else {
        return Err(not_covered());
    };
    let balance = ledger::LedgerBalance {
        reserved,
        ..balance
    };
    ledger::write(unit.database, organisation, &key, balance)?;
    if let Holder::Merchant(account) = leg.holder
        && leg.units < 0
    {
        automation::wake(unit.database, organisation, account, unit.now)?;
    }
    Ok(())
}

fn balanced(legs: &[Leg]) -> bool {
    legs.iter().all(|leg| {
        let same = legs
            .iter()
            .filter(|other| other.chain == leg.chain && other.currency == leg.currency);
        same.map(|other| other.units)
            .try_fold(0_i128, i128::checked_add)
            == Some(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leg(chain: i64, currency: &str, units: i128) -> Leg {
        Leg {
            holder: Holder::Chain,
            chain: ChainId::new(chain).expect("a chain"),
            currency: currency.parse().expect("a currency"),
            units,
        }
    }

    #[test]
    fn postings_balance_per_chain_and_currency() {
        for (legs, expected) in [
            (vec![], true),
            (vec![leg(1, "USDC", 5), leg(1, "USDC", -5)], true),
            (
                vec![leg(1, "USDC", 5), leg(1, "USDC", -3), leg(1, "USDC", -2)],
                true,
            ),
            (
                vec![
                    leg(1, "USDC", 5),
                    leg(2, "USDC", 7),
                    leg(1, "USDC", -5),
                    leg(2, "USDC", -7),
                ],
                true,
            ),
            (vec![leg(1, "USDC", 5), leg(1, "USDC", -4)], false),
            (vec![leg(1, "USDC", 5), leg(2, "USDC", -5)], false),
            (vec![leg(1, "USDC", 5), leg(1, "EURC", -5)], false),
            (
                vec![
                    leg(1, "USDC", i128::MAX),
                    leg(1, "USDC", 1),
                    leg(1, "USDC", i128::MIN),
                ],
                false,
            ),
        ] {
            assert_eq!(balanced(&legs), expected, "{legs:?}");
        }
    }
}
