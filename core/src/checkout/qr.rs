//! A text as a QR code, drawn as one SVG path: the payer's address by the service, a link by the dashboard.

use std::fmt::Write;

use qrcodegen::{Mask, QrCode as Code, QrCodeEcc, QrSegment, Version};

use super::QrCode;

/// The white border that readers need, in modules (ISO/IEC 18004).
const QUIET: i32 = 4;

/// Every reader undoes any of the eight masks. Trying them all for the evenest picture costs eighteen times as much as the
/// rest, on the writer's time; addresses are as good as random, and the chequered mask leaves no large area of one colour.
const MASK: u8 = 0;

impl QrCode {
    /// The code of a text; none when the text is too long for one.
    pub fn of(text: &str) -> Option<Self> {
        let code = Code::encode_segments_advanced(
            &QrSegment::make_segments(text),
            QrCodeEcc::Medium,
            Version::MIN,
            Version::MAX,
            Some(Mask::new(MASK)),
            true,
        )
        .ok()?;
        let mut path = String::with_capacity(16 * 1024);
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
        Some(Self {
            size: u32::try_from(code.size() + 2 * QUIET).ok()?,
            path,
        })
    }
}
