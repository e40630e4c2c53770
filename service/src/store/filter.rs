//! The filter of a list, as SQL conditions with values.

use std::collections::BTreeSet;

use super::filter_counts::{CountedList, FilterValues, Wanted};
use super::folding::folded;
use super::sql::Value;

/// Placeholders of the list itself: owner, first and last `seq`.
const TAKEN: usize = 3;

/// Conditions on the rows of a list, table alias `l`.
#[derive(Default)]
pub(crate) struct Filter<'a> {
    condition: String,
    values: Vec<Value<'a>>,
    order: Option<&'static str>,
    /// The counted list and the values of its filter.
    counted: Option<(&'static CountedList, FilterValues<'a>)>,
    /// There are conditions that are not counted.
    is_more: bool,
    /// A query for the `seq` of the rows.
    among: Option<String>,
    /// The range and the order of `seq` are not for the planner: other conditions select fewer rows.
    is_narrow: bool,
}

impl<'a> Filter<'a> {
    /// Adds a comparison: column and operator, then the value; nothing without a value.
    pub(crate) fn holds(self, comparison: &str, value: Option<Value<'a>>) -> Self {
        self.compares(&format!("l.{comparison}"), value)
    }

    fn compares(mut self, comparison: &str, value: Option<Value<'a>>) -> Self {
        if let Some(value) = value {
            self.is_more = true;
            self.values.push(value);
            let number = self.values.len() + TAKEN;
            self.condition
                .push_str(&format!(" AND {comparison} ?{number}"));
        }
        self
    }

    /// Adds an equality; nothing without a value.
    pub(crate) fn equals(self, column: &str, value: Option<impl Into<Value<'a>>>) -> Self {
        self.holds(&format!("{column} ="), value.map(|value| value.into()))
    }

    /// Adds a value for [`Filter::among`], and returns its placeholder.
    pub(crate) fn value(&mut self, value: Value<'a>) -> String {
        self.places(std::iter::once(value))
    }

    /// Adds a query for the `seq` of the rows, each once, with the owner at `?1` and values of [`Filter::value`].
    pub(crate) fn among(mut self, numbers: String) -> Self {
        self.condition.push_str(" AND l.seq = wanted.seq");
        self.is_more = true;
        self.among = Some(numbers);
        self
    }

    /// The tables of a query with this filter. `CROSS JOIN` makes SQLite begin with the query of [`Filter::among`]: it takes an index
    /// of more columns otherwise, whatever the number of its rows.
    pub(super) fn tables(&self, table: &str) -> String {
        match &self.among {
            Some(numbers) => format!("({numbers}) wanted CROSS JOIN {table} l"),
            None => format!("{table} l"),
        }
    }

    /// Keeps the planner off the range and the order of `seq`, as an index of other columns selects fewer rows.
    pub(crate) fn narrow(mut self) -> Self {
        self.is_narrow = true;
        self
    }

    /// `+` before `seq` if the planner must not use its index.
    pub(super) fn plus(&self) -> &'static str {
        if self.is_narrow || self.is_ordered() {
            "+"
        } else {
            ""
        }
    }

    /// Adds a list of values that a column may have.
    fn one_of(mut self, column: &str, values: &[&'a str]) -> Self {
        let places = self.places(values.iter().map(|value| Value::Text(value)));
        self.condition
            .push_str(&format!(" AND {column} IN ({places})"));
        self.is_more = true;
        self
    }

    /// As [`Filter::value`], for several.
    pub(crate) fn places(&mut self, values: impl Iterator<Item = Value<'a>>) -> String {
        let from = self.values.len() + TAKEN + 1;
        self.values.extend(values);
        let places: Vec<String> = (from..=self.values.len() + TAKEN)
            .map(|place| format!("?{place}"))
            .collect();
        places.join(", ")
    }

    /// As [`Filter::equals`], for the columns of the list's filter counts.
    pub(crate) fn counted(
        mut self,
        counted: &'static CountedList,
        kinds: FilterValues<'a>,
    ) -> Self {
        let is_more = self.is_more;
        for (column, wanted) in counted.asked(&kinds) {
            self = match wanted {
                Wanted::Any => self,
                Wanted::One(value) => self.compares(&format!("{column} ="), Some(value.into())),
                Wanted::OneOf(values) => self.one_of(column, values),
            };
        }
        self.is_more = is_more;
        self.counted = Some((counted, kinds));
        self
    }

    /// The counted filter, if there are no other conditions.
    pub(super) fn all_counted(&self) -> Option<(&'static CountedList, FilterValues<'a>)> {
        self.counted.filter(|_| !self.is_more)
    }

    /// Whether the order is other than by `seq`.
    pub(super) fn is_ordered(&self) -> bool {
        self.order.is_some()
    }

    /// Adds a substring search.
    pub(crate) fn contains(mut self, column: &str, pattern: Option<&'a Pattern>) -> Self {
        self = self.holds(
            &format!("{column} LIKE"),
            pattern.map(|pattern| pattern.as_str().into()),
        );
        if pattern.is_some() {
            self.condition.push_str(" ESCAPE '!'");
        }
        self
    }

    /// Orders by a column instead of `seq`; rows with NULL there are omitted.
    pub(crate) fn by(mut self, column: &'static str) -> Self {
        self.order = Some(column);
        self.condition
            .push_str(&format!(" AND l.{column} IS NOT NULL"));
        self
    }

    /// Whether the filter selects every row.
    pub(crate) fn is_empty(&self) -> bool {
        self.condition.is_empty()
    }

    /// ` AND …`, or empty.
    pub(crate) fn condition(&self) -> &str {
        &self.condition
    }

    /// The values, numbered after the list's own three.
    pub(crate) fn values(&self) -> &[Value<'a>] {
        &self.values
    }

    /// `ORDER BY …` in a direction.
    pub(crate) fn order(&self, direction: &str) -> String {
        match self.order {
            None => format!("ORDER BY {}l.seq {direction}", self.plus()),
            Some(column) => format!("ORDER BY l.{column} {direction}, l.seq {direction}"),
        }
    }
}

/// The values of a filter, each once.
pub(super) fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let values: BTreeSet<&str> = values.collect();
    values.into_iter().collect()
}

/// A substring for LIKE, with its wildcards escaped.
pub(crate) struct Pattern(String);

impl Pattern {
    pub(crate) fn new(text: &str) -> Self {
        let text = text
            .replace('!', "!!")
            .replace('%', "!%")
            .replace('_', "!_");
        Self(format!("%{text}%"))
    }

    /// A substring of a searchable text.
    pub(crate) fn folded(text: &str) -> Self {
        Self::new(&folded(text))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}
