//! Frame around every page: navigation, brand, theme, user, and page-independent notices.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::A;
use leptos_router::hooks::use_location;
use serde::Deserialize;
use settlekit_core::page::Limit;
use settlekit_core::partner::{ListSubMerchants, ListSubMerchantsQuery};
use wasm_bindgen::JsCast;

use crate::address::{link_target, strip_base_path};
use crate::api;
use crate::session::Session;
use crate::shell::export_jobs::ExportRegion;
use crate::shell::live::Live;
use crate::shell::navigation::Location;
use crate::shell::palette::Palette;
use crate::shell::shortcuts;
use crate::shell::theme::Theme;
use crate::shell::unsaved_changes::UnsavedChanges;
use crate::text;
use crate::ui::{
    Brand, Dialog, Icon, Notice, Tone, focus, icon, keep_ages_current, listen_for_keys,
    restore_focus, target_of,
};

/// Lazily loaded views of the shell, and preloading of pages.
#[derive(Clone, Copy)]
pub(crate) struct LazyViews {
    /// Contents of the palette, given a placeholder until they are loaded.
    pub(crate) palette: fn(fn() -> AnyView) -> AnyView,
    pub(crate) shortcuts: fn() -> AnyView,
    /// Preloads the pages of a path.
    pub(crate) preload: fn(&str),
}

/// The number of records of a list: no more of it is read.
#[derive(Deserialize)]
struct Total {
    total: u64,
}

