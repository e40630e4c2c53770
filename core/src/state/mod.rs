//! State machines as data: tables of the allowed transitions. All other transitions are rejected.
//!
//! The contract defines states and few transitions (section "States and transitions"); the others are decided here. The service
//! decides causes and consequences of a transition.

mod transitions;

use std::fmt::Display;

pub use transitions::Transitions;
pub(crate) use transitions::transitions;

/// A state machine without types, for printing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Name of the record type.
    pub subject: &'static str,
    /// Allowed initial states.
    pub initial: Vec<String>,
    /// From, to, cause.
    pub transitions: Vec<(String, String, &'static str)>,
}

impl<S: Display> From<&Transitions<S>> for Table {
    fn from(table: &Transitions<S>) -> Self {
        Self {
            subject: table.subject,
            initial: table.initial.iter().map(S::to_string).collect(),
            transitions: table
                .transitions
                .iter()
                .map(|(from, to, cause)| (from.to_string(), to.to_string(), *cause))
                .collect(),
        }
    }
}

/// All tables, in the order of the documents.
pub fn tables() -> Vec<Table> {
    vec![
        (&crate::payment::TRANSITIONS).into(),
        (&crate::account::MOVEMENT_TRANSITIONS).into(),
        (&crate::event::DELIVERY_TRANSITIONS).into(),
        (&crate::quote::TRANSITIONS).into(),
        (&crate::trade::ORDER_TRANSITIONS).into(),
        (&crate::subscription::TRANSITIONS).into(),
        (&crate::invoice::PAYMENT_TRANSITIONS).into(),
        (&crate::invoice::DUNNING_TRANSITIONS).into(),
    ]
}
