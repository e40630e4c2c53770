//! The routes, one line per page, and what stands in their place until somebody is signed in.

use leptos::prelude::*;
use leptos_router::components::{ParentRoute, Route, Router, Routes};
use leptos_router::path;

use crate::chunk::{self, COMMERCE, MONEY, SETUP, TRADE};
use crate::form::choice::keep_chains;
use crate::form::create_step_up::CreateStepUpForm;
use crate::live::Live;
use crate::page;
use crate::part::icon::Icon;
use crate::part::leaving::Leaving;
use crate::part::lock::{Again, Cover, Lock};
use crate::part::nav::{Shell, recognise};
use crate::part::notice::{Empty, Failed, ToastRegion, Toasts};
use crate::place::{root, within};
use crate::session::{Session, Who};
use crate::text;

#[component]
pub(crate) fn App() -> impl IntoView {
    let session = Session::provide();
    Toasts::provide();
    Leaving::provide();
    recognise(session);
    let gives_way = StoredValue::new(false);
    window_event_listener_untyped("storage", move |_| {
        // Once: what is kept changes several times while somebody signs in.
        if !gives_way.get_value() && session.is_anothers() {
            gives_way.set_value(true);
            // Fails only for a page that may not be left at all.
            let _ = window().location().reload();
        }
    });
    // The page that the address names is on its way while the service is asked who is there.
    let path = within(&location().pathname().unwrap_or_default());
    chunk::expect(&path);
    // Signing in or out changes the page; a new token for the same reader does not.
    // An invitation is for whoever has its link, signed in or not.
    let invited = path == page::invitation::PATH;
    let stage = Memo::new(move |before: Option<&Stage>| match session.who() {
        _ if invited => Stage::Invitation,
        // What they were at waits for who signs in again.
        Who::Nobody { ended: true } if before == Some(&Stage::Inside) => Stage::Inside,
        Who::Unknown => Stage::Asking,
        Who::Unreachable(trouble) => Stage::Unreachable(trouble),
        Who::Nobody { ended } => Stage::SignIn { ended },
        Who::Signed(_) => Stage::Inside,
    });
    view! {
        <Router base=root()>
            {move || {
                let stage = stage.get();
                // Until it is known who is there, what index.html shows stays; the sign-in takes over what was typed.
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
                    Stage::Unreachable(trouble) => view! {
                        <main class="gate" id="main"><div class="gate-box">
                            <Failed trouble=trouble retry=Some(Callback::new(move |()| recognise(session))) />
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
    Unreachable(crate::api::Trouble),
    SignIn { ended: bool },
    Invitation,
    Inside,
}

/// A page whose type the router need not know: without this every page is compiled into every route.
fn any<V: IntoView + 'static>(page: fn() -> V) -> impl Fn() -> AnyView + Clone + Send + 'static {
    move || page().into_any()
}

#[component]
fn Inside() -> impl IntoView {
    Cover::provide();
    Live::start(Session::here());
    keep_chains();
    chunk::expect_all();
    view! {
        <Shell>
            <Routes fallback=any(Nowhere)>
                <Route path=path!("/") view=any(page::overview::Overview) />
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
                <Route path=path!("/events") view=SETUP.page(|of| of.events) />
                <Route path=path!("/events/verify") view=SETUP.page(|of| of.verify_webhook) />
                <Route path=path!("/sandbox") view=SETUP.page(|of| of.sandbox) />
                <ParentRoute path=path!("/settings") view=page::settings::Settings>
                    <Route path=path!("") view=SETUP.page(|of| of.organisation) />
                    <Route path=path!("/webhooks") view=SETUP.page(|of| of.webhooks) />
                    <Route path=path!("/api-keys") view=SETUP.page(|of| of.api_keys) />
                    <Route path=path!("/members") view=SETUP.page(|of| of.members) />
                    <Route path=path!("/password") view=SETUP.page(|of| of.password) />
                    <Route path=path!("/appearance") view=SETUP.page(|of| of.appearance) />
                    <Route path=path!("/signing-secret") view=SETUP.page(|of| of.signing_secret) />
                </ParentRoute>
            </Routes>
        </Shell>
        <CreateStepUpForm />
        {Leaving::here().question()}
        <Lock />
        <Again />
    }
}

#[component]
fn Nowhere() -> impl IntoView {
    document().set_title(&text::title(text::nowhere()));
    view! {
        <div class="page"><h1 class="hidden-text">{text::nowhere()}</h1><Empty picture=Icon::Search title=text::nowhere() lesson=text::nowhere_lesson()><a class="button" href="/">{text::overview()}</a></Empty></div>
    }
}
