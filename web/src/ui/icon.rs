//! Icons on a 16-pixel grid. Each accompanies a label, so they are hidden from screen readers.

use crate::ui::element::{Element, element};

/// Declares the icons: name and SVG path.
macro_rules! icons {
    ($($name:ident: $path:literal,)+) => {
        /// Meaning of an icon.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Icon {
            $($name,)+
        }

        impl Icon {
            pub(crate) const fn path(self) -> &'static str {
                match self {
                    $(Self::$name => $path,)+
                }
            }
        }
    };
}

icons! {
    Home: "M2 7.5 8 2.5l6 5M3.5 6.5v7h9v-7M6.5 13.5v-4h3v4",
    Movements: "M5 2.5v11m0 0L2.5 11M5 13.5 7.5 11M11 13.5v-11m0 0L8.5 5M11 2.5 13.5 5",
    Payments: "M2 4.5a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1zM2 6.5h12M4.5 10h2.5",
    Link: "M7 9.5a2.8 2.8 0 0 0 4 0l2.2-2.2a2.8 2.8 0 0 0-4-4L8.3 4.2M9 6.5a2.8 2.8 0 0 0-4 0L2.8 8.7a2.8 2.8 0 0 0 4 4l.9-.9",
    Inbox: "M2.5 9v4.5h11V9M2.5 9 4.5 2.5h7L13.5 9M2.5 9h3a2.5 2.5 0 0 0 5 0h3",
    Events: "M2 8.5h3l2-5.5 3 10 1.8-4.5H14",
    Settings: "M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M10.25 2.75v3.5M5.75 9.75v3.5",
    Plus: "M8 3v10M3 8h10",
    Check: "m3 8.5 3.2 3.2L13 5",
    Done: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M5.5 8.2l1.8 1.8 3.3-3.7",
    Clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 5v3.2l2 1.3",
    Turning: "M13.5 8A5.5 5.5 0 0 1 3.6 11.3M2.5 8a5.5 5.5 0 0 1 9.9-3.3M12.5 2v3h-3M3.5 14v-3h3",
    Crossed: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M6 6l4 4M10 6l-4 4",
    Dash: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M5.5 8h5",
    Back: "M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6",
    Copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
    Close: "m4 4 8 8M12 4l-8 8",
    Left: "M10 3.5 5.5 8l4.5 4.5",
    Right: "M6 3.5 10.5 8 6 12.5",
    Up: "M3.5 10 8 5.5l4.5 4.5",
    Down: "M3.5 6 8 10.5 12.5 6",
    Columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
    Sun: "M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
    Moon: "M13.5 9.3A5.8 5.8 0 0 1 6.7 2.5a5.8 5.8 0 1 0 6.8 6.8",
    Screen: "M2 3h12v8H2zM5.5 13.5h5M8 11v2.5",
    Menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
    Out: "M4.5 11.5l7-7M6 4.5h5.5V10",
    In: "M11.5 4.5l-7 7M10 11.5H4.5V6",
    Leave: "M9 2.5h4.5V7M13.5 2.5 7.5 8.5M6.5 3.5h-4v10h10v-4",
    Key: "M10.5 9a3.5 3.5 0 1 0-3.3-2.3L2.5 11.5v2h2.5v-1.5h1.5v-1.5H8l1-1.6A3.5 3.5 0 0 0 10.5 9M11.2 4.8h.01",
    Alert: "M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.01",
    Flask: "M6 2h4M6.5 2v4L3 12.2A1.2 1.2 0 0 0 4 14h8a1.2 1.2 0 0 0 1-1.8L9.5 6V2M4.8 10h6.4",
    SignOut: "M6 2.5H3v11h3M6.5 8h7M11 5l3 3-3 3",
    Search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.5 10.5l3 3",
    Eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
    Bin: "M2.5 4h11M6 4V2.5h4V4M4 4l.6 9.5h6.8L12 4M6.7 6.5v4.5M9.3 6.5v4.5",
    People: "M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M1.5 13.5a4.5 4.5 0 0 1 9 0M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.6a4.5 4.5 0 0 1 2.5 3.9",
    Plan: "M8.5 2.5H13a.5.5 0 0 1 .5.5v4.5l-6 6-5-5zM10.8 5.2v.01",
    Invoice: "M3.5 1.5h9v13l-2.2-1.4L8 14.5l-2.3-1.4-2.2 1.4zM6 5h4M6 8h4",
    Print: "M4.5 6V2h7v4M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7V14h-7z",
    Save: "M8 2v8.5m0 0L4.5 7M8 10.5 11.5 7M2.5 13.5h11",
    Edit: "M2.5 13.5 3.3 10 10.8 2.5l2.7 2.7L6 12.7zM9 4.3 11.7 7",
    Accounts: "M2.5 3.5h5v3h-5zM8.5 9.5h5v3h-5zM5 6.5V11h3.5M11 9.5V5H7.5",
    Payout: "M2.5 8.5v5h11v-5M8 10.5v-8M5 5.5l3-3 3 3",
    Bank: "M2 6.5 8 2.5l6 4zM3.5 6.5v6M6.5 6.5v6M9.5 6.5v6M12.5 6.5v6M2 13.5h12",
    Trade: "M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13",
    Bolt: "M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z",
    Chain: "M5.5 2.5h5v3h-5zM5.5 10.5h5v3h-5zM8 5.5v5M2 8h2M12 8h2",
    Partner: "M5 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4M11 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4M1.5 13a3.5 3.5 0 0 1 7 0M9.5 9.8A3.5 3.5 0 0 1 14.5 13",
}

pub(crate) fn icon(icon: Icon) -> Element {
    // Arrows along a line turn where it is written from right to left.
    let turns = matches!(icon, Icon::Left | Icon::Right | Icon::Back | Icon::SignOut);
    element("svg", if turns { "icon turn" } else { "icon" })
        .attr("viewBox", "0 0 16 16")
        .attr("aria-hidden", "true")
        .child(element("path", "").attr("d", icon.path()))
}
