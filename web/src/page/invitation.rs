//! Accepts an invitation: shows organisation and role to the holder of the link.
//!
//! The token follows `#`, so that it is sent only in request bodies.

use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::call::Call;
use settlekit_core::error::Reason;
use settlekit_core::field::Nothing;
use settlekit_core::member::{Invitation as Record, OpenInvitation, OpenInvitationBody};
use settlekit_core::operation::NoPath;

use crate::api;
use crate::call_failure::CallFailure;
use crate::form::accept_invitation::AcceptInvitationForm;
use crate::remote::Remote;
use crate::session::Session;
use crate::shell::Failed;
use crate::text;
use crate::ui::{Brand, Notice, Tone};

/// Path of the page.
pub(crate) const PATH: &str = "/invitation";

#[component]
pub(crate) fn Invitation() -> impl IntoView {
    document().set_title(&text::title(text::invitation()));
    let session = Session::from_context();
    let hash = window().location().hash().unwrap_or_default();
    let token = StoredValue::new(hash.trim_start_matches('#').to_owned());
    let state: RwSignal<Remote<Record>> = RwSignal::new(Remote::Loading);
    let ask = move || {
        spawn_local(async move {
            let call = Call::<OpenInvitation> {
                path: NoPath,
                query: Nothing {},
                body: OpenInvitationBody {
                    token: token.get_value(),
                },
            };
            let newer = match api::call(session, call).await {
                Ok(record) => Remote::Ready(record),
                Err(failure) => Remote::Failed(failure),
            };
            // None: the page is gone.
            let _ = state.try_set(newer);
        });
    };
    let retry = Callback::new(move |()| {
        state.set(Remote::Loading);
        ask();
    });
    ask();
    view! {
        <main class="gate" id="main">
            <div class="gate-box">
                <Brand below=text::sign_in_below() />
                {move || match state.get() {
                    Remote::Loading => view! {
                        <h1 class="hidden-text">{text::invitation()}</h1>
                        <div class="stack" aria-busy="true"><span class="bone b3 tall"></span><span class="bone b4"></span><span class="bone b4"></span></div>
                    }.into_any(),
                    Remote::Failed(failure) => view! { <h1>{text::invitation()}</h1>{nowhere(failure, retry)} }.into_any(),
                    // Existing members only set a new password.
                    Remote::Ready(record) if record.name.is_some() => view! {
                        <h1>{text::choose_password()}</h1>
                        <p>{text::choose_password_for(&record.email, &record.org_name)}</p>
                        <AcceptInvitationForm token=token.get_value() email=record.email member=record.name has_account=false />
                    }.into_any(),
                    Remote::Ready(record) => view! {
                        <h1>{text::join_of(&record.org_name)}</h1>
                        <p>{text::invitation_summary(&record.email, &text::role_of(&record.role))}</p>
                        <p class="quiet">{text::role_description(record.role.as_str())}</p>
                        <AcceptInvitationForm token=token.get_value() email=record.email member=None has_account=record.has_account.unwrap_or_default() />
                    }.into_any(),
                }}
            </div>
        </main>
    }
}

/// Error for a link that cannot be accepted, permanently or temporarily.
fn nowhere(failure: CallFailure, retry: Callback<()>) -> AnyView {
    let (title, why) = match failure.reason() {
        Some(Reason::NotFound | Reason::Empty | Reason::TooLong) => {
            (text::invitation_bad(), text::invitation_bad_why())
        }
        Some(Reason::InvitationExpired) => (text::invitation_late(), text::invitation_late_why()),
        _ => return view! { <Failed failure=failure retry=Some(retry) /> }.into_any(),
    };
    view! {
        <Notice tone=Tone::Warn title=title>{why}</Notice>
        <a class="button" href="/" rel="external">{text::to_sign_in()}</a>
    }
    .into_any()
}
