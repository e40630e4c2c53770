//! A text as a QR code, drawn as one SVG path.

use qrcodegen::{QrCode as Code, QrCodeEcc};
use settlekit_core::checkout::QrCode;

/// The white border that readers need, in modules (ISO/IEC 18004).
const QUIET: i32 = 4;

/// The code; none when the text is too long for one.
pub(super) fn code(text: &str) -> Option<QrCode> {
    let code = Code::encode_text(text, QrCodeEcc::Medium).ok()?;
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
                path.push_str(&format!(
                    "M{} {}h{}v1h-{}z",
                    start + QUIET,
                    y + QUIET,
                    x - start,
                    x - start
                ));
            }
            x += 1;
        }
    }
    Some(QrCode {
        size: u32::try_from(code.size() + 2 * QUIET).ok()?,
        path,
    })
}
