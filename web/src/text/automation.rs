//! Automations, and the organisations of a partner.

use settlekit_core::automation::{ActionType, AutomationCondition, AutomationSchedule, Comparison};

use crate::text::language::{filled, said};
use crate::text::words::words;

texts! {
    automations = "Automations";
    automations_lead = "What happens to an account by itself: one of yours, or one of an organisation that you manage as its partner.";
    automations_why = "Each looks at the account when its balance changes and by its schedule. After a payout that failed it waits, longer each time; after five in a row it is disabled.";
    paused_until = "No payout before";
    sub_merchant = "Sub-merchant";
    sub_merchants = "Sub-merchants";
    sub_merchants_why = "The organisations that you manage. Act for one, and what you do here is done for it.";
    act_for = "Act for it";
    account_reference = "Account reference";
    account_reference_hint = "Its reference";
    acting_for = "You act for the sub-merchant";
    stop_acting = "Act for yourself again";
    not_an_organisation = "That is not an organisation’s id";
    not_an_organisation_why = "It begins with org_ and is shown in the organisation’s own settings. Nothing was asked.";
    choose_account = "Name an account";
    choose_account_lesson = "Enter the reference of an account. As a partner, enter the sub-merchant’s organisation id before it: everything here is then done for that organisation.";
    balances_of_reference = "What is available in the accounts of this reference.";
    no_automations = "No automations yet";
    no_automations_lesson = "Keep a balance between two thresholds: you are told when it is low, and what is too much is paid out.";
    what_it_does = "What it does";
    when_it_acts = "When it acts";
    schedule_word = "Looks";
    with_every_change = "With every change";
    last_run = "Last run";
    switch_on = "Enable";
    switch_off = "Disable";
    switch_ask = "Change this automation?";
    switch_why = "While it is disabled nothing happens by itself. Enabled, it looks at the balance at once, and pays out again where payouts have failed.";
    go_on = "Go on";
    end_automation = "End";
    end_automation_ask = "End this automation?";
    end_automation_why = "It does nothing more. Another one can be made in its place.";
    automation_made = "Automation created";
    automation_ended = "Automation ended";
    maintain = "Maintain a balance";
    maintain_how = "How it works";
    maintain_how_long = "Below the minimum you are told. Above the payout threshold, what lies above the minimum is paid out.";
    minimum = "Minimum";
    minimum_hint = "Below this you are told.";
    threshold = "Payout threshold";
    threshold_hint = "Must be greater than the minimum.";
    surplus_to = "The surplus goes to";
}

pub(crate) fn action(action: &ActionType) -> String {
    match action {
        ActionType::Sweep => said("Sweep").to_owned(),
        ActionType::MaintainBalance => said("Maintains a balance").to_owned(),
        ActionType::Other(word) => words(word),
    }
}

pub(crate) fn condition(condition: &AutomationCondition) -> String {
    let than = match &condition.comparison {
        Comparison::GreaterThan => said("above").to_owned(),
        Comparison::LessThan => said("below").to_owned(),
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