#[component]
pub(crate) fn Shell(
    lazy: LazyViews,
    /// User menu.
    user: AnyView,
    children: Children,
) -> impl IntoView {
    let session = Session::from_context();
    let live = Live::from_context();
    let record = Memo::new(move |_| session.record());
    let operates = Memo::new(move |_| {
        let record = record.get();
        record.is_some_and(|record| record.installation_operator)
    });
    let is_sandbox = Memo::new(move |_| {
        let record = record.get();
        record.is_some_and(|record| record.sandbox)
    });
    let organisation = Signal::derive(move || {
        record
            .get()
            .map(|record| record.org_name)
            .unwrap_or_default()
    });
    let count = move |of: fn(&settlekit_core::overview::Overview) -> u64| {
        Memo::new(move |_| live.read(of).filter(|count| *count > 0))
    };
    let processing = count(|overview| overview.payments_processing);
    let awaiting = count(|overview| overview.payouts_awaiting_approval);
    let failed = count(|overview| overview.deliveries_failed);
    // Asked once: an organisation becomes a partner by its operator.
    let is_partner = RwSignal::new(false);
    spawn_local(async move {
        let mut first = ListSubMerchantsQuery::default();
        first.list.limit = Limit::new(1);
        let call = api::with_query::<ListSubMerchants>(first);
        let answered = api::send(session, api::prepare(call.to_http(""))).await;
        // Without an answer, the palette still leads to the page.
        if let Ok(found) = api::read_answer_as::<ListSubMerchants, Total>(session, answered) {
            is_partner.try_set(found.total > 0);
        }
    });
    // Shown on every page, because operations are refused.
    let suspended = Memo::new(move |_| {
        let why = live.read(|overview| {
            let why = || overview.suspension_type.clone();
            overview.is_suspended.then(why)
        });
        let why = why.flatten()?;
        Some(why.unwrap_or_else(|| text::suspended_why().to_owned()))
    });
    let (help, palette) = (RwSignal::new(false), RwSignal::new(false));
    shortcuts::listen(help, palette);
    // A history step closes open overlays.
    let back = window_event_listener_untyped("popstate", move |_| {
        help.set(false);
        palette.set(false);
    });
    on_cleanup(move || back.remove());
    listen_for_keys();
    let changes = UnsavedChanges::from_context();
    changes.watch();
    keep_ages_current();

    // On a narrow screen the navigation is a popover: navigating closes it.
    let path = use_location().pathname;
    Effect::new(move |before: Option<()>| {
        let _ = path.get();
        if let Some(side) = document()
            .get_element_by_id("side")
            .and_then(|side| side.dyn_into::<web_sys::HtmlElement>().ok())
            && side.matches(":popover-open").unwrap_or_default()
        {
            let _ = side.hide_popover();
        }
        // The pressed element may be gone with its page; on the first page nothing was pressed.
        if before.is_some() {
            changes.discard();
            restore_focus(None);
        }
    });

    let location = Location::from_context();
    let follow = move |event: web_sys::MouseEvent| {
        if let Some(to) = link_target(&event) {
            event.prevent_default();
            location.follow(&to);
        }
    };

    view! {
        <a class="skip" href="#main" on:click=|event| { event.prevent_default(); focus("#main"); }>{text::skip()}</a>
        <div class="shell" on:click=follow>
            <header class="side" id="side" popover="auto">
                <Brand below=organisation />
                <button type="button" class="find" on:pointerover=move |_| (lazy.preload)("/settings") on:click=move |_| palette.set(true)>{icon(Icon::Search)}{text::palette_button()}<kbd>{text::palette_keys()}</kbd></button>
                <nav
                    aria-label=text::main_nav()
                    on:pointerover=move |event| preload(lazy, &event)
                    on:focusin=move |event| preload(lazy, &event)
                >
                    <ul class="nav">
                        <li><A href="/" exact=true>{icon(Icon::Home)}{text::overview()}</A></li>
                    </ul>
                    <ul class="nav" aria-label=text::payments()>
                        <li><A href="/payments">{icon(Icon::Payments)}{text::payments()}{move || processing.get().map(|count| view! { <span class="count">{count}<span class="hidden-text">" " {text::processing()}</span></span> })}</A></li>
                        <li><A href="/paylinks">{icon(Icon::Link)}{text::paylinks()}</A></li>
                        <li><A href="/plans">{icon(Icon::Plan)}{text::plans()}</A></li>
                        <li><A href="/subscriptions">{icon(Icon::Turning)}{text::subscriptions()}</A></li>
                        <li><A href="/invoices">{icon(Icon::Invoice)}{text::invoices()}</A></li>
                        <li><A href="/customers">{icon(Icon::People)}{text::customers()}</A></li>
                    </ul>
                    <ul class="nav" aria-label=text::money_group()>
                        <li><A href="/accounts">{icon(Icon::Accounts)}{text::money::accounts()}</A></li>
                        <li><A href="/movements">{icon(Icon::Movements)}{text::movements()}</A></li>
                        <li><A href="/payouts">{icon(Icon::Payout)}{text::money::payouts()}{move || awaiting.get().map(|count| view! { <span class="count">{count}<span class="hidden-text">" " {text::awaiting_approval()}</span></span> })}</A></li>
                        <li><A href="/external-accounts">{icon(Icon::Bank)}{text::money::external_accounts()}</A></li>
                        <li><A href="/trade">{icon(Icon::Trade)}{text::money::trading()}</A></li>
                        <li><A href="/automations">{icon(Icon::Bolt)}{text::money::automations()}</A></li>
                        <Show when=move || is_partner.get()>
                            <li><A href="/sub-merchants">{icon(Icon::Partner)}{text::money::sub_merchants()}</A></li>
                        </Show>
                    </ul>
                    <ul class="nav" aria-label=text::developers()>
                        <li><A href="/events">{icon(Icon::Events)}{text::events()}{move || failed.get().map(|count| view! { <span class="count bad">{count}<span class="hidden-text">" " {text::failed()}</span></span> })}</A></li>
                        <Show when=move || is_sandbox.get()>
                            <li><A href="/inbox">{icon(Icon::Inbox)}{text::inbox::title()}</A></li>
                        </Show>
                        // Served beside the dashboard, not one of its pages.
                        <li><a href="/docs" rel="external">{icon(Icon::Leave)}{text::interface()}</a></li>
                    </ul>
                    <ul class="nav">
                        <Show when=move || operates.get()>
                            <li><A href="/installation">{icon(Icon::Chain)}{text::installation::chains_and_wallet()}</A></li>
                        </Show>
                        <li><A href="/settings">{icon(Icon::Settings)}{text::settings()}</A></li>
                    </ul>
                </nav>
                <div class="side-foot">
                    <Show when=move || is_sandbox.get()>
                        <a class="sandbox" href="/sandbox">{icon(Icon::Flask)}{text::sandbox()}</a>
                    </Show>
                    <Theme />
                    {user}
                </div>
            </header>
            <div>
                <nav class="top" aria-label=text::menu()>
                    <button type="button" class="button plain square" popovertarget="side" aria-label=text::menu()>{icon(Icon::Menu)}</button>
                    <Brand below=organisation />
                </nav>
                <main class="main" id="main" tabindex="-1">
                    // Shown on every page, because its data may be stale.
                    <div class="offline" role="status">{move || live.is_stale().then(|| view! { <p>{icon(Icon::Alert)}{text::stale()}</p> })}</div>
                    <div role="status">{move || suspended.get().map(|why| view! { <div class="banner"><Notice tone=Tone::Bad title=text::suspended()>{why}</Notice></div> })}</div>
                    {children()}
                </main>
            </div>
        </div>
        <ExportRegion />
        <Help open=help inside=lazy.shortcuts />
        <Palette open=palette inside=lazy.palette />
    }
}

/// Preloads the page of a hovered or focused link.
fn preload(lazy: LazyViews, event: &web_sys::Event) {
    let link = target_of(event).and_then(|element| element.closest("a").ok().flatten());
    if let Some(address) = link.and_then(|link| link.get_attribute("href")) {
        (lazy.preload)(&strip_base_path(&address));
    }
}

#[component]
fn Help(open: RwSignal<bool>, inside: fn() -> AnyView) -> impl IntoView {
    let close = Callback::new(move |()| open.set(false));
    view! {
        <Dialog open=open close=close title=text::keys()>
            {inside()}
            <div class="row"><button type="button" class="button" on:click=move |_| close.run(())>{text::close()}</button></div>
        </Dialog>
    }
}
