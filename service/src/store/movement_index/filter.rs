//! The filters of movements, as conditions on their rows and on the rows of the index.

use settlekit_core::account::MovementStatus;
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
            let wanted = wanted.iter().map(|one| Value::Text(one));
            conditions.push_str(&is_in(column, wanted, given));
        }
        let chains = self.chains.iter().map(|one| Value::Int(*one));
        conditions.push_str(&is_in(columns[3], chains, given));
        conditions
    }
}

/// ` AND column IN (…)`; empty without values.
fn is_in<'a>(
    column: &str,
    wanted: impl Iterator<Item = Value<'a>>,
    given: &mut Vec<Value<'a>>,
) -> String {
    let from = given.len() + 1;
    given.extend(wanted);
    let places: Vec<String> = (from..=given.len())
        .map(|place| format!("?{place}"))
        .collect();
    match places.is_empty() {
        true => String::new(),
        false => format!(" AND {column} IN ({})", places.join(", ")),
    }
}

/// ` AND …` on the status of a movement `m`.
fn has_status<'a>(statuses: &[&'a str], given: &mut Vec<Value<'a>>) -> String {
    is_in(
        "m.status",
        statuses.iter().map(|one| Value::Text(one)),
        given,
    )
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

    /// The statuses that are not wanted.
    pub(super) fn others(&self) -> Vec<&'static str> {
        let known = MovementStatus::KNOWN.iter().copied();
        known.filter(|status| !self.0.contains(status)).collect()
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
            conditions.push_str(&has_status(&statuses.0, given));
        }
        conditions
    }

    /// ` AND …` for the movements of the wanted kinds with one of these statuses, which are not Confirmed, whatever their amount.
    pub(super) fn unconfirmed(&self, statuses: &[&'a str], given: &mut Vec<Value<'a>>) -> String {
        let kinds = self.kinds.of_movement(given);
        // The partial index of statuses is used only with this literal, and by SQLite only with a list of statuses too.
        let statuses = has_status(statuses, given);
        format!(" AND m.status <> 'Confirmed'{kinds}{statuses}")
    }
}
