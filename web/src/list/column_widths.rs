//! Column widths of a table, held while its rows are refilled. Automatic widths follow every row: columns would jump, and the
//! whole table would be laid out again each time.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Headings whose column is as wide as what stands in it: their share of the table, which the style gives, stays.
const AS_NEEDED: &str = ".fit, .pick";
/// What a column is held by: never less than it was, or as wide as it was for as long as its content allows.
const HELD_BY: [&str; 2] = ["min-inline-size", "inline-size"];

/// Keeps each column as wide as it is. What needs more room still gets it, and so does another size of the window.
pub(crate) fn hold(table: &Element) {
    let heads = heads(table);
    let widths: Vec<f64> = heads.iter().map(width).collect();
    // Where records stand as cards there are no columns.
    if (widths.iter().sum::<f64>() - width(table)).abs() >= 1.0 {
        return;
    }
    for (head, width) in heads.iter().zip(widths) {
        let as_needed = head.matches(AS_NEEDED).unwrap_or_default();
        let held_by = HELD_BY[usize::from(!as_needed)];
        // A length can be set on every element. The browser writes it: see `crate::ui::chart`.
        let _ = style(head).set_property(held_by, &(written(width) + "px"));
    }
}

/// Lets each column be as wide as its content has it.
pub(crate) fn release(table: &Element) {
    for head in heads(table) {
        for held_by in HELD_BY {
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
