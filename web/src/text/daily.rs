//! What an operator does all day, whatever the page: picking rows, finding, saving views, taking lists away.

// --- Picking rows ---

pub(crate) const PICKED: &str = "Picked rows";
pub(crate) const PICK: &str = "Pick this row";
pub(crate) const PICK_ALL: &str = "Pick every row of this page";
pub(crate) const PICK_NONE: &str = "Pick none";

pub(crate) fn picked_of(count: usize) -> String {
    format!("{count} picked")
}
