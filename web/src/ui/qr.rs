//! QR codes, on the page and as a file.

use leptos::prelude::*;
use settlekit_core::checkout::QrCode;

/// QR code with an accessible label; dark on white in every theme, as scanners need.
pub(crate) fn qr(text: &str, label: &'static str) -> Option<AnyView> {
    let QrCode { path, size: side } = QrCode::of(text)?;
    Some(
        view! {
            <svg class="qr" viewBox=format!("0 0 {side} {side}") role="img" aria-label=label shape-rendering="crispEdges">
                <rect width=side.to_string() height=side.to_string() fill="#fff" /><path d=path fill="#000" />
            </svg>
        }
        .into_any(),
    )
}

/// QR code as an SVG file.
pub(crate) fn qr_file(text: &str) -> Option<String> {
    let QrCode { path, size: side } = QrCode::of(text)?;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{0}\" height=\"{0}\" shape-rendering=\"crispEdges\">\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/><path d=\"{path}\" fill=\"#000\"/></svg>\n",
        side * 16
    ))
}
