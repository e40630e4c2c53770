//! Payment links: enabled or not, many at once, QR code.

use crate::text::language::{filled, translate};

texts! {
    enabled = "Enabled";
    link_disabled = "Payment link disabled";
    link_enabled = "Payment link enabled";
    enable = "Enable";
    disable = "Disable";
    search_paylinks = "Name or reference";
    no_paylink_found = "No matching payment links.";
    edit_together = "Bulk edit";
    edit_links = "Edit payment links";
    edit_links_lead = "Each row is saved separately and shows its result. You can retry failed rows.";
    result = "Result";
    as_it_was = "Unchanged";
    changed = "Changed";
    saving = "Saving";
    not_saved = "Not saved";
    back_to_links = "Back to payment links";
    no_links_picked = "No payment links selected";
    no_links_picked_why = "Select some in the list, then choose Bulk edit.";
    qr_code = "QR code";
    qr_of_link = "QR code of the payment page";
    save_qr = "Download as SVG";
    where_money_goes = "Receiving accounts";
    where_money_goes_why = "By default, all your accounts. Accounts on test networks are offered only if selected, unless you have never had others.";
    accounts_ticked = "Only these accounts";
    account_ref = "Virtual account";
    account_ref_hint = "Its reference, instead of the accounts above.";
    own_data = "Metadata";
    own_data_hint = "One key: value per line. Returned by the API and in webhooks.";
    preview_goes_to = "Redirects to";

    save_of(count: usize) = "Save {count} changes", 0 = "Nothing to save", 1 = "Save 1 change";
    retry_of(count: usize) = "Retry {count} failed", 1 = "Retry 1 failed";
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
