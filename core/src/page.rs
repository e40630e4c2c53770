//! Lists: shared parameters and pages (contract, "Envelopes and shared conventions").

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Reason;
use crate::field::{Query, QueryField, read_param};
use crate::validate::{Report, StandIn, Validate};
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Param, Timestamp};

/// Maximum page size (contract, "Limits").
pub const LIMIT_MAX: u32 = 100;

/// Page size: 1 to 100, default 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit(u32);

impl Limit {
    /// The page size, if between 1 and 100.
    pub const fn new(limit: u32) -> Option<Self> {
        if limit >= 1 && limit <= LIMIT_MAX {
            Some(Self(limit))
        } else {
            None
        }
    }

    /// The value.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self(LIMIT_MAX)
    }
}

/// Page number, counted from 1.
///
/// Pages past the last are empty, not errors: a list may shrink between two calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageNumber(u32);

impl PageNumber {
    /// The page number, if at least 1.
    pub const fn new(page: u32) -> Option<Self> {
        if page >= 1 { Some(Self(page)) } else { None }
    }

    /// The value.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Default for PageNumber {
    fn default() -> Self {
        Self(1)
    }
}

/// Sort direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// Oldest first.
    Ascending,
    /// Newest first.
    #[default]
    Descending,
}

impl Param for Limit {
    fn from_text(text: &str) -> Result<Self, (Reason, String)> {
        let limit: u32 = parse_count(text)?;
        Self::new(limit).ok_or_else(|| {
            (
                Reason::OutOfRange,
                format!("must be between 1 and {LIMIT_MAX}"),
            )
        })
    }

    fn to_text(&self) -> String {
        self.0.to_string()
    }

    fn stand_in(_: &str, which: StandIn) -> Self {
        match which {
            StandIn::Least => Self(1),
            StandIn::Greatest => Self(LIMIT_MAX),
        }
    }
}

impl Param for PageNumber {
    fn from_text(text: &str) -> Result<Self, (Reason, String)> {
        Self::new(parse_count(text)?)
            .ok_or_else(|| (Reason::OutOfRange, "must be 1 or more".into()))
    }

    fn to_text(&self) -> String {
        self.0.to_string()
    }

    fn stand_in(_: &str, which: StandIn) -> Self {
        match which {
            StandIn::Least => Self(1),
            StandIn::Greatest => Self(u32::MAX),
        }
    }
}

fn parse_count(text: &str) -> Result<u32, (Reason, String)> {
    let number = text.strip_prefix('-').unwrap_or(text);
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err((Reason::WrongType, "must be a whole number".into()));
    }
    text.parse()
        .map_err(|_| (Reason::OutOfRange, "is out of range".into()))
}

/// Error: neither `asc` nor `desc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortError;

impl SortError {
    const fn reason(self) -> Reason {
        Reason::UnknownValue
    }
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be asc or desc")
    }
}

impl FromStr for Sort {
    type Err = SortError;

    fn from_str(text: &str) -> Result<Self, SortError> {
        match text {
            "asc" => Ok(Self::Ascending),
            "desc" => Ok(Self::Descending),
            _ => Err(SortError),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ascending => "asc",
            Self::Descending => "desc",
        })
    }
}

crate::value::param::param_by_text!(Sort: Self::Ascending, Self::Descending);

/// Parameters shared by all lists.
///
/// Sorted by `created_at` if `since` or `until` is given, else by id; `sort` is the direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListQuery {
    /// Page size, 1 to 100; default 100.
    pub limit: Option<Limit>,
    /// Page number from 1; default 1.
    pub page: Option<PageNumber>,
    /// Created at or after this time.
    pub since: Option<Timestamp>,
    /// Created at or before this time.
    pub until: Option<Timestamp>,
    /// `asc` or `desc`; default `desc`.
    pub sort: Option<Sort>,
}

impl ListQuery {
    /// Names of the shared parameters, in order.
    pub const NAMES: &'static [&'static str] = &["limit", "page", "since", "until", "sort"];

    /// Page size.
    pub fn limit(&self) -> u32 {
        self.limit.unwrap_or_default().get()
    }

    /// Page number, counted from 1.
    pub fn page(&self) -> u32 {
        self.page.unwrap_or_default().get()
    }

    /// Sort direction.
    pub fn sort(&self) -> Sort {
        self.sort.unwrap_or_default()
    }
}

