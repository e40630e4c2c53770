//! Billing periods of plans and paylinks.

use super::{PlanType, RecurringInterval};
use crate::error::Reason;
use crate::validate::Report;

/// Billing period, with the caller's field names.
pub(crate) struct Period<'a> {
    pub(crate) interval: (&'static str, Option<&'a RecurringInterval>),
    pub(crate) count: (&'static str, Option<i64>),
    pub(crate) kind: Option<&'a PlanType>,
    pub(crate) has_trial: bool,
}

/// Reports a billing period that is missing for a recurring plan, given for a one-time plan, or invalid.
pub(crate) fn check_period(period: Period<'_>, report: &mut Report) {
    let (name, interval) = period.interval;
    match (period.kind, interval) {
        (Some(PlanType::Recurring), None) => {
            report.add_error(name, Reason::Required, "is required for a recurring plan");
        }
        (_, Some(RecurringInterval::Other(_) | RecurringInterval::Unknown)) => {
            report.add_error(
                name,
                Reason::UnknownValue,
                "must be Day, Week, Month or Year",
            );
        }
        // An unknown type neither requires nor excludes an interval.
        (Some(PlanType::Recurring | PlanType::Other(_)), Some(_)) | (_, None) => {}
        (_, Some(_)) => {
            report.add_error(
                name,
                Reason::Excluded,
                "must be absent unless `type` is Recurring",
            );
        }
    }
    let (name, count) = period.count;
    report.quantity(name, count, 1..=365);
    // Without recurrence, trial and interval count would promise something that never happens.
    for (name, given) in [(name, count.is_some()), ("trial_period", period.has_trial)] {
        if given && matches!(period.kind, None | Some(PlanType::OneTime)) {
            report.add_error(
                name,
                Reason::Excluded,
                "must be absent unless `type` is Recurring",
            );
        }
    }
}
