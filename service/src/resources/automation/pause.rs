//! Backoff for failing payouts and conversions of an automation. Each failure costs the network fee, so the account is paused,
//! longer each time; finally the automation is disabled.

use std::time::Duration;

use serde_json::json;
use settlekit_core::automation::{Automation, AutomationReason};
use settlekit_core::event::EventAction;
use settlekit_core::payment::Payment;
use settlekit_core::value::{AccountId, AutomationId, Object, OrganisationId, Timestamp};

use crate::resources::event;
use crate::store;
use crate::store::automation::{Failures, Rule};
use crate::store::sql::StoreError;
use crate::unit::Unit;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// The pause after the first, second … consecutive failure. One failure more disables the automation.
const PAUSES: [Duration; 4] = [
    Duration::from_secs(15 * MINUTE),
    Duration::from_secs(HOUR),
    Duration::from_secs(6 * HOUR),
    Duration::from_secs(24 * HOUR),
];

/// The key of the automation's id in the `properties` of a payout or quote.
const AUTOMATION_ID: &str = "automation_id";

/// The properties of an automation's payout or quote.
pub(super) fn properties(id: AutomationId) -> Object {
    Object::from_iter([(AUTOMATION_ID.to_owned(), json!(id))])
}

/// The automation that made a payout or a quote with these properties.
pub(super) fn automation_of(properties: Option<&Object>) -> Option<AutomationId> {
    properties
        .and_then(|properties| properties.get(AUTOMATION_ID)?.as_i64())
        .and_then(AutomationId::new)
}

/// The automation with its failures as reason and pause.
pub(super) fn shown(unit: &Unit<'_>, automation: Automation, rule: &Rule) -> Automation {
    let ends = rule.failures.iter().map(|failures| failures.paused_until);
    Automation {
        reason: rule.failures.last().map(|failures| failures.reason.clone()),
        paused_until: ends
            .max()
            .filter(|until| automation.enabled && *until > unit.now),
        ..automation
    }
}

pub(super) fn is_paused(unit: &Unit<'_>, rule: &Rule, account: AccountId) -> bool {
    let mut failures = rule.failures.iter();
    failures.any(|failures| failures.account == account && failures.paused_until > unit.now)
}

/// The earliest end of a pause.
pub(super) fn next_end(unit: &Unit<'_>, rule: &Rule) -> Option<Timestamp> {
    let ends = rule.failures.iter().map(|failures| failures.paused_until);
    ends.filter(|until| *until > unit.now).min()
}

/// Records a failed payout from an account, if an automation created it.
pub(crate) fn payout_failed(
    unit: &mut Unit<'_>,
    payout: &Payment,
    account: AccountId,
) -> Result<(), StoreError> {
    match automation_of(payout.properties.as_ref()) {
        Some(id) => failed(
            unit,
            (payout.org_id, id),
            account,
            AutomationReason::PayoutFailed,
        ),
        None => Ok(()),
    }
}

/// Clears an account's failures after a confirmed payout.
pub(crate) fn payout_confirmed(
    unit: &mut Unit<'_>,
    payout: &Payment,
    account: AccountId,
) -> Result<(), StoreError> {
    match automation_of(payout.properties.as_ref()) {
        Some(id) => succeeded(unit, (payout.org_id, id), account),
        None => Ok(()),
    }
}

/// Pauses an account after a failure, and disables the automation after too many. One that was deleted stays so.
pub(super) fn failed(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, AutomationId),
    account: AccountId,
    reason: AutomationReason,
) -> Result<(), StoreError> {
    let Some((automation, mut rule)) = store::automation::lock(unit.database, organisation, id)?
    else {
        return Ok(());
    };
    let before = take(&mut rule, account).map_or(0, |failures| failures.in_a_row);
    let pause = PAUSES.get(before as usize);
    rule.failures.push(Failures {
        account,
        in_a_row: before.saturating_add(1),
        refusals: 0,
        paused_until: pause.map_or(unit.now, |pause| unit.now.plus(*pause)),
        reason,
    });
    let enabled = automation.enabled && pause.is_some();
    let action = if enabled == automation.enabled {
        EventAction::Updated
    } else {
        EventAction::Disabled
    };
    let changed = Automation {
        enabled,
        ..automation
    };
    write(unit, organisation, changed, &rule, action)
}

/// Clears an account's failures.
pub(super) fn succeeded(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, AutomationId),
    account: AccountId,
) -> Result<(), StoreError> {
    let Some((automation, mut rule)) = store::automation::lock(unit.database, organisation, id)?
    else {
        return Ok(());
    };
    if take(&mut rule, account).is_none() {
        return Ok(());
    }
    write(unit, organisation, automation, &rule, EventAction::Updated)
}

/// Removes an account's refused conversion. Failures that cost gas still count.
pub(super) fn take_refusal(rule: &mut Rule, account: AccountId) -> bool {
    let before = rule.failures.len();
    rule.failures
        .retain(|failures| failures.account != account || failures.in_a_row > 0);
    rule.failures.len() < before
}

/// Removes and returns an account's failures.
pub(super) fn take(rule: &mut Rule, account: AccountId) -> Option<Failures> {
    let mut failures = rule.failures.iter();
    let place = failures.position(|failures| failures.account == account)?;
    Some(rule.failures.remove(place))
}

fn write(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    automation: Automation,
    rule: &Rule,
    action: EventAction,
) -> Result<(), StoreError> {
    let automation = Automation {
        updated_at: unit.now,
        ..shown(unit, automation, rule)
    };
    // Due at once: the next run sets the next due time.
    let due_at = automation.enabled.then_some(unit.now);
    store::automation::update(unit.database, organisation, &automation, rule, due_at, None)?;
    event::record(unit, organisation, action, &automation)
}