impl QueryField for ListQuery {
    fn read(_: &'static str, pairs: &[(String, String)], report: &mut Report) -> Self {
        Self {
            limit: read_param("limit", pairs, report),
            page: read_param("page", pairs, report),
            since: read_param("since", pairs, report),
            until: read_param("until", pairs, report),
            sort: read_param("sort", pairs, report),
        }
    }

    fn write(&self, _: &'static str, pairs: &mut Vec<(&'static str, String)>) {
        self.limit.write("limit", pairs);
        self.page.write("page", pairs);
        self.since.write("since", pairs);
        self.until.write("until", pairs);
        self.sort.write("sort", pairs);
    }

    fn names(_: &'static str) -> Vec<&'static str> {
        Self::NAMES.to_vec()
    }

    fn check(&self, report: &mut Report) {
        report.time_range(self.since, self.until);
    }
}

impl Validate for ListQuery {
    fn validate(&self, report: &mut Report) {
        QueryField::check(self, report);
    }
}

impl Query for ListQuery {
    const FIELDS: &'static [&'static str] = Self::NAMES;

    fn from_pairs(pairs: &[(String, String)], report: &mut Report) -> Self {
        QueryField::read("", pairs, report)
    }

    fn to_pairs(&self, pairs: &mut Vec<(&'static str, String)>) {
        QueryField::write(self, "", pairs);
    }
}

/// A query with the shared list parameters, readable page by page.
pub trait Paged: Query {
    /// Shared list parameters.
    fn list_mut(&mut self) -> &mut ListQuery;
}

/// Declares the query of a filtered list with rules between its filters; `Validate` is implemented next to it.
macro_rules! list_query_fields {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $crate::field::query_fields! {
            $(#[$meta])* #[derive(Default)] $name {
                /// Shared list parameters.
                list: $crate::page::ListQuery,
                $($(#[$field_meta])* $field: $type,)*
            }
            names &["limit", "page", "since", "until", "sort", $($crate::decode::plain(stringify!($field))),*]
        }

        impl $crate::page::Paged for $name {
            fn list_mut(&mut self) -> &mut $crate::page::ListQuery {
                &mut self.list
            }
        }
    };
}
pub(crate) use list_query_fields;

/// Declares the query of a filtered list: the shared list parameters, then its filters.
macro_rules! list_query {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $crate::page::list_query_fields! {
            $(#[$meta])* $name { $($(#[$field_meta])* $field: $type,)* }
        }

        impl $crate::validate::Validate for $name {
            fn validate(&self, report: &mut $crate::validate::Report) {
                $crate::field::QueryField::check(&self.list, report);
                $($crate::field::QueryField::check(&self.$field, report);)*
            }
        }
    };
}
pub(crate) use list_query;

impl Paged for ListQuery {
    fn list_mut(&mut self) -> &mut ListQuery {
        self
    }
}

open_enum! {
    /// What a list counts its records by.
    CountsBy { Status = "status" }
}

record! {
    /// Number of a list's records with a status.
    #[derive(Eq)]
    StatusCount {
        /// The status, as the list's filter takes it.
        status: String,
        /// Number of records with it, on all pages.
        count: u64,
    }
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "{T}Page"))]
pub struct Page<T> {
    /// Items in the requested order.
    pub items: Vec<T>,
    /// Number of matches on all pages.
    pub total: u64,
    /// Number of the next page, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
    /// Latest `updated_at` of the page's items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_update: Option<Timestamp>,
    /// Numbers of the records with each status, whichever status is filtered by. Only with `counts=status`, in lists that have it,
    /// and absent together with a filter that is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Vec<StatusCount>>,
}

impl<T> Page<T> {
    /// The page with each item replaced.
    pub fn map<U>(self, replace: impl FnMut(T) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(replace).collect(),
            total: self.total,
            next: self.next,
            last_update: self.last_update,
            counts: self.counts,
        }
    }
}

crate::value::open::schema!(Limit, inline: true, {
    "type": "integer", "minimum": 1, "maximum": LIMIT_MAX, "default": LIMIT_MAX
});
crate::value::open::schema!(PageNumber, inline: true, { "type": "integer", "minimum": 1, "default": 1 });
crate::value::open::schema!(Sort, inline: true, { "type": "string", "enum": ["asc", "desc"], "default": "desc" });
