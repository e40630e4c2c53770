//! State machines as data: tables of the allowed transitions. All other transitions are rejected.
//!
//! The contract defines states and few transitions (section "States and transitions"); the others are decided here. The service
//! decides causes and consequences of a transition.

use std::fmt::Display;

/// State machine of a record type.
#[derive(Debug)]
pub struct Transitions<S: 'static> {
    /// Name of the record type, for the documents.
    pub subject: &'static str,
    /// Allowed initial states.
    pub initial: &'static [S],
    /// From, to, cause.
    pub transitions: &'static [(S, S, &'static str)],
}

impl<S: PartialEq> Transitions<S> {
    /// Whether a transition is allowed.
    pub fn allows(&self, from: &S, to: &S) -> bool {
        self.transitions
            .iter()
            .any(|(start, end, _)| start == from && end == to)
    }

    /// Whether a state is final.
    pub fn is_final(&self, state: &S) -> bool {
        self.transitions.iter().all(|(start, _, _)| start != state)
    }
}

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

/// Declares the state machine of a record type: its initial states, then `from => to: cause`.
macro_rules! transitions {
    (
        $(#[$meta:meta])*
        $name:ident: $status:ident of $subject:literal, initially $($initial:ident),+;
        $($from:ident => $to:ident: $cause:literal,)+
    ) => {
        $(#[$meta])*
        pub static $name: $crate::state::Transitions<$status> = $crate::state::Transitions {
            subject: $subject,
            initial: &[$($status::$initial),+],
            transitions: &[$(($status::$from, $status::$to, $cause)),+],
        };
    };
}
pub(crate) use transitions;

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
