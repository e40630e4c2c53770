//! Automations pay out or convert an account's balance above a threshold; they run on balance changes and by schedule.

mod available;
#[cfg(not(target_family = "wasm"))]
pub mod conversion_calls;
mod conversion_ended;
mod convert;
mod convert_balance;
mod maintain_balance;
mod pause;
mod run;
mod update_automation;

pub(crate) use conversion_ended::conversion_ended;
pub(crate) use convert_balance::convert_balance;
pub(crate) use maintain_balance::maintain_balance;
pub(crate) use pause::{payout_confirmed, payout_failed};
pub(crate) use run::run_due;
pub(crate) use update_automation::update_automation;

use serde_json::{Value, json};
use settlekit_core::account::Account;
use settlekit_core::automation::{
    ActionType, Automation, AutomationCondition, AutomationSchedule, Comparison, ConditionEntity,
    DeleteAutomation, Frequency, ListAutomations,
};
use settlekit_core::event::EventAction;
use settlekit_core::page::Page;
use settlekit_core::value::{
    AccountId, AutomationId, ChainId, Currency, OrganisationId, Timestamp,
};

use crate::money::connection;
use crate::resources::{account, event};
use crate::store;
use crate::store::automation::{Action, Rule};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn list_automations(
    unit: &mut Unit<'_>,
    call: Received<ListAutomations>,
) -> Outcome<Page<Automation>> {
    let organisation = call.caller.organisation;
    let accounts = account::with_sub_accounts(unit, organisation, &call.path.account_ref)?;
    let ids: Vec<AccountId> = accounts.iter().map(|account| account.id).collect();
    let page = store::automation::list(unit.database, organisation, &ids, &call.query)?;
    Ok(page)
}

/// Creates an enabled automation of an account, with its event.
fn create(unit: &mut Unit<'_>, account: &Account, rule: &Rule) -> Outcome<Automation> {
    let action_type = match &rule.action {
        // Without a minimum there is no low balance: everything is paid out.
        Action::PayOut { minimum, .. } if minimum.is_zero() => ActionType::Sweep,
        Action::PayOut { .. } => ActionType::MaintainBalance,
        Action::Convert { .. } => ActionType::Convert,
    };
    let build = |id, rule_id, created_at| Automation {
        id,
        account_id: account.id,
        rule_id: Some(rule_id),
        action: Some(shown(rule)),
        action_type,
        enabled: true,
        reason: None,
        paused_until: None,
        condition: Some(condition(rule)),
        schedule: None,
        last_run_at: None,
        created_at,
        updated_at: created_at,
        deleted_at: None,
    };
    let (organisation, of) = (account.org_id, (account.id, rule));
    let automation = store::automation::insert(unit.database, organisation, of, unit.now, build)?;
    event::record(unit, organisation, EventAction::Created, &automation)?;
    Ok(automation)
}

fn condition(rule: &Rule) -> AutomationCondition {
    let (amount, comparison) = match &rule.action {
        Action::PayOut { minimum, .. } if !minimum.is_zero() => (*minimum, Comparison::LessThan),
        Action::PayOut { .. } | Action::Convert { .. } => (rule.threshold, Comparison::GreaterThan),
    };
    AutomationCondition {
        amount,
        amount_currency: rule.currency.clone(),
        comparison,
        entity: ConditionEntity::Balance,
        asset_symbol: Some(rule.currency.clone()),
    }
}

/// Refuses an account on a chain that is not connected, or with such a sub-account: nothing could be paid out or converted.
fn check_connected(unit: &mut Unit<'_>, account: &Account) -> Outcome<()> {
    let chains = chains_of(unit, account)?;
    connection::all_connected(unit, chains.into_iter())
}

/// The rules of an account, its parent and its sub-accounts.
fn family_rules(unit: &mut Unit<'_>, account: &Account) -> Result<Vec<(i64, Rule)>, StoreError> {
    let below = store::account::chains_of(unit.database, account.org_id, account.id)?;
    let below = below.iter().map(|account| account.id);
    let mut rules = Vec::new();
    for id in below.chain([account.id]).chain(account.parent_id) {
        rules.extend(store::automation::rules(unit.database, account.org_id, id)?);
    }
    Ok(rules)
}

/// The chains of an account and its sub-accounts.
fn chains_of(unit: &mut Unit<'_>, account: &Account) -> Result<Vec<ChainId>, StoreError> {
    let below = store::account::chains_of(unit.database, account.org_id, account.id)?;
    let family = below.iter().chain([account]);
    Ok(family.filter_map(|one| one.chain_id).collect())
}

/// The most decimal places of a currency on an account's chains.
fn decimal_places(
    unit: &mut Unit<'_>,
    account: &Account,
    currency: &Currency,
) -> Result<u32, StoreError> {
    let mut finest = 0;
    for chain in chains_of(unit, account)? {
        if let Some(asset) = store::chain::asset(unit.database, chain, currency)? {
            finest = finest.max(asset.scale);
        }
    }
    Ok(finest)
}

