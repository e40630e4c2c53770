//! A run of an automation: compares the balance with the thresholds.

use serde::Serialize;
use settlekit_core::account::{Account, AccountSummary};
use settlekit_core::automation::Automation;
use settlekit_core::event::EventAction;
use settlekit_core::value::{Amount, AutomationId, Currency, OrganisationId};

use super::available::{Held, held, sum, surplus, too_large};
use super::{convert, pause, wait};
use crate::money::connection;
use crate::money::prices;
use crate::money::rounding::Rounding;
use crate::resources::account;
use crate::resources::payout::{self, NewPayout};
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
        } => maintain(
            unit,
            (automation, rule),
            &account,
            (minimum, address, was_low),
        ),
        Action::Convert { to, max_cost_bps } => {
            convert::run(unit, (automation, rule), &account, (&to, max_cost_bps))
        }
    }
}

/// Pays out the surplus of an account, and notifies its owner of a low balance.
fn maintain(
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
        let order = NewPayout::automatic(address.clone(), Some(pause::properties(id)));
        payout::send_within(unit, &account, (share, &rule.currency), order)?;
    }
    Ok(())
}
