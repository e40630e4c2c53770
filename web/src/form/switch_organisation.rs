//! Going on in another organisation of the user.

use leptos::prelude::*;
use settlekit_core::session::{Membership, SwitchOrganisation};

use crate::address::base_path;
use crate::form::{Fields, Form, form_failure};
use crate::session::{Session, SessionState};
use crate::shell::UnsavedChanges;
use crate::text;
use crate::ui::{Icon, icon};

/// The organisations of a member of several, to choose from; nothing for others.
#[component]
pub(crate) fn OrganisationSwitch() -> impl IntoView {
    let session = Session::from_context();
    let form = Form::new();
    let changes = UnsavedChanges::from_context();
    let record = Memo::new(move |_| session.record());
    let several = move || {
        let organisations = record.get().map(|record| record.organisations);
        organisations.filter(|organisations| organisations.len() > 1)
    };
    let current = move || record.get().map(|record| record.org_id);
    let button = move |organisation: Membership| {
        let is_current = current() == Some(organisation.org_id);
        let id = organisation.org_id.to_string();
        let switch = move || {
            let body = Fields::default().text("org_id", &id).body();
            form.send::<SwitchOrganisation>(body, move |record| {
                session.set(SessionState::SignedIn(Box::new(record)));
                // Everything on the page is of the former organisation. Fails only if the page may not navigate.
                let _ = window().location().replace(&format!("{}/", base_path()));
            });
        };
        view! {
            <li>
                <button
                    type="button"
                    class="button plain small"
                    aria-current=is_current.then_some("true")
                    disabled=move || is_current || form.busy.get()
                    on:click=move |_| changes.go("", false, Box::new(switch.clone()))
                >
                    {is_current.then(|| icon(Icon::Check))}
                    {organisation.org_name}
                    <small class="quiet">{text::role_of(&organisation.role)}</small>
                </button>
            </li>
        }
    };
    move || {
        several().map(|organisations| {
            let buttons = organisations.into_iter().map(button).collect_view();
            view! {
                <details class="more organisations">
                    <summary>{icon(Icon::Right)}{text::switch_organisation()}</summary>
                    <ul aria-label=text::organisations()>{buttons}</ul>
                    {form_failure(form)}
                </details>
            }
        })
    }
}
