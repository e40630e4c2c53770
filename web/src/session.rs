//! The session: who is signed in, the tokens of their calls, and the step-up for protected operations.
//!
//! The session itself is in a cookie that no script can read. A flag in local storage says that there is one: without it the
//! sign-in is shown at once, and the service is not asked for what it would refuse.

use leptos::prelude::*;
use settlekit_core::header;
use settlekit_core::member::{Member, Role};
use settlekit_core::operation::Scope;
use settlekit_core::session::{Session as Record, StepUp};
use settlekit_core::value::{Timestamp, UserId};

use crate::call_failure::CallFailure;
use crate::detached_signal::DetachedSignal;
use crate::local_storage;
use crate::text;

/// The flag in local storage that somebody is signed in; `web/boot/first.js` reads the same name.
const KEY: &str = "settlekit.signed-in";

/// The entry by which the tabs of this browser tell each other who is signed in.
const WHO: &str = "settlekit.who";

/// Whether somebody may be signed in: the flag is set, or the browser stores nothing.
pub(crate) fn may_be_signed_in() -> bool {
    !local_storage::is_available() || local_storage::is_set(KEY)
}

/// Tells the style sheet the scopes of the user: elements with `data-scope` are shown to those who have it.
fn note_scopes(state: &SessionState) {
    let scopes: Vec<&str> = match state {
        SessionState::SignedIn(record) => record
            .user
            .role
            .scopes()
            .iter()
            .map(|scope| scope.as_str())
            .collect(),
        _ => Vec::new(),
    };
    if let Some(root) = document().document_element() {
        // Fails only for a name that is none.
        let _ = root.set_attribute("data-scopes", &scopes.join(" "));
    }
}

/// The connection of the server that an operation needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Needs {
    #[default]
    Nothing,
    Chain,
    Venue,
}

/// The state of the session.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SessionState {
    /// Not asked yet.
    Unknown,
    /// The service gave no answer.
    Unreachable(CallFailure),
    /// Nobody is signed in; whether a session just ended.
    SignedOut { ended: bool },
    /// Somebody is signed in.
    SignedIn(Box<Record>),
}

/// The session of this page.
#[derive(Clone, Copy)]
pub(crate) struct Session {
    state: DetachedSignal<SessionState>,
    /// The user as the other tabs know them.
    told: StoredValue<String>,
    step_up: StoredValue<Option<StepUp>>,
    waiting: StoredValue<Option<Callback<()>>>,
    /// Whether the step-up dialog is open.
    pub(crate) step_up_open: RwSignal<bool>,
    /// The sub-merchant that operations are called for.
    pub(crate) acting_for: DetachedSignal<Option<String>>,
}

impl Session {
    /// Provides the session; once, at the root.
    pub(crate) fn provide() -> Self {
        let session = Self {
            state: DetachedSignal::new(SessionState::Unknown),
            told: StoredValue::default(),
            step_up: StoredValue::new(None),
            waiting: StoredValue::new(None),
            step_up_open: RwSignal::new(false),
            acting_for: DetachedSignal::new(None),
        };
        provide_context(session);
        session
    }

    /// The session of this page.
    pub(crate) fn from_context() -> Self {
        expect_context()
    }

    /// The state of the session. Tracked.
    pub(crate) fn state(self) -> SessionState {
        self.state.get()
    }

    /// The record of the session; none if nobody is signed in. Tracked.
    pub(crate) fn record(self) -> Option<Record> {
        self.state.with(|state| match state {
            SessionState::SignedIn(record) => Some((**record).clone()),
            _ => None,
        })
    }

    /// The missing connection as title and sentence; none if it is there. Tracked.
    pub(crate) fn missing_connection(self, needs: Needs) -> Option<(&'static str, &'static str)> {
        let connected = |of: fn(&Record) -> bool| {
            self.state
                .with(|state| !matches!(state, SessionState::SignedIn(record) if !of(record)))
        };
        match needs {
            Needs::Chain if !connected(|record| record.chains_connected) => {
                Some((text::no_chain(), text::no_chain_why()))
            }
            Needs::Venue if !connected(|record| record.venues_connected) => {
                Some((text::no_venue(), text::no_venue_why()))
            }
            _ => None,
        }
    }

