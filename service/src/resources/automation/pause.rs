//! Backoff for failing payouts of an automation. Each failure costs the network fee, so the account is paused, longer each time;
//! finally the automation is disabled.

use std::time::Duration;

use serde_json::json;
use settlekit_core::automation::{Automation, AutomationReason};
use settlekit_core::event::EventAction;
use settlekit_core::payment::Payment;
use settlekit_core::value::{AccountId, AutomationId, Object, Timestamp};

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

/// The key of the automation's id in a payout's `properties`.
const AUTOMATION_ID: &str = "automation_id";

/// The properties of an automation's payout.
pub(super) fn properties(id: AutomationId) -> Object {
    Object::from_iter([(AUTOMATION_ID.to_owned(), json!(id))])
}

/// The automation with its failures as reason and pause.
pub(super) fn shown(unit: &Unit<'_>, automation: Automation, rule: &Rule) -> Automation {
    let ends = rule.failures.iter().map(|failures| failures.paused_until);
    Automation {
        reason: (!rule.failures.is_empty()).then_some(AutomationReason::PayoutFailed),
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
    let Some((automation, mut rule)) = lock_maker(unit, payout)? else {
        return Ok(());
    };
    let before = take(&mut rule, account).map_or(0, |failures| failures.in_a_row);
    let pause = PAUSES.get(before as usize);
    rule.failures.push(Failures {
        account,
        in_a_row: before.saturating_add(1),
        paused_until: pause.map_or(unit.now, |pause| unit.now.plus(*pause)),
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
    write(unit, payout, changed, &rule, action)
}

/// Clears an account's failures after a confirmed payout.
pub(crate) fn payout_confirmed(
    unit: &mut Unit<'_>,
    payout: &Payment,
    account: AccountId,
) -> Result<(), StoreError> {
    let Some((automation, mut rule)) = lock_maker(unit, payout)? else {
        return Ok(());
    };
    if take(&mut rule, account).is_none() {
        return Ok(());
    }
    write(unit, payout, automation, &rule, EventAction::Updated)
}

/// Locks the automation that created a payout; `None` if none did or it has ended.
fn lock_maker(
    unit: &mut Unit<'_>,
    payout: &Payment,
) -> Result<Option<(Automation, Rule)>, StoreError> {
    let properties = payout.properties.as_ref();
    let id = properties.and_then(|properties| properties.get(AUTOMATION_ID)?.as_i64());
    match id.and_then(AutomationId::new) {
        Some(id) => store::automation::lock(unit.database, payout.org_id, id),
        None => Ok(None),
    }
}

/// Removes and returns an account's failures.
fn take(rule: &mut Rule, account: AccountId) -> Option<Failures> {
    let mut failures = rule.failures.iter();
    let place = failures.position(|failures| failures.account == account)?;
    Some(rule.failures.remove(place))
}

fn write(
    unit: &mut Unit<'_>,
    payout: &Payment,
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
    let organisation = payout.org_id;
    store::automation::update(unit.database, organisation, &automation, rule, due_at, None)?;
    event::record(unit, organisation, action, &automation)
}
