//! Bulk actions, and notices about missing roles.

use crate::text::language::{filled, translate};

texts! {
    record_id = "ID";
    bulk_waiting = "Waiting";
    bulk_running = "In progress";
    bulk_one_done = "Done";
    bulk_again = "Retry the rest";
    retry_together_why = "Each selected event is sent to the endpoint again, unchanged.";
    pause_together_why = "No invoices are created until you resume them. Subscriptions that aren’t active are left unchanged.";
    resume_together_why = "Invoices are created again. Subscriptions that aren’t paused are left unchanged.";
    end_together_why = "Each ends with its paid period.";
    enable_links_why = "Their pages accept payments again.";
    disable_links_why = "Their pages accept no payments until you enable them.";
    delete_together = "Delete";
    delete_together_why = "Their pages stop accepting payments. This can’t be undone.";
    only_reading = "View only";
    no_chain = "No chain is connected";
    no_chain_why = "Nothing can be received or sent until the operator connects one.";
    no_venue = "No trading venue is connected";
    no_venue_why = "Nothing can be traded until the operator connects one.";
    no_prices = "No price source is connected: no amounts in US dollars.";
    no_total = "No total: a currency has no current price.";
    last_total = "Total at the last known prices, of";
    only_reading_why = "Your role can’t change this. Ask an owner for another role.";

    bulk_stopped(act: &str, so_far: &str) = "“{act}” was stopped: {so_far}.";
    show_all_of(bytes: &str) = "Show all {bytes} bytes";
}

pub(crate) fn bulk_done(done: usize, failed: usize, all: usize) -> String {
    if failed == 0 {
        say!("{done} of {all} done", done, all)
    } else {
        say!("{done} of {all} done, {failed} failed", done, all, failed)
    }
}
