//! What an operator does all day, whatever the page: picking rows, finding, saving views, taking lists away.

// --- Picking rows ---

pub(crate) const PICKED: &str = "Picked rows";
pub(crate) const PICK: &str = "Pick this row";
pub(crate) const PICK_ALL: &str = "Pick every row of this page";
pub(crate) const PICK_NONE: &str = "Pick none";

pub(crate) fn picked_of(count: usize) -> String {
    format!("{count} picked")
}

// --- The palette ---

pub(crate) const PALETTE: &str = "Find or go to";
pub(crate) const PALETTE_HINT: &str =
    "A page, an id, a reference, an address, a transaction, a customer";
pub(crate) const PALETTE_BUTTON: &str = "Find";
pub(crate) const PALETTE_KEYS: &str = "Ctrl K";
pub(crate) const ORDER_OF_TRADE: &str = "Order";
pub(crate) const QUOTE_OF_TRADE: &str = "Quote";
pub(crate) const PAGE: &str = "Page";
pub(crate) const ACT: &str = "Do";
pub(crate) const RECENT: &str = "Recent";
pub(crate) const SEARCHING: &str = "Looking…";
pub(crate) const APPEARANCE: &str = "Appearance";

pub(crate) fn found_of(count: usize) -> String {
    match count {
        0 => "Nothing found. Ids, references, addresses and hashes are matched whole.".to_owned(),
        1 => "1 found".to_owned(),
        count => format!("{count} found"),
    }
}

// --- Taking lists away ---

pub(crate) const EXPORT: &str = "Export";
pub(crate) const EXPORT_TITLE: &str = "Export this list";
pub(crate) const EXPORT_WHY: &str =
    "Everything that the filters match, not this page alone. Amounts are exact, times are in UTC.";
pub(crate) const EXPORT_CSV: &str = "CSV";
pub(crate) const EXPORT_JSON: &str = "JSON";
pub(crate) const STOP: &str = "Stop";

pub(crate) fn exported(count: &str) -> String {
    format!("{count} rows in the file")
}

pub(crate) fn export_progress(rows: &str, total: &str) -> String {
    format!("{rows} of {total}")
}

// --- Saved views ---

pub(crate) const VIEWS: &str = "Views";
pub(crate) const NO_VIEWS: &str =
    "Set some filters and keep them under a name. Views stay in this browser.";
pub(crate) const VIEW_NAME: &str = "Name of this view";

pub(crate) fn view_link_of(name: &str) -> String {
    format!("Link to {name}")
}

pub(crate) fn view_remove_of(name: &str) -> String {
    format!("Remove {name}")
}

// --- Chips ---

pub(crate) const CHIP_CLEAR: &str = "Clear";

pub(crate) fn chip(name: &str, value: &str) -> String {
    let label = match name {
        "since" => "From".to_owned(),
        "until" => "To".to_owned(),
        "sort" => "Order".to_owned(),
        "document_id" => "About".to_owned(),
        "customer_id" => "Customer".to_owned(),
        "delivery_status" => "Delivery".to_owned(),
        "payment_status" => "Payment".to_owned(),
        "visit_type" => "Visits".to_owned(),
        "order_by" => "Ordered by".to_owned(),
        other => super::words(other),
    };
    let value = match (name, value) {
        ("sort", "asc") => "Oldest first".to_owned(),
        ("since" | "until" | "search" | "document_id" | "customer_id", value) => value.to_owned(),
        (_, value) => super::words(value),
    };
    format!("{label}: {value}")
}
