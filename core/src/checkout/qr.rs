//! QR codes as a single SVG path. The service encodes payment URIs, the dashboard links.

use std::fmt::Write;

use qrcodegen::{Mask, QrCode as Code, QrCodeEcc, QrSegment, Version};

use super::QrCode;

/// Width of the quiet zone, in modules (ISO/IEC 18004).
const QUIET: i32 = 4;

/// Readers accept all eight masks. Choosing the best one takes 18 times as long as the rest, on the writer's thread. Addresses
/// are close to random, so the checkerboard mask leaves no large areas of one colour.
const MASK: u8 = 0;

impl QrCode {
    /// Encodes a text; none if it is too long.
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
                // One rectangle per run of dark modules.
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
