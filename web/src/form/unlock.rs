//! The form inside the session lock.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::session::DeleteSession;

use crate::form::Form;
use crate::form::create_step_up::Password;
use crate::session::{Session, SessionState};
use crate::shell::{Cover, Live, record_activity};
use crate::text;

/// Asks for the password, or signs out.
#[component]
pub(crate) fn UnlockForm() -> impl IntoView {
    let session = Session::from_context();
    let locked = expect_context::<Cover>().locked;
    let left = Form::new();
    Live::from_context().pause_during(left.busy);
    let open = move || {
        record_activity();
        locked.set(false);
    };
    let leave = Callback::new(move |()| {
        left.send::<DeleteSession>(Arguments::default(), move |_| {
            open();
            session.set(SessionState::SignedOut { ended: false });
        });
    });
    view! {
        <Password
            why=text::locked_why() go_on=text::unlock() done=Callback::new(move |_| open())
            other=text::sign_out() left=left leave=leave
        />
    }
}
