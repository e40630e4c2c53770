//! A table of allowed transitions.

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
