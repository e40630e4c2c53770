//! Fixes the column widths of a table while its rows are refilled. Automatic widths depend on every row: columns would jump, and
//! each refill would lay out the whole table.
//!
//! Needed for stable columns while `crate::list::rows` draws a few rows per frame.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Headings of columns that are as wide as their content; the style sheet sets their share of the table.
const CONTENT_WIDTH: &str = ".fit, .pick";
/// Property that fixes a width: as a minimum, or as the width itself if the content fits.
const WIDTH_PROPERTIES: [&str; 2] = ["min-inline-size", "inline-size"];

/// Fixes the width of each column. Columns still grow for wider content and follow the window size.
pub(crate) fn fix_widths(table: &Element) {
    let heads = heads(table);
    let widths: Vec<f64> = heads.iter().map(width).collect();
    // In the card layout there are no columns.
    if (widths.iter().sum::<f64>() - width(table)).abs() >= 1.0 {
        return;
    }
    for (head, width) in heads.iter().zip(widths) {
        let as_needed = head.matches(CONTENT_WIDTH).unwrap_or_default();
        let held_by = WIDTH_PROPERTIES[usize::from(!as_needed)];
        // Setting a length cannot fail. The browser formats it: see `crate::ui::chart`.
        let _ = style(head).set_property(held_by, &(written(width) + "px"));
    }
}

/// Restores automatic column widths.
pub(crate) fn release(table: &Element) {
    for head in heads(table) {
        for held_by in WIDTH_PROPERTIES {
            let _ = style(&head).remove_property(held_by);
        }
    }
}

fn heads(table: &Element) -> Vec<Element> {
    let Ok(found) = table.query_selector_all("thead th") else {
        return Vec::new();
    };
    let heads = (0..found.length()).filter_map(|at| found.get(at)?.dyn_into().ok());
    heads.collect()
}

fn width(element: impl AsRef<Element>) -> f64 {
    element.as_ref().get_bounding_client_rect().width()
}

fn written(length: f64) -> String {
    let digits = js_sys::Number::from(length).to_string_with_radix(10);
    digits.map(String::from).unwrap_or_default()
}

fn style(head: &Element) -> web_sys::CssStyleDeclaration {
    head.unchecked_ref::<HtmlElement>().style()
}
