//! The pages that the first sight does not need: parts of the program of their own, fetched when somebody goes there.
//!
//! One part for each family of pages; the splitter (`xtask/src/split.rs`) cuts what several families share, and the start
//! does not need, into parts beside them. Without the feature `split`, in development, the program is whole and nothing
//! is fetched. No page is built here.

use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::call_failure::{CallFailure, Cause};
use crate::page;
use crate::remote::Remote;
use crate::shell::failure::Failed;

/// Builds a page.
pub(crate) type Page = fn() -> AnyView;

/// How long the first page has the line for itself before the other parts are fetched.
const HEAD_START: std::time::Duration = std::time::Duration::from_secs(2);

/// A part that did not come.
#[derive(Debug, Clone, Copy)]
struct LoadError;

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for LoadError {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

type Fetching<T> = Pin<Box<dyn Future<Output = Result<T, LoadError>>>>;

/// A part of the program and the pages in it.
pub(crate) struct LazyPages<P: 'static> {
    fetch: fn() -> Fetching<&'static P>,
    there: OnceLock<&'static P>,
}

impl<P: Sync> LazyPages<P> {
    async fn get(&self) -> Result<&'static P, LoadError> {
        match self.there.get() {
            Some(pages) => Ok(pages),
            None => {
                let pages = (self.fetch)().await?;
                Ok(self.there.get_or_init(|| pages))
            }
        }
    }

    /// One of its pages, for a route.
    pub(crate) fn page(
        &'static self,
        of: fn(&P) -> Page,
    ) -> impl Fn() -> AnyView + Clone + Send + Sync + 'static {
        move || self.page_or(of, waiting)
    }

    /// One of its pages, and what stands there until it comes.
    fn page_or(&'static self, of: fn(&P) -> Page, waiting: fn() -> AnyView) -> AnyView {
        match self.there.get() {
            Some(pages) => of(pages)(),
            None => awaited(
                move || Box::pin(async move { self.get().await.map(of) }),
                waiting,
            ),
        }
    }
}

/// A page whose part is on its way, and how it is said that it does not come.
fn awaited(
    get: impl Fn() -> Fetching<Page> + Copy + Send + Sync + 'static,
    waiting: fn() -> AnyView,
) -> AnyView {
    let state = RwSignal::new(Remote::Loading);
    let bring = move || {
        spawn_local(async move {
            let newer = match get().await {
                Ok(page) => Remote::Ready(page),
                Err(LoadError) => Remote::Failed(CallFailure {
                    cause: Cause::Offline,
                    request_id: None,
                }),
            };
            // None: the reader has gone elsewhere.
            let _ = state.try_set(newer);
        });
    };
    let retry = Callback::new(move |()| {
        state.set(Remote::Loading);
        bring();
    });
    bring();
    let sight = move || match state.get() {
        Remote::Loading => waiting(),
        Remote::Ready(page) => untrack(page),
        Remote::Failed(failure) => {
            view! { <div class="page"><Failed failure=failure retry=Some(retry) /></div> }
                .into_any()
        }
    };
    sight.into_any()
}

/// The shape of a page, as in index.html.
fn waiting() -> AnyView {
    view! {
        <div class="page" aria-busy="true">
            <span class="bone b3 tall"></span><span class="bone plot"></span><span class="bone plot"></span>
        </div>
    }
    .into_any()
}

