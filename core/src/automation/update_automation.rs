//! `PATCH /partners/automations/{automation_id}`.

use super::{Automation, AutomationSchedule, Frequency};
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::{Amount, AutomationId};

body! {
    /// Changes to an automation; absent fields stay unchanged.
    UpdateAutomationBody {
        /// Whether it runs.
        enabled: Option<bool>,
        /// New threshold of the condition: the threshold of a sweep or a conversion, else the minimum.
        amount: Option<Amount>,
        /// New schedule.
        schedule: Option<AutomationSchedule>,
    }
}

impl Validate for UpdateAutomationBody {
    fn validate(&self, report: &mut Report) {
        if self.enabled.is_none() && self.amount.is_none() && self.schedule.is_none() {
            report.add_error(
                "enabled",
                Reason::Required,
                "is required, or `amount`, or `schedule`",
            );
        }
        if let Some(amount) = self.amount {
            report.not_negative("amount", amount);
        }
        if let Some(schedule) = &self.schedule {
            schedule.check("schedule", report);
        }
    }
}

impl AutomationSchedule {
    /// Reports an invalid frequency, day or time of day, each under `field`.
    fn check(&self, field: &str, report: &mut Report) {
        report.known(&format!("{field}.frequency"), Some(&self.frequency));
        let days = match self.frequency {
            Frequency::Hourly | Frequency::Daily => Some(1),
            Frequency::Weekly => Some(7),
            Frequency::Monthly => Some(28),
            Frequency::Other(_) => None,
        };
        if let (Some(offset), Some(days)) = (self.offset, days)
            && !(0..days).contains(&offset)
        {
            report.add_error(
                &format!("{field}.offset"),
                Reason::OutOfRange,
                format!("must be at least 0 and less than {days}"),
            );
        }
        if self.time.as_deref().is_some_and(|time| !is_time(time)) {
            report.add_error(
                &format!("{field}.time"),
                Reason::TimestampMalformed,
                "must be a time of day such as 09:30",
            );
        }
    }
}

fn is_time(text: &str) -> bool {
    let Some((hour, minute)) = text.split_once(':') else {
        return false;
    };
    let below = |text: &str, limit: u8| {
        text.len() == 2
            && text.bytes().all(|byte| byte.is_ascii_digit())
            && text.parse().is_ok_and(|number: u8| number < limit)
    };
    below(hour, 24) && below(minute, 60)
}

operation! {
    /// Enables, disables or changes an automation.
    UpdateAutomation in "automation": PATCH "/partners/automations/{automation_id}",
    path: UpdateAutomationPath {
        /// The automation's id.
        automation_id: AutomationId,
    },
    body: UpdateAutomationBody,
    response: Automation,
    AUTH: Auth::Signed,
    SCOPE: Scope::Payout,
    DELEGATED: true,
}
