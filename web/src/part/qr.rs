//! A text as a QR code, drawn as one SVG path.

use std::fmt::Write;

use leptos::prelude::*;
use qrcodegen::{QrCode, QrCodeEcc};

/// The white border that readers need, in modules (ISO/IEC 18004).
const QUIET: i32 = 4;

/// The path of the dark modules, and the side of the square with its border; none when the text is too long for a code.
fn drawn(text: &str) -> Option<(String, i32)> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let start = x;
            while code.get_module(x, y) {
                x += 1;
            }
            // A run of dark modules is one rectangle.
            if x > start {
                let (left, top, width) = (start + QUIET, y + QUIET, x - start);
                // Writing to a string cannot fail.
                let _ = write!(path, "M{left} {top}h{width}v1h-{width}z");
            }
            x += 1;
        }
    }
    Some((path, code.size() + 2 * QUIET))
}

/// The code as a picture named `label`: dark on white in every look, since readers need that.
pub(crate) fn qr(text: &str, label: &'static str) -> Option<AnyView> {
    let (path, side) = drawn(text)?;
    Some(
        view! {
            <svg class="qr" viewBox=format!("0 0 {side} {side}") role="img" aria-label=label shape-rendering="crispEdges">
                <rect width=side.to_string() height=side.to_string() fill="#fff" /><path d=path fill="#000" />
            </svg>
        }
        .into_any(),
    )
}

/// The code as a file of its own.
pub(crate) fn qr_file(text: &str) -> Option<String> {
    let (path, side) = drawn(text)?;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{0}\" height=\"{0}\" shape-rendering=\"crispEdges\">\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/><path d=\"{path}\" fill=\"#000\"/></svg>\n",
        side * 16
    ))
}