/// Declares the parts: the name of each, its pages, and how the addresses of its pages begin.
macro_rules! lazy_pages {
    ($($(#[$doc:meta])* $split:ident, $static:ident, $pages:ident, [$($first:literal),+] { $($page:ident: $component:path,)+ })+) => {
        $(
            /// The pages of a part.
            pub(crate) struct $pages { $(pub(crate) $page: Page,)+ }

            $(#[$doc])*
            pub(crate) static $static: LazyPages<$pages> = LazyPages { fetch: || Box::pin($split()), there: OnceLock::new() };

            #[cfg(feature = "split")]
            #[wasm_split_helpers::wasm_split($split, fallible)]
            fn $split() -> Result<&'static $pages, LoadError> {
                static PAGES: $pages = $pages { $($page: || $component().into_any(),)+ };
                Ok(&PAGES)
            }

            #[cfg(not(feature = "split"))]
            async fn $split() -> Result<&'static $pages, LoadError> {
                static PAGES: $pages = $pages { $($page: || $component().into_any(),)+ };
                Ok(&PAGES)
            }
        )+

        /// Fetches the part behind an address of the dashboard: the reader is about to go there.
        pub(crate) fn preload(address: &str) {
            let path = address.split(['?', '#']).next().unwrap_or_default();
            match path.trim_start_matches('/').split('/').next().unwrap_or_default() {
                // Whoever goes there will see when it does not come.
                $($($first)|+ => spawn_local(async { let _ = $static.get().await; }),)+
                _ => {}
            }
        }

        /// Fetches every part, one after the other, once the browser has nothing else to do.
        pub(crate) fn preload_all() {
            let bring = || request_idle_callback(|| spawn_local(async {
                // What does not come now is asked for again when somebody goes there.
                $(let _ = $static.get().await;)+
            }));
            set_timeout(bring, HEAD_START);
        }
    };
}

/// What is in the palette, and what stands there until it comes.
pub(crate) fn palette(waiting: fn() -> AnyView) -> AnyView {
    SETUP.page_or(|of| of.palette, waiting)
}

/// What proves once more who the reader is.
pub(crate) fn step_up() -> AnyView {
    SETUP.page_or(|of| of.step_up, coming)
}

/// What opens a page that was left alone.
pub(crate) fn unlock() -> AnyView {
    SETUP.page_or(|of| of.unlock, coming)
}

/// What asks whether to leave what is written.
pub(crate) fn leave() -> AnyView {
    SETUP.page_or(|of| of.leave, || ().into_any())
}

/// The keys.
pub(crate) fn help() -> AnyView {
    SETUP.page_or(|of| of.help, coming)
}

/// The shape of what a box holds.
fn coming() -> AnyView {
    view! { <span class="bone plot" aria-busy="true"></span> }.into_any()
}

lazy_pages! {
    /// What came in, what is held, what goes out.
    money, MONEY, Money, ["movements", "accounts", "payments", "payouts", "external-accounts"] {
        movements: page::movements::Movements,
        accounts: page::accounts::Accounts,
        create_account: page::create_account::CreateAccount,
        account: page::account::Account,
        payments: page::payments::Payments,
        payouts: page::payouts::Payouts,
        create_payout: page::create_payout::CreatePayout,
        external_accounts: page::external_accounts::ExternalAccounts,
    }

    /// What is sold, to whom, how often.
    commerce, COMMERCE, Commerce, ["paylinks", "plans", "subscriptions", "invoices", "customers"] {
        paylinks: page::paylinks::Paylinks,
        create_paylink: page::create_paylink::CreatePaylink,
        edit_paylinks: page::edit_paylinks::EditPaylinks,
        plans: page::plans::Plans,
        create_plan: page::plans::NewPlan,
        subscriptions: page::subscriptions::Subscriptions,
        create_subscription: page::subscriptions::NewSubscription,
        invoices: page::invoices::Invoices,
        sheet: page::invoices::Sheet,
        customers: page::customers::Customers,
    }

    /// Changing one currency into another, and what does it by itself.
    trade, TRADE, Trade, ["trade", "automations"] {
        quick_trade: page::quick_trade::QuickTrade,
        rfq: page::rfq::Rfq,
        quotes: page::quotes::Quotes,
        orders: page::orders::Orders,
        markets: page::markets::Markets,
        partner: page::partner::Partner,
    }

    /// What is told to whom, how the dashboard is set up, and how things are found.
    setup, SETUP, Setup, ["events", "sandbox", "settings", "invitation"] {
        events: page::events::Events,
        sandbox: page::sandbox::Sandbox,
        verify_webhook: page::verify_webhook::VerifyWebhook,
        organisation: page::organisation::Organisation,
        webhooks: page::webhooks::Webhooks,
        api_keys: page::api_keys::ApiKeys,
        appearance: page::appearance::Appearance,
        signing_secret: page::signing_secret::SigningSecret,
        members: page::members::Members,
        password: page::password::Password,
        invitation: page::invitation::Invitation,
        palette: crate::shell::palette::Inside,
        step_up: crate::form::create_step_up::StepUpForm,
        leave: crate::shell::unsaved_changes::LeaveDialog,
        help: crate::shell::shortcuts::ShortcutList,
        unlock: crate::form::unlock::UnlockForm,
    }
}
