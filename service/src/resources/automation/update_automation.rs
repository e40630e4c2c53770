//! Changes an automation's rule, or pauses it.

use settlekit_core::automation::{
    ActionType, Automation, AutomationCondition, UpdateAutomation, UpdateAutomationBody,
};
use settlekit_core::error::Reason;

use super::{check_connected, decimal_places, pause, shown};
use crate::resources::event;
use crate::store;
use crate::store::automation::Action;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn update_automation(
    unit: &mut Unit<'_>,
    call: Received<UpdateAutomation>,
) -> Outcome<Automation> {
    let organisation = call.caller.organisation;
    let (before, mut rule) =
        store::automation::lock(unit.database, organisation, call.path.automation_id)?
            .ok_or_else(|| Refusal::not_found("automation"))?;
    let UpdateAutomationBody {
        enabled: wanted,
        amount,
        schedule,
    } = call.body;
    let account = store::account::LISTING.find(unit.database, organisation, before.account_id)?;
    // Re-enabling, or changing a threshold, pays out or converts at the next run.
    if wanted == Some(true) || amount.is_some() {
        call.caller.need_to_send_out()?;
        if let Some(account) = &account {
            check_connected(unit, account)?;
        }
    }
    if let Some(amount) = amount {
        let account =
            account.ok_or_else(|| StoreError::Damaged("an automation has no account".into()))?;
        let finest = decimal_places(unit, &account, &rule.currency)?;
        amount
            .to_units(finest)
            .map_err(|error| Refusal::amount("amount", error))?;
        let range = |message| Refusal::field("amount", Reason::OutOfRange, message);
        match &mut rule.action {
            Action::PayOut { .. } if before.action_type == ActionType::Sweep => {
                if amount.is_zero() {
                    return Err(range("must be greater than zero".to_owned()));
                }
                rule.threshold = amount;
            }
            Action::PayOut { minimum, .. } => {
                if amount >= rule.threshold {
                    let most = rule.threshold;
                    let message = format!("must be less than the payout threshold of {most}");
                    return Err(range(message));
                }
                *minimum = amount;
            }
            Action::Convert { .. } => rule.threshold = amount,
        }
    }
    let enabled = wanted.unwrap_or(before.enabled);
    let action = event::action_of_switch(before.enabled, enabled);
    let condition = before.condition.map(|condition| AutomationCondition {
        amount: amount.unwrap_or(condition.amount),
        ..condition
    });
    let automation = Automation {
        enabled,
        action: Some(shown(&rule)),
        condition,
        schedule: schedule.or(before.schedule),
        updated_at: unit.now,
        ..before
    };
    if wanted == Some(true) {
        rule.failures.clear();
    }
    let automation = pause::shown(unit, automation, &rule);
    // Due at once: the change may apply to the current balance.
    let due_at = enabled.then_some(unit.now);
    store::automation::update(
        unit.database,
        organisation,
        &automation,
        &rule,
        due_at,
        None,
    )?;
    event::record(unit, organisation, action, &automation)?;
    Ok(automation)
}
