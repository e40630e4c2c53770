//! Payment links beyond the first one: on sale or not, many at once, their code.

pub(crate) const ON_SALE: &str = "On sale";
pub(crate) const TAKEN_OFF: &str = "Off sale: its page takes no payments";
pub(crate) const PUT_ON: &str = "On sale again";
pub(crate) const PUT_ON_SALE: &str = "Put on sale";
pub(crate) const TAKE_OFF_SALE: &str = "Take off sale";
pub(crate) const EDIT_TOGETHER: &str = "Edit together";
pub(crate) const EDIT_LINKS: &str = "Edit payment links";
pub(crate) const EDIT_LINKS_LEAD: &str =
    "Each line is saved by itself, and says what came of it. What failed can be tried again alone.";
pub(crate) const RESULT: &str = "Result";
pub(crate) const AS_IT_WAS: &str = "As it was";
pub(crate) const CHANGED: &str = "Changed";
pub(crate) const SAVING: &str = "Saving";
pub(crate) const NOT_SAVED: &str = "Not saved";
pub(crate) const BACK_TO_LINKS: &str = "Back to the payment links";
pub(crate) const NO_LINKS_PICKED: &str = "No payment links are picked";
pub(crate) const NO_LINKS_PICKED_WHY: &str =
    "Pick some in the list, by their boxes or with x, and choose to edit them together.";
pub(crate) const QR_CODE: &str = "QR code";
pub(crate) const QR_OF_LINK: &str = "QR code of the payer’s page";
pub(crate) const SAVE_QR: &str = "Download as SVG";
pub(crate) const WHERE_MONEY_GOES: &str = "Where the money goes";
pub(crate) const WHERE_MONEY_GOES_WHY: &str =
    "Without a choice, to whichever account serves the chain the payer picks.";
pub(crate) const ACCOUNTS_TICKED: &str = "Only these accounts";
pub(crate) const ACCOUNT_REF: &str = "Virtual account";
pub(crate) const ACCOUNT_REF_HINT: &str = "Its reference, instead of single accounts.";
pub(crate) const OWN_DATA: &str = "Your own data";
pub(crate) const OWN_DATA_HINT: &str =
    "One entry a line: a name, a colon, a value. It comes back with the link and its webhooks.";
pub(crate) const PREVIEW_AFTER: &str = "After the payment";
pub(crate) const PREVIEW_GOES_TO: &str = "Then on to";

pub(crate) fn set_on_sale(count: usize, on: bool) -> String {
    let way = if on { "on" } else { "off" };
    if count == 1 {
        format!("1 link {way} sale")
    } else {
        format!("{count} links {way} sale")
    }
}

pub(crate) fn save_of(count: usize) -> String {
    match count {
        0 => "Nothing to save".to_owned(),
        1 => "Save 1 change".to_owned(),
        count => format!("Save {count} changes"),
    }
}

pub(crate) fn retry_of(count: usize) -> String {
    if count == 1 {
        "Try the failed one again".to_owned()
    } else {
        format!("Try the {count} failed again")
    }
}

pub(crate) fn saved_of(saved: usize, failed: usize) -> String {
    if failed == 0 {
        format!("{saved} saved")
    } else {
        format!("{saved} saved, {failed} not saved")
    }
}

/// A cell of the grid, named for those who cannot see its row.
pub(crate) fn cell_of(column: &str, row: &str) -> String {
    format!("{column}, {row}")
}
