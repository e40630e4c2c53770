//! Sandbox tools.

use crate::text::language::said;

texts! {
    payout_failure = "A payout that fails";
    payout_failure_why = "The simulated chain refuses it: the money and the service’s fee come back, the gas is spent.";
    payout_failure_id = "Payout";
    fail_payout = "Have it fail";
    payout_failed = "The payout fails";
    title = "Sandbox";
    lead = "No money here is real: time, deposits and faults are yours to make.";
    not_here = "This is no sandbox";
    not_here_lesson = "Real money moves here, so time and deposits cannot be made up.";
    clock = "Clock";
    clock_why = "Moves the service's clock forward, from one thing that is due to the next: blocks confirm, trials end, renewals bill, quotes lapse, deliveries are tried again. Time never goes back.";
    clock_now = "The service takes for now";
    clock_ahead = "Ahead of the real clock";
    move_on = "Move on by";
}
/// Choices for advancing the clock, in seconds, with labels.
pub(crate) fn stretches() -> [(i64, &'static str); 6] {
    [
        (60, said("1 minute")),
        (3_600, said("1 hour")),
        (86_400, said("1 day")),
        (7 * 86_400, said("7 days")),
        (30 * 86_400, said("30 days")),
        (365 * 86_400, said("365 days")),
    ]
}

texts! {
    deposit = "Deposit";
    deposit_why = "Sends money from nowhere to one of your accounts on the simulated chain. The blocks that follow confirm it.";
    send = "Send deposit";
    sent = "The deposit is on its way";
    reorganisation = "Reorganisation";
    reorganisation_why = "The simulated chain takes the block of a transaction back, as real chains sometimes do before it is deep enough: what was paid is not paid, or waits for its blocks anew.";
    reorganised_hash = "Transaction hash";
    reorganised_hash_hint = "Of a movement or a payment that is still being confirmed. A deposit that was sent here fills it in.";
    reorganised_returns = "It lies in another block at once, instead of being lost";
    reorganise = "Take the block back";
    reorganised = "The block was taken back";
    fault = "Fault";
    fault_why = "Makes the next calls fail, to see how your own program takes it. Calls of this dashboard meet it, too.";
    fault_operation = "Operation";
    fault_operation_hint = "Its name in the API reference, for instance CreatePaylink. Every operation when empty.";
    fault_reason = "Reason";
    fault_calls = "How many calls";
    fault_after = "Do the work all the same and lose only the answer";
    make_fault = "Make fault";
    fault_made = "The fault waits for its calls";
}

/// A duration in seconds as days and hours: `365 days 2 h`.
pub(crate) fn stretch(seconds: i64) -> String {
    let (days, hours, minutes) = (
        seconds / 86_400,
        seconds % 86_400 / 3_600,
        seconds % 3_600 / 60,
    );
    let parts: Vec<String> = [(days, said("d")), (hours, "h"), (minutes, "min")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| format!("{count} {unit}"))
        .collect();
    if parts.is_empty() {
        said("not at all").to_owned()
    } else {
        parts.join(" ")
    }
}
