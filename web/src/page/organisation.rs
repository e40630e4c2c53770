//! Settings of the organisation.

use leptos::prelude::*;
use settlekit_core::organisation::{GetOrganisation, Organisation as Record};

use crate::api;
use crate::form::checkout_style::CheckoutStyleForm;
use crate::form::update_organisation::{NotificationsForm, UpdateOrganisationForm};
use crate::shell::{Loaded, load, load_failure};
use crate::text;
use crate::ui::Facts;

/// The organisation as first loaded: updates do not overwrite the user's input.
pub(super) fn organisation() -> (Loaded<Record>, Memo<Option<Record>>) {
    let loaded = load::<GetOrganisation>(|| Some(api::plain()));
    let first = Memo::new(move |before: Option<&Option<Record>>| {
        let now = loaded.state.with(|state| state.ready().cloned());
        before.cloned().flatten().or(now)
    });
    (loaded, first)
}

/// Failure, or loading skeleton.
#[component]
pub(super) fn Pending(loaded: Loaded<Record>) -> impl IntoView {
    view! {
        {load_failure(loaded)}
        <Show when=move || loaded.state.with(crate::remote::Remote::is_loading)>
            <div class="panel"><div class="panel-body stack"><span class="bone b3"></span><span class="bone b4 tall"></span><span class="bone b4 tall"></span></div></div>
        </Show>
    }
}

#[component]
pub(crate) fn Organisation() -> impl IntoView {
    let (loaded, first) = organisation();
    let saved = Callback::new(move |organisation| loaded.put(organisation));
    view! {
        <Pending loaded=loaded />
        {move || first.get().map(|organisation| {
            let facts = Facts::default()
                .id(text::organisation(), organisation.id.to_string())
                .id(text::partner(), organisation.partner_id.map(|id| id.to_string()))
                .time(text::created(), organisation.created_at);
            let reviews = reviews(&organisation);
            view! {
                <UpdateOrganisationForm organisation=organisation.clone() saved=saved />
                <NotificationsForm organisation=organisation.clone() saved=saved />
                {reviews}
                <section class="panel"><div class="panel-body">{facts.view()}</div></section>
            }
        })}
    }
}

/// Look and texts of the checkout pages.
#[component]
pub(crate) fn CheckoutPages() -> impl IntoView {
    let (loaded, first) = organisation();
    let saved = Callback::new(move |organisation| loaded.put(organisation));
    view! {
        <Pending loaded=loaded />
        {move || first.get().map(|organisation| view! { <CheckoutStyleForm organisation=organisation saved=saved /> })}
    }
}

/// Identity and company checks.
fn reviews(organisation: &Record) -> AnyView {
    let Some(properties) = organisation.properties.clone() else {
        return ().into_any();
    };
    let person = properties
        .kyc
        .and_then(|kyc| kyc.review_status().map(str::to_owned));
    let company = properties
        .kyb
        .and_then(|kyb| match (kyb.company(), kyb.review_status()) {
            (Some(name), Some(answer)) => Some(format!("{name}: {answer}")),
            (name, answer) => name.or(answer).map(str::to_owned),
        });
    let facts = (person.is_some() || company.is_some()).then(|| {
        let facts = Facts::default()
            .text(text::kyc(), person)
            .text(text::kyb(), company);
        view! { <section class="panel"><div class="panel-head"><h2>{text::reviews()}</h2></div><div class="panel-body">{facts.view()}</div></section> }
    });
    facts.into_any()
}
