//! Payouts of an automation that fail. Each costs the network's fee, so nothing more is paid out of that account for a while, longer
//! each time; and when that does not help, the automation is disabled.

use std::time::Duration;

use serde_json::json;
use settlekit_core::automation::{Automation, AutomationReason};
use settlekit_core::event::EventAction;
use settlekit_core::payment::Payment;
use settlekit_core::value::{AccountId, AutomationId, Object, Timestamp};

use crate::resources::account;
use crate::store;
use crate::store::automation::{Failures, Rule};
use crate::store::sql::StoreError;
use crate::unit::Unit;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// How long an account rests after the first payout that failed, after the second in a row, and so on. The failure after the last of
/// these disables the automation.
const PAUSES: [Duration; 4] = [
    Duration::from_secs(15 * MINUTE),
    Duration::from_secs(HOUR),
    Duration::from_secs(6 * HOUR),
    Duration::from_secs(24 * HOUR),
];

/// Where a payout names the automation that made it, in its `properties`.
const MADE_BY: &str = "automation_id";

/// What a payout of an automation bears.
pub(super) fn properties(id: AutomationId) -> Object {
    Object::from_iter([(MADE_BY.to_owned(), json!(id))])
}

fn made_by(payout: &Payment) -> Option<AutomationId> {
    let id = payout.properties.as_ref()?.get(MADE_BY)?;
    AutomationId::new(id.as_i64()?)
}

/// The automation with what its rule knows of payouts that failed.
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

/// When something may be paid out again that may not be now.
pub(super) fn next_end(unit: &Unit<'_>, rule: &Rule) -> Option<Timestamp> {
    let ends = rule.failures.iter().map(|failures| failures.paused_until);
    ends.filter(|until| *until > unit.now).min()
}

/// Takes note that a payout from an account failed, if an automation made it.
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

/// Takes note that a payout from an account was confirmed: what failed before is over.
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

/// The automation that made a payout; none when nobody's did or when it has been ended.
fn lock_maker(
    unit: &mut Unit<'_>,
    payout: &Payment,
) -> Result<Option<(Automation, Rule)>, StoreError> {
    match made_by(payout) {
        Some(id) => store::automation::lock(unit.database, payout.org_id, id),
        None => Ok(None),
    }
}

/// What is known of an account's failures, which is forgotten.
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
    // The next round finds out when it is looked at again.
    let due_at = automation.enabled.then_some(unit.now);
    let organisation = payout.org_id;
    store::automation::update(unit.database, organisation, &automation, rule, due_at, None)?;
    account::record(unit, organisation, action, &automation)
}
