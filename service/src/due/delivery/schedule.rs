//! The retry schedule (Standard Webhooks 1.0, "Deliverability and reliability").

use std::time::Duration;

use settlekit_core::value::Timestamp;

use crate::random::Random;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// The delay after each failed attempt; the first attempt is immediate.
pub const SCHEDULE: [Duration; 9] = [
    SECOND.saturating_mul(5),
    MINUTE.saturating_mul(5),
    MINUTE.saturating_mul(30),
    HOUR.saturating_mul(2),
    HOUR.saturating_mul(5),
    HOUR.saturating_mul(10),
    HOUR.saturating_mul(14),
    HOUR.saturating_mul(20),
    HOUR.saturating_mul(24),
];

/// Automatic attempts per event.
pub const ATTEMPTS_MAX: u32 = SCHEDULE.len() as u32 + 1;

/// The longest `Retry-After` that is honoured.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// The time of the attempt after the `number`th; `None` after the last.
///
/// Up to a tenth of the delay is added as jitter, so that calls do not hit a recovering endpoint at once.
pub(crate) fn next(
    number: u32,
    now: Timestamp,
    asked: Option<Duration>,
    random: &mut Random,
) -> Option<Timestamp> {
    let wait = SCHEDULE.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
    let jitter =
        Duration::from_millis(random.below(u64::try_from(wait.as_millis() / 10).unwrap_or(1)));
    let wait = asked.map_or(*wait, |asked| asked.min(RETRY_AFTER_MAX).max(*wait));
    Some(now.plus(wait + jitter))
}
