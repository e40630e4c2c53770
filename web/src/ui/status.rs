//! Status badges: icon and word first, colour second.

use crate::text;
use crate::ui::element::{Element, element};
use crate::ui::icon::{Icon, icon};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Good,
    Busy,
    Waiting,
    Bad,
    Over,
    Returned,
}

impl Tone {
    fn of(word: &str) -> Self {
        match word {
            "Confirmed" | "Success" | "Active" | "Open" | "Enabled" | "succeeded" | "Succeeded"
            | "Delivered" | "Paid" | "Settled" | "Accepted" | "InTrial" | "Approved" => Self::Good,
            "Processing" | "Created" | "Updated" | "sending" => Self::Busy,
            "Pending" | "Queued" | "pending" | "retrying" | "Underpaid" | "PaidLate"
            | "Overdue" | "Reminded" | "Future" | "WatchOnly" => Self::Waiting,
            "Failed" | "failed" | "exhausted" | "Refused" | "GivenUp" => Self::Bad,
            "Refunded" | "PartialRefunded" => Self::Returned,
            _ => Self::Over,
        }
    }

    const fn look(self) -> (&'static str, Icon) {
        match self {
            Self::Good => ("state good", Icon::Done),
            Self::Busy => ("state busy", Icon::Turning),
            Self::Waiting => ("state warn", Icon::Clock),
            Self::Bad => ("state bad", Icon::Crossed),
            Self::Over => ("state", Icon::Dash),
            Self::Returned => ("state", Icon::Back),
        }
    }
}

/// Badge for a status on the wire, with an optional reason.
pub(crate) fn status_badge(word: &str, reason: Option<&str>) -> Element {
    let reason = reason.map(|reason| {
        let reason = text::words(reason).to_ascii_lowercase();
        element("span", "reason").words(format!("({reason})"))
    });
    status_badge_as(word, text::words(word)).children(reason)
}

/// Badge for a status with its own label.
pub(crate) fn status_badge_as(word: &str, shown: String) -> Element {
    let (class, picture) = Tone::of(word).look();
    element("span", class)
        .child(icon(picture))
        .child(element("span", "").words(shown))
}

/// The mark of money without value.
pub(crate) fn test_money() -> Element {
    element("span", "test-money").words(text::test_money())
}

/// The mark of a test event.
pub(crate) fn test_mark() -> Element {
    element("span", "test-money").words(text::inbox::test())
}

/// Direction of a movement.
pub(crate) fn direction_label(direction: &str, kind: &str) -> Element {
    let (class, picture, hidden) = match direction {
        "IN" => ("way in", Icon::In, text::way_in()),
        _ => ("way out", Icon::Out, text::way_out()),
    };
    element("span", class)
        .child(icon(picture))
        .child(element("span", "").words(text::words(kind)))
        .child(element("span", "hidden-text").words(hidden))
}
