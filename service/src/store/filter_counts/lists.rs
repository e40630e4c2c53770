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

/// A list with a status filter only.
const fn by_status(table: &'static str, status: &'static str) -> CountedList {
    CountedList {
        table,
        columns: ["''", "''", status, "0"],
        indexed: &[],
        rest: None,
    }
}

/// Paylinks by state, without those of invoices, whose `seq` is negative.
pub(crate) static PAYLINKS: CountedList = by_status("paylinks", "l.state");

/// Payments by method, currency and status. None of them but the status ever changes.
pub(crate) static PAYMENTS: CountedList = CountedList {
    columns: ["l.payment_method", "l.currency", "l.status", "0"],
    ..by_status("payments", "l.status")
};

/// Customers by first-time or repeat.
pub(crate) static CUSTOMERS: CountedList = by_status(
    "customers",
    "CASE WHEN l.payments_count > 1 THEN 'repeat' ELSE 'first-time' END",
);

pub(crate) static SUBSCRIPTIONS: CountedList = by_status("subscriptions", "l.status");

/// Invoices by payment status.
pub(crate) static INVOICES: CountedList = by_status("invoices", "l.payment_status");

pub(crate) static MOVEMENTS: CountedList = CountedList {
    rest: Some("Confirmed"),
    ..by_status("movements", "l.status")
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

/// The wanted values of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Wanted<'a> {
    #[default]
    Any,
    One(&'a str),
    /// Distinct values; no row matches an empty list.
    OneOf(&'a [&'a str]),
}

impl<'a> Wanted<'a> {
    /// The values; empty for any.
    pub(in crate::store) fn values(&self) -> &[&'a str] {
        match self {
            Self::Any => &[],
            Self::One(value) => std::slice::from_ref(value),
            Self::OneOf(values) => values,
        }
    }

    /// Any of a list's values; any value at all without a list.
    pub(crate) fn among(values: Option<&'a [&'a str]>) -> Self {
        values.map_or(Self::Any, Self::OneOf)
    }
}

impl<'a> From<Option<&'a str>> for Wanted<'a> {
    fn from(value: Option<&'a str>) -> Self {
        value.map_or(Self::Any, Self::One)
    }
}

/// A filter by the columns of a counted list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FilterValues<'a> {
    pub(crate) r#type: Wanted<'a>,
    pub(crate) action: Wanted<'a>,
    pub(crate) status: Wanted<'a>,
    pub(crate) sent: Option<bool>,
}

impl<'a> FilterValues<'a> {
    /// The filter of a list with a status filter only.
    pub(crate) fn status(status: Option<&'a str>) -> Self {
        Self {
            status: status.into(),
            ..Self::default()
        }
    }
}
