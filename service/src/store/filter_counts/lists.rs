//! The counted lists and their filter columns.

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CountedList {
    /// The table, and the name of its sequence.
    pub(in crate::store) table: &'static str,
    /// The filter columns `type`, `action`, `status`, `sent` as SQL, table alias `l`.
    pub(super) columns: [&'static str; 4],
    /// The statuses with a partial index of their own.
    pub(super) indexed: &'static [&'static str],
    /// The status that nearly all rows have, if there is one. It is not counted; the others are counted on every level from the
    /// start and have a partial index without it.
    pub(super) rest: Option<&'static str>,
}

pub(crate) static PAYMENTS: CountedList = CountedList {
    table: "payments",
    columns: ["''", "''", "l.status", "0"],
    indexed: &[],
    rest: None,
};

/// Customers by first-time or repeat.
pub(crate) static CUSTOMERS: CountedList = CountedList {
    table: "customers",
    columns: [
        "''",
        "''",
        "CASE WHEN l.payments_count > 1 THEN 'repeat' ELSE 'first-time' END",
        "0",
    ],
    indexed: &[],
    rest: None,
};

pub(crate) static SUBSCRIPTIONS: CountedList = CountedList {
    table: "subscriptions",
    columns: ["''", "''", "l.status", "0"],
    indexed: &[],
    rest: None,
};

/// Invoices by payment status.
pub(crate) static INVOICES: CountedList = CountedList {
    table: "invoices",
    columns: ["''", "''", "l.payment_status", "0"],
    indexed: &[],
    rest: None,
};

pub(crate) static MOVEMENTS: CountedList = CountedList {
    table: "movements",
    columns: ["''", "''", "l.status", "0"],
    indexed: &[],
    rest: Some("Confirmed"),
};

pub(crate) static EVENTS: CountedList = CountedList {
    table: "events",
    columns: [
        "l.type",
        "l.action",
        "l.delivery_status",
        "CASE WHEN l.webhook_sent_at IS NULL THEN 0 ELSE 1 END",
    ],
    indexed: &["pending", "failed"],
    rest: None,
};

/// The filter values that a row is counted under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FilterKey<'a> {
    pub(crate) r#type: &'a str,
    pub(crate) action: &'a str,
    pub(crate) status: &'a str,
    pub(crate) sent: bool,
}

impl<'a> FilterKey<'a> {
    /// The key of a list with a status filter only.
    pub(crate) fn status(status: &'a str) -> Self {
        Self {
            r#type: "",
            action: "",
            status,
            sent: false,
        }
    }
}

/// A filter; `None` matches any value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FilterValues<'a> {
    pub(crate) r#type: Option<&'a str>,
    pub(crate) action: Option<&'a str>,
    pub(crate) status: Option<&'a str>,
    pub(crate) sent: Option<bool>,
    /// Any of these distinct statuses, for a list with a status filter only.
    pub(crate) statuses: Option<&'a [&'a str]>,
}

impl<'a> FilterValues<'a> {
    /// The filter of a list with a status filter only.
    pub(crate) fn status(status: Option<&'a str>) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }
}
