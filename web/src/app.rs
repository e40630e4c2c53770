//! The routes, one line per page, and the views before sign-in.

use leptos::prelude::*;
use leptos_router::components::{ParentRoute, Route, Router, Routes};
use leptos_router::path;

use crate::address::{base_path, strip_base_path};
use crate::api::restore_session;
use crate::call_failure::CallFailure;
use crate::form::create_session::CreateSessionForm;
use crate::form::create_step_up::StepUpDialog;
use crate::form::delete_session::SignedInUser;
use crate::form::share_chains;
use crate::lazy_pages::{self, COMMERCE, MONEY, SETUP, TRADE, in_dialog};
use crate::page;
use crate::session::{Session, SessionState};
use crate::shell::{
    Cover, ExportJobs, Failed, LazyViews, Live, SessionLock, Shell, SignInAgain, UnsavedChanges,
};
use crate::text;
use crate::ui::{Empty, Icon, ToastRegion, Toasts};

#[component]
pub(crate) fn App() -> impl IntoView {
    let session = Session::provide();
    Toasts::provide();
    UnsavedChanges::provide();
    restore_session(session);
    let gives_way = StoredValue::new(false);
    window_event_listener_untyped("storage", move |_| {
        // Only once: local storage changes several times during a sign-in.
        if !gives_way.get_value() && session.is_replaced() {
            gives_way.set_value(true);
            // Fails only if the page may not navigate.
            let _ = window().location().reload();
        }
    });
    // The page is loaded in parallel with the session.
    let path = strip_base_path(&location().pathname().unwrap_or_default());
    lazy_pages::preload(&path);
    // Signing in or out changes the page; a new token for the same user does not. Invitations need no session.
    let invited = path == page::invitation::PATH;
    let stage = Memo::new(move |before: Option<&Stage>| match session.state() {
        _ if invited => Stage::Invitation,
        // The page stays for the user to sign in again.
        SessionState::SignedOut { ended: true } if before == Some(&Stage::Inside) => Stage::Inside,
        SessionState::Unknown => Stage::Asking,
        SessionState::Unreachable(failure) => Stage::Unreachable(failure),
        SessionState::SignedOut { ended } => Stage::SignIn { ended },
        SessionState::SignedIn(_) => Stage::Inside,
    });
    view! {
        <Router base=base_path()>
            {move || {
                let stage = stage.get();
                // The content of index.html stays until the session is known; the sign-in takes over its input.
                let over: &[&str] = match stage {
                    Stage::Asking => &[],
                    Stage::SignIn { .. } => &["shell"],
                    Stage::Unreachable(_) | Stage::Invitation | Stage::Inside => &["shell", "early"],
                };
                for part in over.iter().filter_map(|id| document().get_element_by_id(id)) {
                    part.remove();
                }
                match stage {
                    Stage::Asking => ().into_any(),
                    Stage::Unreachable(failure) => view! {
                        <main class="gate" id="main"><div class="gate-box">
                            <Failed failure=failure retry=Some(Callback::new(move |()| restore_session(session))) />
                        </div></main>
                    }.into_any(),
                    Stage::SignIn { ended } => view! { <page::sign_in::SignIn ended=ended /> }.into_any(),
                    Stage::Invitation => SETUP.page(|of| of.invitation)(),
                    Stage::Inside => view! { <Inside /> }.into_any(),
                }
            }}
            <ToastRegion />
        </Router>
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Stage {
    Asking,
    Unreachable(CallFailure),
    SignIn { ended: bool },
    Invitation,
    Inside,
}

/// A type-erased page: otherwise every page is compiled into every route.
fn any<V: IntoView + 'static>(page: fn() -> V) -> impl Fn() -> AnyView + Clone + Send + 'static {
    move || page().into_any()
}

fn overview() -> AnyView {
    view! { <page::overview::Overview first_steps=lazy_pages::first_steps charts=lazy_pages::charts business=lazy_pages::business /> }
        .into_any()
}

/// The views of the shell that are loaded on demand.
const LAZY: LazyViews = LazyViews {
    palette: lazy_pages::palette,
    shortcuts: || in_dialog(|of| of.help),
    preload: lazy_pages::preload,
};

#[component]
fn Inside() -> impl IntoView {
    Cover::provide();
    ExportJobs::provide();
    let changes = UnsavedChanges::from_context();
    Live::start(Session::from_context());
    share_chains();
    lazy_pages::preload_all();
    view! {
        <Shell lazy=LAZY user=view! { <SignedInUser /> }.into_any()>
            <Routes fallback=any(PageNotFound)>
                <Route path=path!("/") view=overview />
                <Route path=path!("/movements") view=MONEY.page(|of| of.movements) />
                <Route path=path!("/accounts") view=MONEY.page(|of| of.accounts) />
                <Route path=path!("/accounts/new") view=MONEY.page(|of| of.create_account) />
                <Route path=path!("/accounts/:account") view=MONEY.page(|of| of.account) />
                <Route path=path!("/payouts") view=MONEY.page(|of| of.payouts) />
                <Route path=path!("/payouts/new") view=MONEY.page(|of| of.create_payout) />
                <Route path=path!("/external-accounts") view=MONEY.page(|of| of.external_accounts) />
                <Route path=path!("/payments") view=MONEY.page(|of| of.payments) />
                <Route path=path!("/paylinks") view=COMMERCE.page(|of| of.paylinks) />
                <Route path=path!("/paylinks/new") view=COMMERCE.page(|of| of.create_paylink) />
                <Route path=path!("/paylinks/edit") view=COMMERCE.page(|of| of.edit_paylinks) />
                <Route path=path!("/plans") view=COMMERCE.page(|of| of.plans) />
                <Route path=path!("/plans/new") view=COMMERCE.page(|of| of.create_plan) />
                <Route path=path!("/subscriptions") view=COMMERCE.page(|of| of.subscriptions) />
                <Route path=path!("/subscriptions/new") view=COMMERCE.page(|of| of.create_subscription) />
                <Route path=path!("/invoices") view=COMMERCE.page(|of| of.invoices) />
                <Route path=path!("/invoices/sheet") view=COMMERCE.page(|of| of.sheet) />
                <Route path=path!("/customers") view=COMMERCE.page(|of| of.customers) />
                <ParentRoute path=path!("/trade") view=page::trading::Trading>
                    <Route path=path!("") view=TRADE.page(|of| of.quick_trade) />
                    <Route path=path!("/rfq") view=TRADE.page(|of| of.rfq) />
                    <Route path=path!("/quotes") view=TRADE.page(|of| of.quotes) />
                    <Route path=path!("/orders") view=TRADE.page(|of| of.orders) />
                    <Route path=path!("/markets") view=TRADE.page(|of| of.markets) />
                </ParentRoute>
                <Route path=path!("/automations") view=TRADE.page(|of| of.partner) />
                <Route path=path!("/sub-merchants") view=TRADE.page(|of| of.sub_merchants) />
                <Route path=path!("/installation") view=SETUP.page(|of| of.installation) />
                <Route path=path!("/events") view=SETUP.page(|of| of.events) />
                <Route path=path!("/inbox") view=SETUP.page(|of| of.inbox) />
                <Route path=path!("/events/verify") view=SETUP.page(|of| of.verify_webhook) />
                <Route path=path!("/sandbox") view=SETUP.page(|of| of.sandbox) />
                <ParentRoute path=path!("/settings") view=page::settings::Settings>
                    <Route path=path!("") view=SETUP.page(|of| of.organisation) />
                    <Route path=path!("/checkout") view=SETUP.page(|of| of.checkout_pages) />
                    <Route path=path!("/webhooks") view=SETUP.page(|of| of.webhooks) />
                    <Route path=path!("/api-keys") view=SETUP.page(|of| of.api_keys) />
                    <Route path=path!("/members") view=SETUP.page(|of| of.members) />
                    <Route path=path!("/password") view=SETUP.page(|of| of.password) />
                    <Route path=path!("/appearance") view=SETUP.page(|of| of.appearance) />
                    <Route path=path!("/signing-secret") view=SETUP.page(|of| of.signing_secret) />
                </ParentRoute>
            </Routes>
        </Shell>
        <StepUpDialog>{in_dialog(|of| of.step_up)}</StepUpDialog>
        {move || changes.needs_dialog().then(lazy_pages::leave)}
        <SessionLock>{in_dialog(|of| of.unlock)}</SessionLock>
        <SignInAgain><CreateSessionForm /></SignInAgain>
    }
}

#[component]
fn PageNotFound() -> impl IntoView {
    document().set_title(&text::title(text::nowhere()));
    view! {
        <div class="page"><h1 class="hidden-text">{text::nowhere()}</h1><Empty picture=Icon::Search title=text::nowhere() hint=text::nowhere_hint()><a class="button" href="/">{text::overview()}</a></Empty></div>
    }
}
