//! The sandbox: what only exists where no money is real.

pub(crate) const TITLE: &str = "Sandbox";
pub(crate) const LEAD: &str = "No money here is real: time, deposits and faults are yours to make.";
pub(crate) const NOT_HERE: &str = "This is no sandbox";
pub(crate) const NOT_HERE_LESSON: &str =
    "Real money moves here, so time and deposits cannot be made up.";
pub(crate) const CLOCK: &str = "Clock";
pub(crate) const CLOCK_WHY: &str = "Moves the service's clock forward, from one thing that is due to the next: blocks confirm, trials end, renewals bill, quotes lapse, deliveries are tried again. Time never goes back.";
pub(crate) const CLOCK_NOW: &str = "The service takes for now";
pub(crate) const CLOCK_AHEAD: &str = "Ahead of the real clock";
pub(crate) const MOVE_ON: &str = "Move on by";
pub(crate) const STRETCHES: [(i64, &str); 6] = [
    (60, "1 minute"),
    (3_600, "1 hour"),
    (86_400, "1 day"),
    (7 * 86_400, "7 days"),
    (30 * 86_400, "30 days"),
    (365 * 86_400, "365 days"),
];
pub(crate) const DEPOSIT: &str = "Deposit";
pub(crate) const DEPOSIT_WHY: &str = "Sends money from nowhere to one of your accounts on the simulated chain. The blocks that follow confirm it.";
pub(crate) const SEND: &str = "Send deposit";
pub(crate) const SENT: &str = "The deposit is on its way";
pub(crate) const FAULT: &str = "Fault";
pub(crate) const FAULT_WHY: &str = "Makes the next calls fail, to see how your own program takes it. Calls of this dashboard meet it, too.";
pub(crate) const FAULT_OPERATION: &str = "Operation";
pub(crate) const FAULT_OPERATION_HINT: &str =
    "Its name in the API reference, for instance CreatePaylink. Every operation when empty.";
pub(crate) const FAULT_REASON: &str = "Reason";
pub(crate) const FAULT_CALLS: &str = "How many calls";
pub(crate) const FAULT_AFTER: &str = "Do the work all the same and lose only the answer";
pub(crate) const MAKE_FAULT: &str = "Make fault";
pub(crate) const FAULT_MADE: &str = "The fault waits for its calls";

/// A stretch of seconds in days and hours: `365 days 2 h`.
pub(crate) fn stretch(seconds: i64) -> String {
    let (days, hours, minutes) = (
        seconds / 86_400,
        seconds % 86_400 / 3_600,
        seconds % 3_600 / 60,
    );
    let parts: Vec<String> = [(days, "d"), (hours, "h"), (minutes, "min")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| format!("{count} {unit}"))
        .collect();
    if parts.is_empty() {
        "not at all".to_owned()
    } else {
        parts.join(" ")
    }
}
