//! Pure components, independent of operations, session and URL.

pub(crate) mod amount;
pub(crate) mod brand;
pub(crate) mod chart;
pub(crate) mod confirm;
pub(crate) mod copy;
pub(crate) mod difference;
pub(crate) mod download;
pub(crate) mod edits;
pub(crate) mod element;
pub(crate) mod facts;
pub(crate) mod field;
pub(crate) mod focus;
pub(crate) mod icon;
pub(crate) mod notice;
pub(crate) mod overlay;
pub(crate) mod own_data;
pub(crate) mod page_head;
pub(crate) mod paint;
pub(crate) mod panel;
pub(crate) mod payload;
pub(crate) mod qr;
pub(crate) mod status;
pub(crate) mod time_zone;
pub(crate) mod timestamp;
pub(crate) mod toast;
