//! The filters of movements, as conditions on their rows and on the rows of the index.

use settlekit_core::value::Amount;

use crate::store::amount_rank::amount_rank;
use crate::store::sql::Value;

/// The status of nearly all movements.
const CONFIRMED: &str = "Confirmed";

/// What never changes of a movement. An empty list is any value.
#[derive(Debug, Clone, Default)]
pub(in crate::store) struct KindFilter<'a> {
    pub(in crate::store) types: Vec<&'a str>,
    pub(in crate::store) directions: Vec<&'a str>,
    pub(in crate::store) currencies: Vec<&'a str>,
    pub(in crate::store) chains: Vec<i64>,
}

impl<'a> KindFilter<'a> {
    pub(in crate::store) fn is_empty(&self) -> bool {
        self.types.is_empty()
            && self.directions.is_empty()
            && self.currencies.is_empty()
            && self.chains.is_empty()
    }

    /// ` AND …` on a movement `m` and its account `a`.
    fn of_movement(&self, given: &mut Vec<Value<'a>>) -> String {
        let columns = ["m.type", "m.direction", "m.currency", "a.chain_id"];
        self.conditions(columns, given)
    }

    /// ` AND …` on a row of the index.
    pub(super) fn of_index(&self, given: &mut Vec<Value<'a>>) -> String {
        let columns = ["type", "direction", "currency", "chain_id"];
        self.conditions(columns, given)
    }

    fn conditions(&self, columns: [&str; 4], given: &mut Vec<Value<'a>>) -> String {
        let texts = [&self.types, &self.directions, &self.currencies];
        let mut conditions = String::new();
        for (column, wanted) in columns.iter().zip(texts) {
            let wanted: Vec<Value<'a>> = wanted.iter().map(|one| Value::Text(one)).collect();
            conditions.push_str(&is_in(column, "IN", &wanted, given));
        }
        let chains: Vec<Value<'a>> = self.chains.iter().map(|one| Value::Int(*one)).collect();
        conditions.push_str(&is_in(columns[3], "IN", &chains, given));
        conditions
    }
}

/// ` AND column IN (…)`; empty without values.
fn is_in<'a>(
    column: &str,
    operator: &str,
    wanted: &[Value<'a>],
    given: &mut Vec<Value<'a>>,
) -> String {
    if wanted.is_empty() {
        return String::new();
    }
    let from = given.len() + 1;
    given.extend_from_slice(wanted);
    let places: Vec<String> = (from..=given.len())
        .map(|place| format!("?{place}"))
        .collect();
    format!(" AND {column} {operator} ({})", places.join(", "))
}

/// Wanted statuses, each once.
#[derive(Debug, Clone)]
pub(in crate::store) struct Statuses<'a>(Vec<&'a str>);

impl<'a> Statuses<'a> {
    pub(in crate::store) fn new(statuses: Vec<&'a str>) -> Self {
        Self(statuses)
    }

    pub(in crate::store) fn words(&self) -> &[&'a str] {
        &self.0
    }

    pub(super) fn has_confirmed(&self) -> bool {
        self.0.contains(&CONFIRMED)
    }

    fn condition(&self, operator: &str, given: &mut Vec<Value<'a>>) -> String {
        let wanted: Vec<Value<'a>> = self.0.iter().map(|one| Value::Text(one)).collect();
        is_in("m.status", operator, &wanted, given)
    }
}

/// A range of amounts that includes its ends.
#[derive(Debug, Clone, Copy)]
pub(in crate::store) struct AmountRange {
    pub(in crate::store) from: Option<Amount>,
    pub(in crate::store) to: Option<Amount>,
}

impl AmountRange {
    pub(super) fn has(&self, amount: Amount) -> bool {
        self.from.is_none_or(|from| amount >= from) && self.to.is_none_or(|to| amount <= to)
    }

    /// The ranks of its ends. Without one, a text before or after all ranks, which begin with a digit.
    pub(super) fn ranks(&self) -> [String; 2] {
        [
            self.from.map(amount_rank).unwrap_or_default(),
            self.to.map_or_else(|| "~".to_owned(), amount_rank),
        ]
    }
}

/// All filters of a movement list, except its search.
#[derive(Debug, Clone, Default)]
pub(in crate::store) struct MovementFilter<'a> {
    pub(in crate::store) kinds: KindFilter<'a>,
    pub(in crate::store) statuses: Option<Statuses<'a>>,
    pub(in crate::store) amounts: Option<AmountRange>,
}

impl<'a> MovementFilter<'a> {
    /// ` AND …` for the movements that match, whatever their amount.
    pub(super) fn matching(&self, given: &mut Vec<Value<'a>>) -> String {
        let mut conditions = self.kinds.of_movement(given);
        if let Some(statuses) = &self.statuses {
            conditions.push_str(&statuses.condition("IN", given));
        }
        conditions
    }

    /// As [`Self::matching`], without Confirmed movements.
    pub(super) fn matching_unconfirmed(&self, given: &mut Vec<Value<'a>>) -> String {
        let matching = self.matching(given);
        // The partial index of statuses is used only with the literal.
        format!(" AND m.status <> 'Confirmed'{matching}")
    }

    /// ` AND …` for the movements of the wanted kinds that are neither Confirmed nor of a wanted status.
    pub(super) fn excluded(&self, statuses: &Statuses<'a>, given: &mut Vec<Value<'a>>) -> String {
        let kinds = self.kinds.of_movement(given);
        let others = statuses.condition("NOT IN", given);
        format!(" AND m.status <> 'Confirmed'{kinds}{others}")
    }
}