    /// Whether the user's role has this scope. Tracked.
    pub(crate) fn is_allowed(self, scope: Scope) -> bool {
        self.state
            .with(|state| matches!(state, SessionState::SignedIn(record) if record.user.role.allows(scope)))
    }

    /// Takes up the role of a changed member, if that is the user.
    pub(crate) fn update_role_of(self, member: &Member) {
        self.update_role(member.id, &member.role);
    }

    /// Takes up a role, if it is the user's and differs.
    pub(crate) fn update_role(self, user: UserId, role: &Role) {
        let mut own = self.state.get_untracked();
        if let SessionState::SignedIn(record) = &mut own
            && record.user.id == user
            && record.user.role != *role
        {
            record.user.role = role.clone();
            note_scopes(&own);
            self.state.set(own);
        }
    }

    /// Whether the session ended and somebody has to sign in again. Tracked.
    pub(crate) fn is_expired(self) -> bool {
        self.state
            .with(|state| matches!(state, SessionState::SignedOut { ended: true }))
    }

    /// Sets the state of the session.
    pub(crate) fn set(self, state: SessionState) {
        self.step_up.set_value(None);
        self.cancel_step_up();
        // After an expired session the sub-merchant stays.
        if matches!(state, SessionState::SignedOut { ended: false }) {
            self.acting_for.set(None);
        }
        match &state {
            SessionState::SignedIn(record) => {
                local_storage::set_flag(KEY, true);
                let told = record.user.id.to_string() + &record.org_id.to_string();
                local_storage::set(WHO, &told);
                self.told.set_value(told);
            }
            SessionState::SignedOut { .. } => {
                local_storage::set_flag(KEY, false);
                local_storage::remove(local_storage::RECENT);
                local_storage::remove(WHO);
            }
            SessionState::Unknown | SessionState::Unreachable(_) => {}
        }
        note_scopes(&state);
        self.state.set(state);
    }

    /// The session ended: the sign-in is shown again and says why.
    pub(crate) fn expire(self) {
        if self
            .state
            .with_untracked(|state| matches!(state, SessionState::SignedIn(_)))
        {
            self.set(SessionState::SignedOut { ended: true });
        }
    }

    /// Whether another tab signed in a different user: calls of this one would be answered for them.
    pub(crate) fn is_replaced(self) -> bool {
        let told = self.told.get_value();
        !told.is_empty() && local_storage::get(WHO).is_some_and(|now| now != told)
    }

    /// The headers that go with a call of this method.
    pub(crate) fn headers(self, method: http::Method) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        if method != http::Method::GET
            && let SessionState::SignedIn(record) = self.state.get_untracked()
        {
            headers.push((header::CSRF, record.csrf_token));
        }
        let now = Timestamp::from_millis(js_sys::Date::now() as i64);
        let proof = self.step_up.with_value(|proof| {
            proof
                .as_ref()
                .filter(|proof| proof.expires_at > now)
                .map(|proof| proof.token.clone())
        });
        headers.extend(proof.map(|token| (header::STEP_UP, token)));
        headers
    }

    /// Asks for a step-up and runs `then` after it.
    pub(crate) fn request_step_up(self, then: Callback<()>) {
        self.step_up.set_value(None);
        self.waiting.set_value(Some(then));
        self.step_up_open.set(true);
    }

    /// Takes the step-up and runs what waited for it.
    pub(crate) fn complete_step_up(self, proof: StepUp) {
        self.step_up.set_value(Some(proof));
        self.step_up_open.set(false);
        if let Some(then) = self.waiting.try_update_value(Option::take).flatten() {
            then.run(());
        }
    }

    /// Cancels the step-up and what waited for it.
    pub(crate) fn cancel_step_up(self) {
        self.waiting.set_value(None);
        self.step_up_open.set(false);
    }
}
