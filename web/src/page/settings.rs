//! Frame of the settings pages with their tabs.

use leptos::prelude::*;
use leptos_router::components::{A, Outlet};
use leptos_router::hooks::use_location;
use settlekit_core::operation::Scope;

use crate::session::Session;
use crate::text;
use crate::ui::{Empty, Icon};

/// Scrolls the tab of the current page into view on narrow screens.
pub(super) fn scroll_tab_into_view() {
    let path = use_location().pathname;
    Effect::new(move |_| {
        let _ = path.get();
        request_animation_frame(|| {
            if let Ok(Some(tab)) = document().query_selector(".tabs [aria-current]") {
                tab.scroll_into_view_with_bool(false);
            }
        });
    });
}

#[component]
pub(crate) fn Settings() -> impl IntoView {
    scroll_tab_into_view();
    view! {
        <div class="page">
            <crate::ui::page_head::PageHead title=text::settings() />
            <nav class="tabs" aria-label=text::settings()>
                <A href="/settings" exact=true>{text::organisation()}</A>
                <A href="/settings/checkout">{text::payment_pages()}</A>
                <A href="/settings/members">{text::members()}</A>
                <A href="/settings/webhooks">{text::webhooks()}</A>
                <A href="/settings/api-keys" attr:data-scope="manage">{text::api_keys()}</A>
                <A href="/settings/signing-secret" attr:data-scope="manage">{text::signing_secret()}</A>
                <A href="/settings/password">{text::password()}</A>
                <A href="/settings/appearance">{text::appearance()}</A>
            </nav>
            <div class="settings"><Outlet /></div>
        </div>
    }
}

/// A page for owners; other users see a notice instead of a refused request.
pub(super) fn for_owners(picture: Icon, page: fn() -> AnyView) -> AnyView {
    let session = Session::from_context();
    let may = Memo::new(move |_| session.is_allowed(Scope::Manage));
    (move || {
        if may.get() {
            untrack(page)
        } else {
            view! { <section class="panel"><Empty picture=picture title=text::for_owners() hint=text::for_owners_why() /></section> }.into_any()
        }
    })
    .into_any()
}
