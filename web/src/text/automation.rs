//! Automations, and the organisations of a partner.

use settlekit_core::automation::{
    ActionType, Automation, AutomationCondition, AutomationSchedule, Comparison,
};

use crate::text::language::{filled, translate};
use crate::text::words::words;

texts! {
    automations = "Automations";
    automations_lead = "Rules that run on your accounts, or on those of organisations you manage as a partner.";
    automations_why = "Each runs on schedule and when the balance changes. After a failed payout or conversion it waits, longer each time; after five in a row it is disabled.";
    paused_until = "Paused until";
    sub_merchant = "Sub-merchant";
    search_sub_merchants = "Name or ID";
    no_sub_merchant_found = "No matching sub-merchants.";
    sub_merchants = "Sub-merchants";
    sub_merchants_why = "Organisations you manage. You can act on behalf of each of them.";
    no_sub_merchants = "No sub-merchants";
    no_sub_merchants_hint = "Organisations you manage as a partner appear here. The operator of this service adds them.";
    organisation_id = "Organisation ID";
    balances_of_latest = "Available balances of the accounts with the latest movements.";
    account_reference = "Account reference";
    acting_for = "Acting on behalf of";
    stop_acting = "Return to your organisation";
    not_an_organisation = "Invalid organisation ID";
    not_an_organisation_why = "It starts with org_ and is shown in the organisation’s settings.";
    choose_account = "Choose an account";
    choose_account_hint = "Enter an account reference. As a partner, add the filter Sub-merchant first to act on its behalf.";
    balances_of_reference = "Available in the accounts with this reference.";
    no_automations = "No automations yet";
    no_automations_hint = "Keep a balance between two thresholds, or sell all of it once it is above one.";
    when_it_acts = "Trigger";
    schedule_word = "Schedule";
    with_every_change = "On every change";
    last_run = "Last run";
    switch_on = "Enable";
    switch_off = "Disable";
    switch_ask = "Change this automation?";
    switch_why = "While disabled, it does nothing. Once enabled, it checks the balance and retries what failed.";
    end_automation = "End";
    end_automation_ask = "End this automation?";
    end_automation_why = "It stops for good. You can create a new one.";
    automation_made = "Automation created";
    automation_ended = "Automation ended";
    maintain = "Maintain a balance";
    maintain_how = "How it works";
    maintain_how_long = "Below the minimum you are notified. Above the payout threshold, all but the minimum is paid out.";
    minimum = "Minimum";
    minimum_hint = "Notifies you below this.";
    threshold = "Payout threshold";
    threshold_hint = "Must be greater than the minimum.";
    surplus_to = "Pay the excess to";
    convert = "Convert a balance";
    convert_how_long = "Above the threshold, the whole balance is sold at the best price of all venues. If that costs more than the limit, it tries again after 15 minutes.";
    convert_from = "Currency to sell";
    convert_to = "Currency to buy";
    convert_above = "Threshold";
    convert_above_hint = "Sells when more than this is available.";
    convert_cost = "Cost limit (bps)";
    convert_cost_hint = "Fees, price impact and slippage together. 100 bps are 1 %.";
}

pub(crate) fn action(automation: &Automation) -> String {
    match &automation.action_type {
        ActionType::Sweep => translate("Sweep").to_owned(),
        ActionType::MaintainBalance => translate("Maintain balance").to_owned(),
        ActionType::Convert => {
            let action = automation.action.as_ref();
            let to = action.and_then(|action| action["to_currency"].as_str());
            let cost = action.and_then(|action| action["max_cost_bps"].as_i64());
            match to.zip(cost) {
                Some((to, cost)) => say!("Convert to {to}, at most {cost} bps", to, cost),
                None => translate("Convert").to_owned(),
            }
        }
        ActionType::Other(word) => words(word),
    }
}

pub(crate) fn condition(condition: &AutomationCondition) -> String {
    let than = match &condition.comparison {
        Comparison::GreaterThan => translate("above").to_owned(),
        Comparison::LessThan => translate("below").to_owned(),
        Comparison::Other(word) => words(word),
    };
    format!(
        "{} {than} {} {}",
        words(condition.entity.as_str()),
        condition.amount,
        condition.amount_currency
    )
}

pub(crate) fn schedule(schedule: &AutomationSchedule) -> String {
    let at = schedule
        .time
        .as_ref()
        .map(|time| say!(" at {time} UTC", time))
        .unwrap_or_default();
    format!("{}{at}", words(schedule.frequency.as_str()))
}
