//! Payment links: on sale or not, many at once, QR code.

use crate::text::language::{filled, said};

texts! {
    on_sale = "On sale";
    taken_off = "Off sale: its page takes no payments";
    put_on = "On sale again";
    put_on_sale = "Put on sale";
    take_off_sale = "Take off sale";
    edit_together = "Edit together";
    edit_links = "Edit payment links";
    edit_links_lead = "Each line is saved by itself, and says what came of it. What failed can be tried again alone.";
    result = "Result";
    as_it_was = "As it was";
    changed = "Changed";
    saving = "Saving";
    not_saved = "Not saved";
    back_to_links = "Back to the payment links";
    no_links_picked = "No payment links are picked";
    no_links_picked_why = "Pick some in the list, by their boxes or with x, and choose to edit them together.";
    qr_code = "QR code";
    qr_of_link = "QR code of the payer’s page";
    save_qr = "Download as SVG";
    where_money_goes = "Where the money goes";
    where_money_goes_why = "Without a choice, to whichever account serves the chain the payer picks.";
    accounts_ticked = "Only these accounts";
    account_ref = "Virtual account";
    account_ref_hint = "Its reference, instead of single accounts.";
    own_data = "Your own data";
    own_data_hint = "One entry a line: a name, a colon, a value. It comes back with the record and its webhooks.";
    preview_after = "After the payment";
    preview_goes_to = "Then on to";
}

pub(crate) fn save_of(count: usize) -> String {
    match count {
        0 => said("Nothing to save").to_owned(),
        1 => said("Save 1 change").to_owned(),
        count => say!("Save {count} changes", count),
    }
}

pub(crate) fn retry_of(count: usize) -> String {
    if count == 1 {
        said("Try the failed one again").to_owned()
    } else {
        say!("Try the {count} failed again", count)
    }
}

pub(crate) fn saved_of(saved: usize, failed: usize) -> String {
    if failed == 0 {
        say!("{saved} saved", saved)
    } else {
        say!("{saved} saved, {failed} not saved", saved, failed)
    }
}

/// Label of a grid cell for screen readers.
pub(crate) fn cell_of(column: &str, row: &str) -> String {
    format!("{column}, {row}")
}
