//! Which rows of a list are asked for, as conditions with their values.

use super::filter_counts::{CountedList, FilterValues};
use super::sql::Value;

/// The values of the list itself come first: owner, first number, last number.
const TAKEN: usize = 3;

/// Conditions over the rows of a list, the table as `l`.
#[derive(Default)]
pub(crate) struct Filter<'a> {
    condition: String,
    values: Vec<Value<'a>>,
    order: Option<&'static str>,
    /// What is asked for of what the list's rows are counted by.
    counted: Option<(&'static CountedList, FilterValues<'a>)>,
    /// Whether there are conditions besides.
    is_more: bool,
}

impl<'a> Filter<'a> {
    /// Also: what stands before the sign of comparison, and the value after it; nothing when there is no value.
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

    /// Also: a column has a value; nothing when none is asked for.
    pub(crate) fn equals(self, column: &str, value: Option<impl Into<Value<'a>>>) -> Self {
        self.holds(&format!("{column} ="), value.map(|value| value.into()))
    }

    /// As [`Filter::equals`], for the columns that a list is counted by.
    pub(crate) fn counted(
        mut self,
        counted: &'static CountedList,
        kinds: FilterValues<'a>,
    ) -> Self {
        let is_more = self.is_more;
        for (column, value) in counted.asked(&kinds) {
            self = self.compares(&format!("{column} ="), value.map(|value| value.into()));
        }
        self.is_more = is_more;
        self.counted = Some((counted, kinds));
        self
    }

    /// What is asked for when that is counted, and nothing else is asked for.
    pub(super) fn all_counted(&self) -> Option<(&'static CountedList, FilterValues<'a>)> {
        self.counted.filter(|_| !self.is_more)
    }

    /// Whether the rows are in another order than that of their numbers.
    pub(super) fn is_ordered(&self) -> bool {
        self.order.is_some()
    }

    /// Also: a piece of text is in a column.
    pub(crate) fn contains(mut self, column: &str, pattern: Option<&'a Pattern>) -> Self {
        self = self.holds(
            &format!("{column} LIKE"),
            pattern.map(|pattern| pattern.0.as_str().into()),
        );
        if pattern.is_some() {
            self.condition.push_str(" ESCAPE '!'");
        }
        self
    }

    /// In the order of a column instead of the rows' numbers; rows without a value there are left out.
    pub(crate) fn by(mut self, column: &'static str) -> Self {
        self.order = Some(column);
        self.condition
            .push_str(&format!(" AND l.{column} IS NOT NULL"));
        self
    }

    /// True when every row is asked for.
    pub(crate) fn is_empty(&self) -> bool {
        self.condition.is_empty()
    }

    /// ` AND …`, or nothing.
    pub(crate) fn condition(&self) -> &str {
        &self.condition
    }

    /// The values of the condition, numbered after the list's own three.
    pub(crate) fn values(&self) -> &[Value<'a>] {
        &self.values
    }

    /// `ORDER BY …` in a direction.
    pub(crate) fn order(&self, direction: &str) -> String {
        match self.order {
            None => format!("ORDER BY l.seq {direction}"),
            Some(column) => format!("ORDER BY l.{column} {direction}, l.seq {direction}"),
        }
    }
}

/// A piece of text to be found anywhere in a column. Its own signs do not act as a pattern's.
pub(crate) struct Pattern(String);

impl Pattern {
    pub(crate) fn new(text: &str) -> Self {
        let text = text
            .replace('!', "!!")
            .replace('%', "!%")
            .replace('_', "!_");
        Self(format!("%{text}%"))
    }
}
