//! The session: user, CSRF token, and step-up for protected operations.
//!
//! The session token is in a cookie that scripts can't read. A flag in local storage says that a session exists: without it the
//! sign-in is shown immediately, without a call to the service.

use leptos::prelude::*;
use settlekit_core::header;
use settlekit_core::member::{Member, Role};
use settlekit_core::operation::Scope;
use settlekit_core::session::{Session as Record, StepUp};
use settlekit_core::value::UserId;

use crate::call_failure::CallFailure;
use crate::detached_signal::DetachedSignal;
use crate::local_storage;
use crate::text;
use crate::ui::{learn_service_time, service_now};

/// Local storage key of the flag; also used by `web/boot/first.js`.
const KEY: &str = "settlekit.signed-in";

/// Local storage key with the signed-in user, shared by the tabs of this browser.
const WHO: &str = "settlekit.who";

/// Whether a session may exist: the flag is set, or storage is unavailable.
pub(crate) fn may_be_signed_in() -> bool {
    !local_storage::is_available() || local_storage::is_set(KEY)
}

/// Publishes the user's scopes to the style sheet: elements with `data-scope` are shown to users with that scope.
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
        // Fails only for an invalid name.
        let _ = root.set_attribute("data-scopes", &scopes.join(" "));
    }
}

/// Connection that an operation needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum RequiredConnection {
    #[default]
    Nothing,
    Chain,
    Venue,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SessionState {
    /// Not requested yet.
    Unknown,
    /// The service did not answer.
    Unreachable(CallFailure),
    /// Signed out; `ended` if a session just expired.
    SignedOut { ended: bool },
    /// Signed in.
    SignedIn(Box<Record>),
}

#[derive(Clone, Copy)]
pub(crate) struct Session {
    state: DetachedSignal<SessionState>,
    /// The user as published to the other tabs.
    published_user: StoredValue<String>,
    /// Email of the user, also after the session has expired.
    email: StoredValue<String>,
    step_up: StoredValue<Option<StepUp>>,
    waiting: StoredValue<Option<Callback<()>>>,
    pub(crate) step_up_open: RwSignal<bool>,
    /// Sub-merchant that operations act for.
    pub(crate) acting_for: DetachedSignal<Option<String>>,
}

impl Session {
    pub(crate) fn provide() -> Self {
        let session = Self {
            state: DetachedSignal::new(SessionState::Unknown),
            published_user: StoredValue::default(),
            email: StoredValue::default(),
            step_up: StoredValue::new(None),
            waiting: StoredValue::new(None),
            step_up_open: RwSignal::new(false),
            acting_for: DetachedSignal::new(None),
        };
        provide_context(session);
        session
    }

    pub(crate) fn from_context() -> Self {
        expect_context()
    }

    /// The state of the session. Tracked.
    pub(crate) fn state(self) -> SessionState {
        self.state.get()
    }

    /// Record of the session; none when signed out. Tracked.
    pub(crate) fn record(self) -> Option<Record> {
        self.state.with(|state| match state {
            SessionState::SignedIn(record) => Some((**record).clone()),
            _ => None,
        })
    }

    /// Title and text about a missing connection; none if it is connected. Tracked.
    pub(crate) fn missing_connection(
        self,
        needs: RequiredConnection,
    ) -> Option<(&'static str, &'static str)> {
        let connected = |of: fn(&Record) -> bool| {
            self.state
                .with(|state| !matches!(state, SessionState::SignedIn(record) if !of(record)))
        };
        match needs {
            RequiredConnection::Chain if !connected(|record| record.chains_connected) => {
                Some((text::no_chain(), text::no_chain_why()))
            }
            RequiredConnection::Venue if !connected(|record| record.venues_connected) => {
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

    pub(crate) fn update_role_of(self, member: &Member) {
        self.update_role(member.id, &member.role);
    }

    /// Updates the role if it belongs to the user and differs.
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

    /// Email of the user whose session expired; empty for others.
    pub(crate) fn last_email(self) -> String {
        self.email.get_value()
    }

    /// Whether the session expired and the user has to sign in again. Tracked.
    pub(crate) fn is_expired(self) -> bool {
        self.state
            .with(|state| matches!(state, SessionState::SignedOut { ended: true }))
    }

    pub(crate) fn set(self, state: SessionState) {
        self.step_up.set_value(None);
        self.cancel_step_up();
        // The sub-merchant is kept after an expired session.
        if matches!(state, SessionState::SignedOut { ended: false }) {
            self.acting_for.set(None);
            self.email.set_value(String::new());
        }
        match &state {
            SessionState::SignedIn(record) => {
                learn_service_time(record.now);
                local_storage::set_flag(KEY, true);
                let published_user = record.user.id.to_string() + &record.org_id.to_string();
                // Recent records are those of another user or organisation.
                if local_storage::get(WHO).is_some_and(|before| before != published_user) {
                    local_storage::remove(local_storage::RECENT);
                }
                local_storage::set(WHO, &published_user);
                self.published_user.set_value(published_user);
                self.email.set_value(record.user.email.clone());
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

    /// Marks the session as expired: the sign-in is shown with the reason.
    pub(crate) fn expire(self) {
        if self
            .state
            .with_untracked(|state| matches!(state, SessionState::SignedIn(_)))
        {
            self.set(SessionState::SignedOut { ended: true });
        }
    }

    /// User and organisation of this page, also after the session has expired.
    pub(crate) fn reader(self) -> String {
        self.published_user.get_value()
    }

    /// Whether another tab signed in a different user, so that calls would be made as that user.
    pub(crate) fn is_replaced(self) -> bool {
        let published_user = self.published_user.get_value();
        !published_user.is_empty()
            && local_storage::get(WHO).is_some_and(|now| now != published_user)
    }

    /// Session headers for a call with this method.
    pub(crate) fn headers(self, method: http::Method) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        if method != http::Method::GET
            && let SessionState::SignedIn(record) = self.state.get_untracked()
        {
            headers.push((header::CSRF, record.csrf_token));
        }
        let now = service_now();
        let proof = self.step_up.with_value(|proof| {
            proof
                .as_ref()
                .filter(|proof| proof.expires_at > now)
                .map(|proof| proof.token.clone())
        });
        headers.extend(proof.map(|token| (header::STEP_UP, token)));
        headers
    }

    /// Requests a step-up and runs `then` afterwards.
    pub(crate) fn request_step_up(self, then: Callback<()>) {
        self.step_up.set_value(None);
        self.waiting.set_value(Some(then));
        self.step_up_open.set(true);
    }

    /// Stores the step-up and runs the waiting callback.
    pub(crate) fn complete_step_up(self, proof: StepUp) {
        self.step_up.set_value(Some(proof));
        self.step_up_open.set(false);
        if let Some(then) = self.waiting.try_update_value(Option::take).flatten() {
            then.run(());
        }
    }

    /// Cancels the step-up and the waiting callback.
    pub(crate) fn cancel_step_up(self) {
        self.waiting.set_value(None);
        self.step_up_open.set(false);
    }
}