pub(crate) fn delete_automation(
    unit: &mut Unit<'_>,
    call: Received<DeleteAutomation>,
) -> Outcome<Automation> {
    let organisation = call.caller.organisation;
    let (before, rule) =
        store::automation::lock(unit.database, organisation, call.path.automation_id)?
            .ok_or_else(|| Refusal::not_found("automation"))?;
    Ok(end(unit, organisation, before, &rule)?)
}

/// Ends the automations of a deleted account.
pub(crate) fn end_with(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    account: AccountId,
) -> Result<(), StoreError> {
    for (id, _) in store::automation::rules(unit.database, organisation, account)? {
        let Some(id) = AutomationId::new(id) else {
            continue;
        };
        if let Some((before, rule)) = store::automation::lock(unit.database, organisation, id)? {
            end(unit, organisation, before, &rule)?;
        }
    }
    Ok(())
}

fn end(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    before: Automation,
    rule: &Rule,
) -> Result<Automation, StoreError> {
    let automation = Automation {
        enabled: false,
        updated_at: unit.now,
        paused_until: None,
        deleted_at: Some(unit.now),
        ..before
    };
    let gone = Some(unit.now);
    store::automation::update(unit.database, organisation, &automation, rule, None, gone)?;
    event::record(unit, organisation, EventAction::Disabled, &automation)?;
    Ok(automation)
}

/// The action of an automation in its record: thresholds and target.
fn shown(rule: &Rule) -> Value {
    match &rule.action {
        Action::PayOut {
            minimum, address, ..
        } => json!({
            "minimum_threshold_amount": minimum,
            "payout_threshold_amount": rule.threshold,
            "payout_address": address.as_str(),
        }),
        Action::Convert { to, max_cost_bps } => json!({
            "to_currency": to,
            "threshold_amount": rule.threshold,
            "max_cost_bps": max_cost_bps,
        }),
    }
}

/// Updates an automation; it is next due by its schedule, the end of a pause, or a balance change.
fn wait(
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

/// The next run of a schedule after a time.
fn next_run(schedule: &AutomationSchedule, now: Timestamp) -> Option<Timestamp> {
    const HOUR: i64 = 60 * 60;
    const DAY: i64 = 24 * HOUR;
    let of_day = schedule
        .time
        .as_deref()
        .and_then(|time| time.split_once(':'))
        .and_then(|(hour, minute)| {
            Some(hour.parse::<i64>().ok()? * HOUR + minute.parse::<i64>().ok()? * 60)
        })
        .unwrap_or(0);
    let offset = schedule.offset.unwrap_or(0);
    let seconds = now.seconds();
    // The first time after now that is `phase` past a multiple of `length`.
    let after = |phase: i64, length: i64| {
        let turns = (seconds - phase).div_euclid(length) + 1;
        Some(Timestamp::from_micros((phase + turns * length) * 1_000_000))
    };
    match schedule.frequency {
        Frequency::Hourly => after(of_day % HOUR, HOUR),
        Frequency::Daily => after(of_day, DAY),
        // Days count from Monday; day 0 of Unix time was a Thursday.
        Frequency::Weekly => after((offset + 4) * DAY + of_day, 7 * DAY),
        Frequency::Monthly => next_monthly(now, offset, of_day),
        Frequency::Other(_) => None,
    }
}

/// The first time after now on a day of the month, counted from 0, at a second of the day.
fn next_monthly(now: Timestamp, offset: i64, of_day: i64) -> Option<Timestamp> {
    (0..64)
        .map(|days| now.day_number() + days)
        .map(|day| (day, Timestamp::from_day_number(day)))
        .filter(|(_, begins)| {
            let text = begins.day();
            text.get(8..10).and_then(|day| day.parse::<i64>().ok()) == Some(offset + 1)
        })
        .map(|(_, begins)| Timestamp::from_micros(begins.micros() + of_day * 1_000_000))
        .find(|at| *at > now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(frequency: Frequency, offset: i64, time: &str, now: &str, expected: &str) {
        let schedule = AutomationSchedule {
            frequency,
            offset: Some(offset),
            time: Some(time.to_owned()),
        };
        let now: Timestamp = now.parse().expect("a timestamp");
        let next = next_run(&schedule, now).expect("a timestamp");
        let expected: Timestamp = expected.parse().expect("a timestamp");
        assert_eq!(next, expected, "{schedule:?} after {now}");
    }

    #[test]
    fn a_schedule_runs_at_its_time() {
        use Frequency::{Daily, Hourly, Monthly, Weekly};
        // A Saturday.
        let now = "2026-11-21T09:30:00Z";
        check(Hourly, 0, "00:15", now, "2026-11-21T10:15:00Z");
        check(Daily, 0, "09:30", now, "2026-11-22T09:30:00Z");
        check(Daily, 0, "09:31", now, "2026-11-21T09:31:00Z");
        check(Weekly, 0, "08:00", now, "2026-11-23T08:00:00Z");
        check(Weekly, 5, "08:00", now, "2026-11-28T08:00:00Z");
        check(Monthly, 0, "00:00", now, "2026-12-01T00:00:00Z");
        check(Monthly, 20, "10:00", now, "2026-11-21T10:00:00Z");
        check(Monthly, 20, "09:00", now, "2026-12-21T09:00:00Z");
    }
}
