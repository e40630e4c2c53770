//! A run of an automation: compares the balance with the thresholds.

use std::cmp::Reverse;

use serde::Serialize;
use settlekit_core::account::{Account, AccountSummary};
use settlekit_core::automation::Automation;
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::value::{Amount, AutomationId, Currency, OrganisationId};

use super::{convert, next_run, pause};
use crate::money::connection;
use crate::money::prices;
use crate::money::rounding::Rounding;
use crate::resources::account;
use crate::resources::payout::{self, Order};
use crate::store;
use crate::store::automation::{Action, Rule};
use crate::store::destination::Destination;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit, due_job};

/// The record of a low balance event.
#[derive(Debug, Serialize)]
struct LowBalance {
    account: AccountSummary,
    currency: Currency,
    amount: Amount,
    minimum_threshold_amount: Amount,
}

/// Runs due automations; returns how many were due.
pub(crate) fn run_due(unit: &mut Unit<'_>, limit: u32) -> Result<usize, StoreError> {
    due_job::run_each(unit, &store::due::AUTOMATIONS, limit, step)
}

pub(super) fn step(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: AutomationId,
) -> Outcome<()> {
    if store::organisation::is_suspended(unit.database, organisation)? {
        return Ok(reschedule(unit, organisation, id)?);
    }
    match unit.attempt(|unit| run(unit, organisation, id))? {
        Ok(()) => Ok(()),
        Err(Refusal::Store(error)) => Err(error.into()),
        // A refusal may not apply to the next balance.
        Err(_) => Ok(reschedule(unit, organisation, id)?),
    }
}

/// Schedules an automation for its next trigger.
fn reschedule(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: AutomationId,
) -> Result<(), StoreError> {
    if let Some((automation, rule)) = store::automation::lock(unit.database, organisation, id)? {
        wait(unit, organisation, &automation, &rule)?;
    }
    Ok(())
}

/// Updates an automation; it is next due by its schedule, the end of a pause, or a balance change.
pub(super) fn wait(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    automation: &Automation,
    rule: &Rule,
) -> Result<(), StoreError> {
    let automation = pause::shown(unit, automation.clone(), rule);
    let scheduled = automation
        .schedule
        .as_ref()
        .and_then(|schedule| next_run(schedule, unit.now));
    let next = scheduled
        .into_iter()
        .chain(pause::next_end(unit, rule))
        .min();
    let next = next.filter(|_| automation.enabled);
    store::automation::update(unit.database, organisation, &automation, rule, next, None)
}

pub(super) fn run(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    id: AutomationId,
) -> Outcome<()> {
    let Some((automation, rule)) = store::automation::lock(unit.database, organisation, id)? else {
        return Ok(());
    };
    let account = store::account::LISTING
        .find(unit.database, organisation, automation.account_id)?
        .ok_or_else(|| StoreError::Damaged("an automation has no account".into()))?;
    if !automation.enabled || account.deleted_at.is_some() {
        return Ok(wait(unit, organisation, &automation, &rule)?);
    }
    match rule.action.clone() {
        Action::PayOut {
            minimum,
            address,
            is_low: was_low,
        } => keep(
            unit,
            (automation, rule),
            &account,
            (minimum, address, was_low),
        ),
        Action::Convert { to, max_cost } => {
            convert::run(unit, (automation, rule), &account, (&to, max_cost))
        }
    }
}

/// Pays out the surplus of an account, and tells its owner when its balance is low.
fn keep(
    unit: &mut Unit<'_>,
    (automation, mut rule): (Automation, Rule),
    account: &Account,
    (minimum, address, was_low): (Amount, Destination, bool),
) -> Outcome<()> {
    let (organisation, id) = (account.org_id, automation.id);
    let held = held(unit, account, &rule.currency)?;
    let total = sum(held.iter().map(|held| held.amount))?;
    let is_low = total < minimum;
    if is_low && !was_low {
        let event = LowBalance {
            account: AccountSummary::from(account),
            currency: rule.currency.clone(),
            amount: total,
            minimum_threshold_amount: minimum,
        };
        let action = EventAction::LowBalanceDetected;
        account::record_of(unit, (organisation, account.id), action, &event)?;
    }
    rule.action = Action::PayOut {
        minimum,
        address: address.clone(),
        is_low,
    };
    // Before the payout: reserving money must not wake the automation again.
    let automation = Automation {
        last_run_at: Some(unit.now),
        ..automation
    };
    wait(unit, organisation, &automation, &rule)?;
    let held = surplus(unit, organisation, &rule.currency, held)?;
    let total = sum(held.iter().map(|held| held.amount))?;
    if total > rule.threshold {
        let surplus = total.minus(minimum).map_err(|_| too_large())?;
        pay_out(unit, id, &rule, held, (surplus, &address))?;
    }
    Ok(())
}

