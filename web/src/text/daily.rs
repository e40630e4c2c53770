//! Tools of every page: selection, palette, export, saved views.

use crate::text::language::{filled, translate};
use crate::text::money;
use crate::text::words::words;

// --- Picking rows ---

texts! {
    picked = "Selected rows";
    pick = "Select row";
    pick_all = "Select all rows on this page";
    pick_none = "Clear selection";
}

// --- The palette ---

texts! {
    palette = "Search or go to";
    palette_hint = "Page, name, ID, reference, address or transaction";
    palette_button = "Search|verb";
    palette_keys = "Ctrl K";
    page = "Page";
    act = "Action";
    recent = "Recent";
    searching = "Searching…";
    act_open = "Open|verb";
    act_copy_id = "Copy ID";
    palette_actions = "Press → for actions, ← to go back.";
    appearance = "Appearance";

    found_of(count: usize) = "{count} results",
        0 = "No results. IDs, addresses and hashes are found by their first characters, references only in full.", 1 = "1 result";
    all_customers(total: &str) = "View all {total} customers";
    all_paylinks(total: &str) = "View all {total} payment links";
    actions_for(name: &str) = "Actions for {name}";
}

// --- Taking lists away ---

texts! {
    export = "Export";
    export_title = "Export this list";
    export_why = "Everything that matches the filters, not just this page. Exact amounts, times in UTC.";
    export_format = "Format";
    export_csv = "CSV";
    export_xlsx = "XLSX";
    export_json = "JSON";
    export_for_excel = "For Excel: UTF-8 with a byte order mark";
    export_xlsx_why = "For Excel and LibreOffice. Dates are in UTC, to the second. Amounts are numbers; IDs, and amounts with more than 15 digits, are text.";
    export_everything = "Everything";
    export_everything_why = "All fields of all rows. The columns depend on the rows.";
    export_accounting = "Accounting";
    export_net_why = "Net is the change of the balance once the movement is booked. It excludes fees in another currency.";
    export_fees_why = "Fees and values in your own currency are in the movements. Export those too.";
    export_reconciliation = "Reconciliation";
    export_own = "Custom selection";
    export_start = "Download";
    export_unfiltered = "No filters are set.";
    export_many = "Exporting many rows takes a while: 100 are read at a time. You can go on working; keep this tab open. If you stop, no file is saved.";
    export_too_long = "Too many rows for one sheet";
    export_background = "Continue in the background";
    exports = "Exports";
    export_moved = "The list kept changing";
    export_moved_why = "Rows moved on every attempt, so the file would be incomplete. Nothing was saved.";
    stop = "Stop";
}

// --- Saved views ---

texts! {
    views = "Views";
    no_views = "Set filters and save them as a view.";
    view_name = "View name";
    view_new_name = "New name";
    view_share = "Share with the organisation";
    views_shared = "Shared with the organisation";
}

// --- Chips ---

texts! {
    chip_clear = "Clear";

    picked_of(count: usize) = "{count} selected";
    exported(count: &str) = "{count} rows exported", "1" = "1 row exported";
    export_stop(file: &str) = "Stop the export of {file}";
    export_progress(rows: &str, total: &str) = "{rows} of {total}";
    export_rows(count: &str) = "{count} rows.", "1" = "1 row.";
    export_filters(filters: &str) = "Filters: {filters}";
    export_cut(count: &str) = "{count} texts exceed the limit of a cell and were cut at 32,767 characters. CSV and JSON contain them in full.",
        "1" = "1 text exceeds the limit of a cell and was cut at 32,767 characters. CSV and JSON contain it in full.";
    export_too_long_why(count: &str) = "A sheet has at most {count} rows. Set filters, or choose CSV or JSON.";
    view_link_of(name: &str) = "Link to {name}";
    view_remove_of(name: &str) = "Remove {name}";
    view_rename_of(name: &str) = "Rename {name}";
    view_share_of(name: &str) = "Share {name} with the organisation";
    view_unshare_of(name: &str) = "Stop sharing {name}";
}

/// A filter with its value as in the URL.
pub(crate) fn chip(name: &str, value: &str) -> String {
    let value = match (name, value) {
        ("sort", "asc") => translate("Oldest first").to_owned(),
        (
            "status" | "type" | "direction" | "action" | "delivery_status" | "payment_status"
            | "visit_type" | "order_by" | "reason",
            word,
        ) => words(word),
        // User input, names and ids.
        (_, value) => value.to_owned(),
    };
    chip_labelled(name, &value)
}

/// A filter with the label of its value.
pub(crate) fn chip_labelled(name: &str, value: &str) -> String {
    let label = match name {
        "since" => translate("From|date").to_owned(),
        "until" => translate("To").to_owned(),
        "sort" => translate("Sort").to_owned(),
        "document_id" => translate("Related object").to_owned(),
        "customer_id" => translate("Customer").to_owned(),
        "paylink_id" => translate("Payment link").to_owned(),
        "subscription_id" => translate("Subscription").to_owned(),
        "delivery_status" => translate("Delivery").to_owned(),
        "payment_status" => translate("Payment").to_owned(),
        "payment_method" => translate("Type").to_owned(),
        "visit_type" => translate("Customer type").to_owned(),
        "chain_id" => translate("Chain").to_owned(),
        "amount_from" => translate("At least").to_owned(),
        "amount_to" => translate("At most").to_owned(),
        "order_by" => translate("Order by").to_owned(),
        "base" => money::priced().to_owned(),
        "quote" => money::priced_in().to_owned(),
        "for" => money::sub_merchant().to_owned(),
        other => words(other),
    };
    format!("{label}: {value}")
}
