//! The routes, one line per page, and what stands in their place until somebody is signed in.

use leptos::prelude::*;
use leptos_router::components::{ParentRoute, Route, Router, Routes};
use leptos_router::path;

use crate::form::choice::provide_chains;
use crate::form::create_step_up::CreateStepUpForm;
use crate::live::Live;
use crate::page;
use crate::part::icon::Icon;
use crate::part::lock::Lock;
use crate::part::nav::{Shell, recognise};
use crate::part::notice::{Empty, Failed, ToastRegion, Toasts};
use crate::session::{Session, Who};
use crate::text;

#[component]
pub(crate) fn App() -> impl IntoView {
    let session = Session::provide();
    Toasts::provide();
    recognise(session);
    // Signing in or out changes the page; a new token for the same reader does not.
    let stage = Memo::new(move |_| match session.who() {
        Who::Unknown => Stage::Asking,
        Who::Unreachable(trouble) => Stage::Unreachable(trouble),
        Who::Nobody { ended } => Stage::SignIn { ended },
        Who::Signed(_) => Stage::Inside,
    });
    view! {
        <Router>
            {move || {
                let stage = stage.get();
                // Until it is known who is there, the static shell of index.html stays.
                if stage != Stage::Asking
                    && let Some(shell) = document().get_element_by_id("shell")
                {
                    shell.remove();
                }
                match stage {
                    Stage::Asking => ().into_any(),
                    Stage::Unreachable(trouble) => view! {
                        <main class="gate" id="main"><div class="gate-box">
                            <Failed trouble=trouble retry=Callback::new(move |()| recognise(session)) />
                        </div></main>
                    }.into_any(),
                    Stage::SignIn { ended } => view! { <page::sign_in::SignIn ended=ended /> }.into_any(),
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
    Inside,
}

/// A page whose type the router need not know: without this every page is compiled into every route.
fn any<V: IntoView + 'static>(page: fn() -> V) -> impl Fn() -> AnyView + Clone + Send + 'static {
    move || page().into_any()
}

#[component]
fn Inside() -> impl IntoView {
    Live::start(Session::here());
    provide_chains();
    view! {
        <Shell>
            <Routes fallback=any(Nowhere)>
                <Route path=path!("/") view=any(page::overview::Overview) />
                <Route path=path!("/movements") view=any(page::movements::Movements) />
                <Route path=path!("/accounts") view=any(page::accounts::Accounts) />
                <Route path=path!("/accounts/new") view=any(page::create_account::CreateAccount) />
                <Route path=path!("/accounts/:account") view=any(page::account::Account) />
                <Route path=path!("/payouts") view=any(page::payouts::Payouts) />
                <Route path=path!("/payouts/new") view=any(page::create_payout::CreatePayout) />
                <Route path=path!("/external-accounts") view=any(page::external_accounts::ExternalAccounts) />
                <Route path=path!("/payments") view=any(page::payments::Payments) />
                <Route path=path!("/paylinks") view=any(page::paylinks::Paylinks) />
                <Route path=path!("/paylinks/new") view=any(page::create_paylink::CreatePaylink) />
                <Route path=path!("/paylinks/edit") view=any(page::edit_paylinks::EditPaylinks) />
                <Route path=path!("/plans") view=any(page::plans::Plans) />
                <Route path=path!("/plans/new") view=any(page::plans::NewPlan) />
                <Route path=path!("/subscriptions") view=any(page::subscriptions::Subscriptions) />
                <Route path=path!("/subscriptions/new") view=any(page::subscriptions::NewSubscription) />
                <Route path=path!("/invoices") view=any(page::invoices::Invoices) />
                <Route path=path!("/invoices/sheet") view=any(page::invoices::Sheet) />
                <Route path=path!("/customers") view=any(page::customers::Customers) />
                <ParentRoute path=path!("/trade") view=page::trading::Trading>
                    <Route path=path!("") view=any(page::quick_trade::QuickTrade) />
                    <Route path=path!("/rfq") view=any(page::rfq::Rfq) />
                    <Route path=path!("/quotes") view=any(page::quotes::Quotes) />
                    <Route path=path!("/orders") view=any(page::orders::Orders) />
                    <Route path=path!("/markets") view=any(page::markets::Markets) />
                </ParentRoute>
                <Route path=path!("/automations") view=any(page::partner::Partner) />
                <Route path=path!("/events") view=any(page::events::Events) />
                <Route path=path!("/events/verify") view=any(page::verify_webhook::VerifyWebhook) />
                <Route path=path!("/sandbox") view=any(page::sandbox::Sandbox) />
                <ParentRoute path=path!("/settings") view=page::settings::Settings>
                    <Route path=path!("") view=any(page::organisation::Organisation) />
                    <Route path=path!("/webhooks") view=any(page::webhooks::Webhooks) />
                    <Route path=path!("/api-keys") view=any(page::api_keys::ApiKeys) />
                    <Route path=path!("/appearance") view=any(page::appearance::Appearance) />
                    <Route path=path!("/signing-secret") view=any(page::signing_secret::SigningSecret) />
                </ParentRoute>
            </Routes>
        </Shell>
        <CreateStepUpForm />
        <Lock />
    }
}

#[component]
fn Nowhere() -> impl IntoView {
    document().set_title(&text::title(text::nowhere()));
    view! {
        <div class="page"><h1 class="hidden-text">{text::nowhere()}</h1><Empty picture=Icon::Search title=text::nowhere() lesson=text::nowhere_lesson()><a class="button" href="/">{text::overview()}</a></Empty></div>
    }
}
