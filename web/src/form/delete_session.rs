//! The signed-in user, their organisations, and signing out.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::session::DeleteSession;

use crate::form::Form;
use crate::form::switch_organisation::OrganisationSwitch;
use crate::session::{Session, SessionState};
use crate::shell::{Live, UnsavedChanges};
use crate::text;
use crate::ui::{Icon, icon};

/// Switch of the organisation, user name and sign-out button.
#[component]
pub(crate) fn SignedInUser() -> impl IntoView {
    let session = Session::from_context();
    let form = Form::new();
    Live::from_context().pause_during(form.busy);
    let user = move || session.record().map(|record| record.user);
    let changes = UnsavedChanges::from_context();
    let sign_out = move || {
        form.send::<DeleteSession>(Arguments::default(), move |_| {
            session.set(SessionState::SignedOut { ended: false })
        });
    };
    view! {
        <OrganisationSwitch />
        <div class="who">
            <span><strong>{move || user().map(|user| user.name)}</strong><small>{move || user().map(|user| user.email)}</small></span>
            <button type="button" class="button plain square small push" aria-label=text::sign_out() title=text::sign_out() disabled=form.busy on:click=move |_| changes.go("", false, Box::new(sign_out))>
                {icon(Icon::SignOut)}
            </button>
        </div>
    }
}