fn sum(mut amounts: impl Iterator<Item = Amount>) -> Outcome<Amount> {
    let total = amounts.try_fold(Amount::ZERO, |total, amount| total.plus(amount));
    total.map_err(|_| too_large())
}

/// The available balance of a currency on an account.
pub(super) struct Held {
    pub(super) account: Account,
    pub(super) amount: Amount,
    /// The currency's decimal places on the account's chain.
    scale: u32,
}

fn too_large() -> Refusal {
    Refusal::because(
        Reason::AmountTooLarge,
        "an amount is too large to be reckoned with exactly",
    )
}

/// The available balances of a currency on the account and its sub-accounts.
pub(super) fn held(
    unit: &mut Unit<'_>,
    account: &Account,
    currency: &Currency,
) -> Result<Vec<Held>, StoreError> {
    let below = store::account::chains_of(unit.database, account.org_id, account.id)?;
    let mut held = Vec::new();
    let family = below.into_iter().chain([account.clone()]);
    // The service cannot send from the merchant's own wallet.
    for account in family.filter(Account::is_held) {
        let Some(chain) = account.chain_id else {
            continue;
        };
        let Some(asset) = store::chain::asset(unit.database, chain, currency)? else {
            continue;
        };
        let balances = store::ledger::balances(unit.database, account.org_id, Some(account.id))?;
        let units: i128 = balances
            .iter()
            .filter(|balance| balance.currency == *currency)
            .map(|balance| balance.posted - balance.reserved)
            .sum();
        let amount = Amount::from_units(units, asset.scale)
            .map_err(|_| StoreError::Damaged("a balance is malformed".into()))?;
        held.push(Held {
            account,
            amount,
            scale: asset.scale,
        });
    }
    Ok(held)
}

/// The balances to pay out or convert, largest first, without amounts that open orders await.
pub(super) fn surplus(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    currency: &Currency,
    mut held: Vec<Held>,
) -> Outcome<Vec<Held>> {
    for held in &mut held {
        let awaited = store::order::awaited(unit.database, organisation, held.account.id)?;
        let awaited = awaited.into_iter().filter(|(sold, _)| sold == currency);
        let awaited = sum(awaited.map(|(_, amount)| Amount::from(amount)))?;
        held.amount = held
            .amount
            .minus(awaited.min(held.amount))
            .map_err(|_| too_large())?;
    }
    held.sort_by_key(|held| Reverse(held.amount));
    Ok(held)
}

/// Pays out the amount above the minimum, largest account first, with the network fees taken from it. Fractions too small for a
/// chain, and money of paused accounts, stay.
fn pay_out(
    unit: &mut Unit<'_>,
    id: AutomationId,
    rule: &Rule,
    mut held: Vec<Held>,
    (mut surplus, address): (Amount, &Destination),
) -> Outcome<()> {
    held.retain(|held| !pause::is_paused(unit, rule, held.account.id));
    for one in std::mem::take(&mut held) {
        // The low-balance notice does not depend on the connection.
        if let Some(chain) = one.account.chain_id
            && connection::of_chain(unit, chain)?.is_some()
        {
            held.push(one);
        }
    }
    for Held {
        account,
        amount,
        scale,
    } in held
    {
        let share = prices::in_units(surplus.min(amount), scale, Rounding::Down)
            .and_then(|units| Amount::from_units(units, scale).ok())
            .ok_or_else(too_large)?;
        if !share.is_positive() {
            break;
        }
        surplus = surplus.minus(share).map_err(|_| too_large())?;
        let order = Order::automatic(address.clone(), Some(pause::properties(id)));
        payout::send_within(unit, &account, (share, &rule.currency), order)?;
    }
    Ok(())
}
