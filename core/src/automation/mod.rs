//! Automations of accounts (contract, "Automation").

mod convert_balance;
mod delete_automation;
mod list_automations;
mod maintain_balance;
mod update_automation;

pub use convert_balance::{ConvertBalance, ConvertBalanceBody, ConvertBalancePath};
pub use delete_automation::{DeleteAutomation, DeleteAutomationPath};
pub use list_automations::{ListAutomations, ListAutomationsPath};
pub use maintain_balance::{
    MaintainBalance, MaintainBalanceBody, MaintainBalancePath, MaintainedBalance,
};
pub use update_automation::{UpdateAutomation, UpdateAutomationBody, UpdateAutomationPath};

use serde_json::Value;

use crate::decode::body_record;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{AccountId, Amount, AutomationId, Currency, RuleId, Timestamp};

open_enum! {
    /// Action of an automation.
    ActionType {
        /// Pays out the whole balance above a threshold.
        Sweep,
        /// Pays out the surplus over a minimum above a threshold, and sends an event below the minimum.
        MaintainBalance,
        /// Sells the balance above a threshold for another currency.
        Convert,
    }
}

open_enum! {
    /// Comparison of a condition.
    Comparison {
        /// Greater than the amount.
        GreaterThan,
        /// Less than the amount.
        LessThan,
    }
}

open_enum! {
    /// Subject of a condition.
    ConditionEntity {
        /// Balance of the account.
        Balance,
    }
}

open_enum! {
    /// Frequency of a schedule.
    Frequency { Hourly, Daily, Weekly, Monthly }
}

open_enum! {
    /// Why an automation is paused or disabled.
    AutomationReason {
        /// The last payout from one of its accounts failed on-chain.
        PayoutFailed,
        /// The last conversion would have cost more than its limit.
        CostTooHigh,
        /// No venue gave a quote for the last conversion, or no price source a price to compare it with.
        NoQuote,
        /// A venue refused the last conversion.
        VenueRefused,
    }
}

record! {
    /// An automation of an account.
    Automation {
        /// Unique id.
        id: AutomationId,
        /// Account it applies to.
        account_id: AccountId,
        /// Rule it belongs to.
        rule_id?: RuleId,
        /// Parameters: `minimum_threshold_amount`, `payout_threshold_amount` and `payout_address`; of a conversion `to_currency`,
        /// `threshold_amount` and `max_cost_bps`.
        action?: Value,
        /// Action.
        action_type: ActionType,
        /// Whether it runs.
        enabled: bool,
        /// Why payouts from an account or its conversions are paused, or the automation is disabled.
        reason?: AutomationReason,
        /// End of the pause after a failed payout or conversion.
        paused_until?: Timestamp,
        /// Condition for acting.
        condition?: AutomationCondition,
        /// Schedule of checks.
        schedule?: AutomationSchedule,
        /// Time of the last run.
        last_run_at?: Timestamp,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
        /// Deletion time; absent unless deleted.
        deleted_at?: Timestamp,
    }
}

record! {
    /// Condition for an automation to act.
    AutomationCondition {
        /// Threshold.
        amount: Amount,
        /// Currency of `amount`.
        amount_currency: Currency,
        /// Comparison with `amount`.
        comparison: Comparison,
        /// Subject of the comparison.
        entity: ConditionEntity,
        /// Asset of the comparison.
        asset_symbol?: Currency,
    }
}

body_record! {
    /// Schedule of an automation's checks.
    AutomationSchedule {
        /// Frequency.
        frequency: Frequency,
        /// Day of the week or month, counted from 0.
        offset?: i64,
        /// Time of day in UTC, `HH:MM`.
        time?: String,
    }
}
