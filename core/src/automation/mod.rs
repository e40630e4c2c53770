//! Automations: what happens to an account by itself (contract, "Automation").

mod delete_automation;
mod list_automations;
mod maintain_balance;
mod update_automation;

pub use delete_automation::{DeleteAutomation, DeleteAutomationPath};
pub use list_automations::{ListAutomations, ListAutomationsPath};
pub use maintain_balance::{
    MaintainBalance, MaintainBalanceBody, MaintainBalancePath, MaintainedBalance,
};
pub use update_automation::{UpdateAutomation, UpdateAutomationBody, UpdateAutomationPath};

use serde_json::Value;

use crate::given::given_record;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{AccountId, Amount, AutomationId, Currency, RuleId, Timestamp};

open_enum! {
    /// What an automation does.
    ActionType {
        /// Sends all of it on when it passes a threshold.
        Sweep,
        /// Sends on what lies above a minimum when a threshold is passed, and tells when it is below the minimum.
        MaintainBalance,
    }
}

open_enum! {
    /// How a condition compares.
    Comparison {
        /// More than the amount.
        GreaterThan,
        /// Less than the amount.
        LessThan,
    }
}

open_enum! {
    /// What a condition looks at.
    ConditionEntity {
        /// What the account holds.
        Balance,
    }
}

open_enum! {
    /// How often an automation runs by the clock.
    Frequency { Hourly, Daily, Weekly, Monthly }
}

open_enum! {
    /// Why an automation does not do all that it is for.
    AutomationReason {
        /// The last payout from one of its accounts failed on the chain.
        PayoutFailed,
    }
}

record! {
    /// An automation of an account.
    Automation {
        /// Unique id.
        id: AutomationId,
        /// The account it looks after.
        account_id: AccountId,
        /// The rule it comes from.
        rule_id?: RuleId,
        /// What it does: `minimum_threshold_amount`, `payout_threshold_amount` and `payout_address`.
        action?: Value,
        /// What it does.
        action_type: ActionType,
        /// Whether it runs.
        enabled: bool,
        /// Why it pays nothing out of an account, or was disabled.
        reason?: AutomationReason,
        /// Until when it pays nothing out of an account whose payout failed.
        paused_until?: Timestamp,
        /// When it acts.
        condition?: AutomationCondition,
        /// When it looks.
        schedule?: AutomationSchedule,
        /// When it last ran.
        last_run_at?: Timestamp,
        /// When it was made.
        created_at: Timestamp,
        /// When it last changed.
        updated_at: Timestamp,
        /// When it was ended, if it was.
        deleted_at?: Timestamp,
    }
}

record! {
    /// When an automation acts.
    AutomationCondition {
        /// The threshold.
        amount: Amount,
        /// The currency of `amount`.
        amount_currency: Currency,
        /// How it is compared.
        comparison: Comparison,
        /// What is looked at.
        entity: ConditionEntity,
        /// The asset that is looked at.
        asset_symbol?: Currency,
    }
}

record! {
    /// When an automation looks.
    AutomationSchedule {
        /// How often.
        frequency: Frequency,
        /// The day within the week or month, counted from 0.
        offset?: i64,
        /// The time of day, UTC, `HH:MM`.
        time?: String,
    }
}

given_record!(AutomationSchedule {
    frequency,
    offset,
    time
});
