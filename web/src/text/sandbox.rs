//! Sandbox tools.

use crate::text::language::translate;

texts! {
    payout_failure = "Failed payout";
    payout_failure_why = "The simulated chain rejects it: the money and the service fee come back, the gas is spent.";
    payout_failure_id = "Payout";
    fail_payout = "Force failure";
    payout_failed = "Payout failed";
    order_refusal = "Refused order";
    order_refusal_why = "The simulated venue refuses it: nothing is sold, and the reserved money is released.";
    order_refusal_id = "Order";
    refuse_order = "Refuse order";
    order_refused = "Order refused";
    title = "Sandbox";
    lead = "No real money here. You control time, deposits and failures.";
    not_here = "Not a sandbox";
    not_here_hint = "Real money moves here, so nothing can be simulated.";
    clock = "Clock";
    clock_why = "Moves the service clock forward through everything that comes due: confirmations, trials, renewals, quotes and webhook retries. It can’t go back.";
    clock_now = "Service time";
    clock_ahead = "Ahead of real time";
    move_on = "Advance by";
}
/// Choices for advancing the clock, in seconds, with labels.
pub(crate) fn clock_steps() -> [(i64, &'static str); 7] {
    [
        (60, translate("1 minute")),
        (3_600, translate("1 hour")),
        (86_400, translate("1 day")),
        (7 * 86_400, translate("7 days")),
        (14 * 86_400, translate("14 days")),
        (30 * 86_400, translate("30 days")),
        (365 * 86_400, translate("365 days")),
    ]
}

texts! {
    deposit = "Deposit";
    deposit_why = "Sends simulated money to one of your accounts. The next blocks confirm it.";
    send = "Send deposit";
    sent = "The deposit is on its way";
    reorganisation = "Chain reorg";
    reorganisation_why = "The simulated chain drops a transaction’s block, as real chains sometimes do: a payment is unpaid again or waits for new confirmations.";
    reorganised_hash = "Transaction hash";
    reorganised_hash_hint = "Of a movement or payment that is still confirming. A deposit sent here fills it in.";
    reorganised_returns = "Include it in a new block, instead of dropping it";
    reorganise = "Trigger reorg";
    reorganised = "Reorg triggered";
    price = "Simulated price";
    price_why = "For values, conversions and new quotes of the whole sandbox.";
    set_price = "Set price";
    price_set = "Price set";
    fault = "Fault";
    fault_why = "Makes the next calls fail, so you can test your own code. Affects this dashboard, too.";
    fault_operation = "Operation";
    fault_operation_hint = "As in the API reference, for example CreatePaylink. Empty: every operation.";
    fault_reason = "Reason";
    fault_calls = "Number of calls";
    fault_after = "Do the work, but drop the response";
    make_fault = "Create fault";
    fault_made = "Fault created";
}

/// A duration in seconds as days and hours: `365 days 2 h`.
pub(crate) fn duration_text(seconds: i64) -> String {
    let (days, hours) = (seconds / 86_400, seconds % 86_400 / 3_600);
    let minutes = seconds % 3_600 / 60;
    let parts: Vec<String> = [(days, translate("d")), (hours, "h"), (minutes, "min")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| format!("{count} {unit}"))
        .collect();
    if parts.is_empty() {
        translate("none").to_owned()
    } else {
        parts.join(" ")
    }
}
