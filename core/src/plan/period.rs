//! Billing periods as plans and paylinks name them.

use super::{PlanType, RecurringInterval};
use crate::error::Reason;
use crate::validate::Report;

/// How often something is billed, with the names the caller's fields have.
pub(crate) struct Period<'a> {
    pub(crate) interval: (&'static str, Option<&'a RecurringInterval>),
    pub(crate) count: (&'static str, Option<i64>),
    pub(crate) kind: Option<&'a PlanType>,
    pub(crate) has_trial: bool,
}

/// Complains about a period that is missing where something recurs, given where nothing does, or not one.
pub(crate) fn check_period(period: Period<'_>, report: &mut Report) {
    let (name, interval) = period.interval;
    match (period.kind, interval) {
        (Some(PlanType::Recurring), None) => {
            report.complain(name, Reason::Required, "is required for a recurring plan");
        }
        (_, Some(RecurringInterval::Other(_) | RecurringInterval::Unknown)) => {
            report.complain(
                name,
                Reason::UnknownValue,
                "must be Day, Week, Month or Year",
            );
        }
        // Where the kind is not known, nor is whether an interval belongs to it.
        (Some(PlanType::Recurring | PlanType::Other(_)), Some(_)) | (_, None) => {}
        (_, Some(_)) => {
            report.complain(
                name,
                Reason::Excluded,
                "must be absent unless `type` is Recurring",
            );
        }
    }
    let (name, count) = period.count;
    report.quantity(name, count, 1..=365);
    // A trial that nobody gets and a rhythm that nothing follows are not to be promised.
    for (name, given) in [(name, count.is_some()), ("trial_period", period.has_trial)] {
        if given && matches!(period.kind, None | Some(PlanType::OneTime)) {
            report.complain(
                name,
                Reason::Excluded,
                "must be absent unless `type` is Recurring",
            );
        }
    }
}
