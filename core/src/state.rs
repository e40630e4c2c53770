//! Tables of the allowed transitions between states, as data. Every other transition is refused.
//!
//! The contract lists states and few transitions (section "States and transitions"); the rest of the tables is our decision.
//! The service decides what causes a transition and what follows from it.

use std::fmt::Display;

/// The states of one kind of record, and the moves between them.
#[derive(Debug)]
pub struct Moves<S: 'static> {
    /// What has these states, for people.
    pub subject: &'static str,
    /// The states in which one can begin.
    pub begins: &'static [S],
    /// From, to, and what brings it about.
    pub moves: &'static [(S, S, &'static str)],
}

impl<S: PartialEq> Moves<S> {
    /// Whether one state may follow another.
    pub fn allow(&self, from: &S, to: &S) -> bool {
        self.moves
            .iter()
            .any(|(start, end, _)| start == from && end == to)
    }

    /// Whether nothing can follow a state.
    pub fn ends_in(&self, state: &S) -> bool {
        self.moves.iter().all(|(start, _, _)| start != state)
    }
}

/// A table without its types: what can be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What has these states.
    pub subject: &'static str,
    /// The states in which one can begin.
    pub begins: Vec<String>,
    /// From, to, and what brings it about.
    pub moves: Vec<(String, String, &'static str)>,
}

impl<S: Display> From<&Moves<S>> for Table {
    fn from(moves: &Moves<S>) -> Self {
        Self {
            subject: moves.subject,
            begins: moves.begins.iter().map(S::to_string).collect(),
            moves: moves
                .moves
                .iter()
                .map(|(from, to, when)| (from.to_string(), to.to_string(), *when))
                .collect(),
        }
    }
}

/// Every table, in the order of the documents.
pub fn tables() -> Vec<Table> {
    vec![
        (&crate::payment::MOVES).into(),
        (&crate::account::MOVEMENT_MOVES).into(),
        (&crate::event::DELIVERY_MOVES).into(),
        (&crate::quote::MOVES).into(),
        (&crate::trade::ORDER_MOVES).into(),
        (&crate::subscription::MOVES).into(),
        (&crate::invoice::PAYMENT_MOVES).into(),
        (&crate::invoice::DUNNING_MOVES).into(),
    ]
}
