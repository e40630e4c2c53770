//! List layout, and search in payloads.

use crate::text::language::{filled, said};

texts! {
    columns = "Columns";
    columns_title = "Columns of this list";
    columns_why = "What is shown, and in what order. Kept in this browser, for this list alone.";
    columns_reset = "As it was";
    density = "Rows";
    comfortable = "Comfortable";
    compact = "Compact";
    last_change = "Last change";

    // --- Payloads ---

    search_payload = "Search names and values";
    not_in_payload = "Nothing in it matches.";
}

pub(crate) fn column_up_of(title: &str) -> String {
    say!("Move {title} forward", title)
}

pub(crate) fn column_down_of(title: &str) -> String {
    say!("Move {title} back", title)
}

pub(crate) fn column_place(title: &str, place: usize, count: usize) -> String {
    say!("{title} is now {place} of {count}", title, place, count)
}
