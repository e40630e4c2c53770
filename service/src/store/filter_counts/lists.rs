//! The lists that are counted, and what they are filtered by.

/// A list whose rows are counted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CountedList {
    /// Its table, and what its numbers are counted under.
    pub(in crate::store) table: &'static str,
    /// What it is counted by, of its table as `l`: `type`, `action`, `status`, `sent` in `counted`.
    pub(super) columns: [&'static str; 4],
    /// The statuses that have an index of their own, in which nothing else is.
    pub(super) indexed: &'static [&'static str],
    /// The status of rows that are not counted, if there is one: nearly all are that. The others are counted at every level from
    /// their beginning, and stand in an index without those.
    pub(super) rest: Option<&'static str>,
}

pub(crate) static PAYMENTS: CountedList = CountedList {
    table: "payments",
    columns: ["''", "''", "l.status", "0"],
    indexed: &[],
    rest: None,
};

/// Customers by whether they came once or again.
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

/// Invoices by where their payment stands.
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

/// What a row is, as far as it is counted by that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FilterKey<'a> {
    pub(crate) r#type: &'a str,
    pub(crate) action: &'a str,
    pub(crate) status: &'a str,
    pub(crate) sent: bool,
}

impl<'a> FilterKey<'a> {
    /// Of a list that is counted by its status alone.
    pub(crate) fn status(status: &'a str) -> Self {
        Self {
            r#type: "",
            action: "",
            status,
            sent: false,
        }
    }
}

/// Which kinds are asked for; what is not said may be anything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FilterValues<'a> {
    pub(crate) r#type: Option<&'a str>,
    pub(crate) action: Option<&'a str>,
    pub(crate) status: Option<&'a str>,
    pub(crate) sent: Option<bool>,
    /// Any of these instead, each once; of a list that is counted by nothing else.
    pub(crate) statuses: Option<&'a [&'a str]>,
}
