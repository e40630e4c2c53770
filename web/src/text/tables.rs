//! List layout, and search in payloads.

use crate::text::language::{filled, translate};

texts! {
    all_records = "All";
    columns = "Columns";
    columns_title = "Edit columns";
    columns_why = "Choose which columns to show, and their order. Saved in this browser, for this list.";
    columns_reset = "Reset";
    density = "Row height";
    comfortable = "Comfortable";
    compact = "Compact";
    last_change = "Last change";

    // --- Payloads ---

    search_payload = "Search keys and values";
    not_in_payload = "No matches.";

    column_up_of(title: &str) = "Move {title} forward";
    column_down_of(title: &str) = "Move {title} back";
    column_place(title: &str, place: usize, count: usize) = "{title} is now {place} of {count}";
}
