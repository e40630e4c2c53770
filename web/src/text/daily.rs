//! Tools of every page: selection, palette, export, saved views.

use crate::text::language::{filled, said};
use crate::text::money;
use crate::text::words::words;

// --- Picking rows ---

texts! {
    picked = "Picked rows";
    pick = "Pick this row";
    pick_all = "Pick every row of this page";
    pick_none = "Pick none";
}

pub(crate) fn picked_of(count: usize) -> String {
    say!("{count} picked", count)
}

// --- The palette ---

texts! {
    palette = "Find or go to";
    palette_hint = "A page, an id, a reference, an address, a transaction, a customer";
    palette_button = "Find";
    palette_keys = "Ctrl K";
    order_of_trade = "Order";
    quote_of_trade = "Quote";
    page = "Page";
    act = "Do";
    recent = "Recent";
    searching = "Looking…";
    appearance = "Appearance";
}

pub(crate) fn found_of(count: usize) -> String {
    match count {
        0 => said("Nothing found. Ids, references, addresses and hashes are matched whole.")
            .to_owned(),
        1 => said("1 found").to_owned(),
        count => say!("{count} found", count),
    }
}

// --- Taking lists away ---

texts! {
    export = "Export";
    export_title = "Export this list";
    export_why = "Everything that the filters match, not this page alone. Amounts are exact, times are in UTC.";
    export_csv = "CSV";
    export_json = "JSON";
    export_moved = "The list changed too much meanwhile";
    export_moved_why = "Rows left it each time it was read, and others would be missing in the file. Nothing was saved.";
    stop = "Stop";
}

pub(crate) fn exported(count: &str) -> String {
    say!("{count} rows in the file", count)
}

pub(crate) fn export_progress(rows: &str, total: &str) -> String {
    say!("{rows} of {total}", rows, total)
}

// --- Saved views ---

texts! {
    views = "Views";
    no_views = "Set some filters and keep them under a name. Views stay in this browser.";
    view_name = "Name of this view";
}

pub(crate) fn view_link_of(name: &str) -> String {
    say!("Link to {name}", name)
}

pub(crate) fn view_remove_of(name: &str) -> String {
    say!("Remove {name}", name)
}

// --- Chips ---

texts! {
    chip_clear = "Clear";
}

pub(crate) fn chip(name: &str, value: &str) -> String {
    let label = match name {
        "since" => said("From").to_owned(),
        "until" => said("To").to_owned(),
        "sort" => said("Sorted").to_owned(),
        "document_id" => said("About").to_owned(),
        "customer_id" => said("Customer").to_owned(),
        "paylink_id" => said("Payment link").to_owned(),
        "delivery_status" => said("Delivery").to_owned(),
        "payment_status" => said("Payment").to_owned(),
        "visit_type" => said("Visits").to_owned(),
        "order_by" => said("Ordered by").to_owned(),
        "base" => money::priced().to_owned(),
        "quote" => money::priced_in().to_owned(),
        "for" => money::sub_merchant().to_owned(),
        other => words(other),
    };
    let value = match (name, value) {
        ("sort", "asc") => said("Oldest first").to_owned(),
        (
            "status" | "type" | "direction" | "action" | "delivery_status" | "payment_status"
            | "visit_type" | "order_by",
            word,
        ) => words(word),
        // User input, names and ids.
        (_, value) => value.to_owned(),
    };
    format!("{label}: {value}")
}
