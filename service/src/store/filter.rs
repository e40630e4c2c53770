//! Which rows of a list are asked for, as conditions with their values.

use super::count::Counted;
use super::sql::Value;

/// The values of the list itself come first: owner, first number, last number.
const TAKEN: usize = 3;

/// Conditions over the rows of a list, the table as `l`.
#[derive(Default)]
pub(crate) struct Filter<'a> {
    condition: String,
    values: Vec<Value<'a>>,
    order: Option<&'static str>,
    /// How many conditions there are.
    conditions: u32,
    /// One of them, when its rows are counted.
    counted: Option<(&'static Counted, &'a str)>,
}

impl<'a> Filter<'a> {
    /// Also: what stands before the sign of comparison, and the value after it; nothing when there is no value.
    pub(crate) fn holds(mut self, comparison: &str, value: Option<Value<'a>>) -> Self {
        if let Some(value) = value {
            self.conditions += 1;
            self.values.push(value);
            let number = self.values.len() + TAKEN;
            self.condition
                .push_str(&format!(" AND l.{comparison} ?{number}"));
        }
        self
    }

    /// Also: a column has a value; nothing when none is asked for.
    pub(crate) fn equals(self, column: &str, value: Option<&'a str>) -> Self {
        self.holds(&format!("{column} ="), value.map(|value| value.into()))
    }

    /// As [`Filter::equals`], for a column whose values are counted.
    pub(crate) fn counted(mut self, counted: &'static Counted, value: Option<&'a str>) -> Self {
        self.counted = value.map(|value| (counted, value)).or(self.counted);
        self.equals(counted.column, value)
    }

    /// What is asked for when it is one value alone whose rows are counted.
    pub(super) fn one_counted(&self) -> Option<(&'static Counted, &'a str)> {
        self.counted.filter(|_| self.conditions == 1)
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

    /// Also: a condition without a value.
    pub(crate) fn is(mut self, condition: Option<&str>) -> Self {
        if let Some(condition) = condition {
            self.conditions += 1;
            self.condition.push_str(&format!(" AND l.{condition}"));
        }
        self
    }

    /// In the order of a column instead of the rows' numbers; rows without a value there are left out.
    pub(crate) fn by(mut self, column: &'static str) -> Self {
        self.order = Some(column);
        self.is(Some(&format!("{column} IS NOT NULL")))
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
