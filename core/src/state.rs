//! State machines as data: tables of the allowed transitions. All other transitions are rejected.
//!
//! The contract defines states and few transitions (section "States and transitions"); the others are decided here. The service
//! decides causes and consequences of a transition.

use std::fmt::Display;

/// State machine of a record type.
#[derive(Debug)]
pub struct Moves<S: 'static> {
    /// Name of the record type, for the documents.
    pub subject: &'static str,
    /// Allowed initial states.
    pub begins: &'static [S],
    /// From, to, cause.
    pub moves: &'static [(S, S, &'static str)],
}

impl<S: PartialEq> Moves<S> {
    /// Whether a transition is allowed.
    pub fn allow(&self, from: &S, to: &S) -> bool {
        self.moves
            .iter()
            .any(|(start, end, _)| start == from && end == to)
    }

    /// Whether a state is final.
    pub fn ends_in(&self, state: &S) -> bool {
        self.moves.iter().all(|(start, _, _)| start != state)
    }
}

/// A state machine without types, for printing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Name of the record type.
    pub subject: &'static str,
    /// Allowed initial states.
    pub begins: Vec<String>,
    /// From, to, cause.
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

/// All tables, in the order of the documents.
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
