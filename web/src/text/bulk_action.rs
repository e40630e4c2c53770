//! Bulk actions, and notices about missing roles.

use crate::text::language::{filled, said};

texts! {
    record_id = "Id";
    bulk_waiting = "Waiting";
    bulk_running = "Under way";
    bulk_one_done = "Done";
    bulk_again = "Try what is left again";
    retry_together = "Deliver again";
    retry_together_why = "Each of the picked events is sent to the endpoint once more, as it was.";
    pause_together = "Pause";
    pause_together_why = "No invoices are made for them until they are resumed. One that is not active is left as it is and says so.";
    resume_together = "Resume";
    resume_together_why = "Invoices are made for them again. One that is not paused is left as it is and says so.";
    end_together = "Cancel at the period’s end";
    end_together_why = "Each ends when what was paid for is over.";
    put_on_sale_why = "Their pages take payments again.";
    take_off_sale_why = "Their pages take no payments until they are put on sale again.";
    delete_together = "Delete";
    delete_together_why = "Their pages take no payments from now on, and they cannot be brought back.";
    only_reading = "Only to be read";
    no_chain = "No chain is connected";
    no_chain_why = "Nothing can be received or sent until the operator connects one.";
    no_venue = "No trading venue is connected";
    no_venue_why = "Nothing can be traded until the operator connects one.";
    no_prices = "No price source is connected: no amounts in US dollars.";
    only_reading_why = "Your role does not let you change this. An owner of the organisation can give you another.";
}

pub(crate) fn bulk_done(done: usize, failed: usize, all: usize) -> String {
    if failed == 0 {
        say!("{done} of {all} done", done, all)
    } else {
        say!("{done} of {all} done, {failed} failed", done, all, failed)
    }
}

pub(crate) fn bulk_stopped(act: &str, so_far: &str) -> String {
    say!("“{act}” was stopped: {so_far}.", act, so_far)
}

pub(crate) fn show_all_of(bytes: &str) -> String {
    say!("Show all {bytes} bytes", bytes)
}
