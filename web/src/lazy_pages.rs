//! Lazily loaded parts of the program: all pages beyond the overview, and its panels.
//!
//! One part per family of pages. The splitter (`xtask/src/split.rs`) moves code shared by several parts, but not needed by the
//! first load, into further parts. Without the feature `split` (development), the program is one file.

use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::call_failure::Cause;
use crate::page;
use crate::remote::Remote;
use crate::shell::Failed;

pub(crate) type Page = fn() -> AnyView;

/// Delay before preloading, so that the first page has the network to itself.
const HEAD_START: std::time::Duration = std::time::Duration::from_secs(2);

#[derive(Debug, Clone, Copy)]
struct LoadError;

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for LoadError {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

type Fetching<T> = Pin<Box<dyn Future<Output = Result<T, LoadError>>>>;

/// A part of the program with its pages.
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

    /// A page of this part, for a route.
    pub(crate) fn page(
        &'static self,
        of: fn(&P) -> Page,
    ) -> impl Fn() -> AnyView + Clone + Send + Sync + 'static {
        move || self.page_or(of, waiting)
    }

    /// A page of this part, with a placeholder until it is loaded.
    fn page_or(&'static self, of: fn(&P) -> Page, waiting: fn() -> AnyView) -> AnyView {
        match self.there.get() {
            Some(pages) => of(pages)(),
            None => loading_page(
                move || Box::pin(async move { self.get().await.map(of) }),
                waiting,
            ),
        }
    }
}

/// A page whose part is loading, or a failure with a retry.
fn loading_page(
    get: impl Fn() -> Fetching<Page> + Copy + Send + Sync + 'static,
    waiting: fn() -> AnyView,
) -> AnyView {
    let state = RwSignal::new(Remote::Loading);
    let bring = move || {
        spawn_local(async move {
            let newer = match get().await {
                Ok(page) => Remote::Ready(page),
                Err(LoadError) => Remote::Failed(Cause::Offline.into()),
            };
            // None: the page is gone.
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

/// Skeleton of a page, as in index.html.
fn waiting() -> AnyView {
    view! {
        <div class="page" aria-busy="true">
            <span class="bone b3 tall"></span><span class="bone plot"></span><span class="bone plot"></span>
        </div>
    }
    .into_any()
}

/// Declares the parts: name, pages, and first path segments.
macro_rules! lazy_pages {
    ($($(#[$doc:meta])* $split:ident, $static:ident, $pages:ident, [$($first:literal),*] { $($page:ident: $component:path,)+ })+) => {
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

        /// Preloads the part of a dashboard path.
        pub(crate) fn preload(address: &str) {
            let path = address.split(['?', '#']).next().unwrap_or_default();
            let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
            let is_one_of = |segments: &[&str]| segments.contains(&first);
            $(
                if is_one_of(&[$($first),*]) {
                    // A failure is reported when the page is opened.
                    spawn_local(async { let _ = $static.get().await; });
                }
            )+
        }

        /// Preloads all parts, one at a time, when the browser is idle.
        pub(crate) fn preload_all() {
            let bring = || request_idle_callback(|| spawn_local(async {
                // A failed part is loaded again when its page is opened.
                $(let _ = $static.get().await;)+
            }));
            set_timeout(bring, HEAD_START);
        }
    };
}

/// Contents of the palette, with a placeholder until they are loaded.
pub(crate) fn palette(waiting: fn() -> AnyView) -> AnyView {
    SETUP.page_or(|of| of.palette, waiting)
}

pub(crate) fn leave() -> AnyView {
    SETUP.page_or(|of| of.leave, || ().into_any())
}

pub(crate) fn first_steps() -> AnyView {
    SETUP.page_or(|of| of.first_steps, || ().into_any())
}

/// Charts of the overview, with a placeholder until they are loaded.
pub(crate) fn charts(waiting: fn() -> AnyView) -> AnyView {
    HOME.page_or(|of| of.charts, waiting)
}

/// Business figures of the overview, with a placeholder until they are loaded.
pub(crate) fn business(waiting: fn() -> AnyView) -> AnyView {
    HOME.page_or(|of| of.business, waiting)
}

/// Contents of a dialog.
pub(crate) fn in_dialog(of: fn(&Setup) -> Page) -> AnyView {
    let waiting = || view! { <span class="bone plot" aria-busy="true"></span> }.into_any();
    SETUP.page_or(of, waiting)
}

lazy_pages! {
    /// Panels of the overview, which come after its figures.
    home, HOME, Home, [] {
        charts: page::home::Charts,
        business: page::home::Business,
    }

    /// Payments, accounts, payouts.
    money, MONEY, Money, ["movements", "accounts", "payments", "payouts", "external-accounts"] {
        movements: page::movements::Movements,
        accounts: page::accounts::Accounts,
        create_account: page::create_account::CreateAccount,
        account: page::account::Account,
        payments: page::payments::Payments,
        payouts: page::payouts::Payouts,
        create_payout: page::payouts::CreatePayout,
        external_accounts: page::external_accounts::ExternalAccounts,
    }

    /// Payment links, plans, subscriptions, invoices, customers.
    commerce, COMMERCE, Commerce, ["paylinks", "plans", "subscriptions", "invoices", "customers"] {
        paylinks: page::paylinks::Paylinks,
        create_paylink: page::paylinks::CreatePaylink,
        edit_paylinks: page::edit_paylinks::EditPaylinks,
        plans: page::plans::Plans,
        create_plan: page::plans::NewPlan,
        subscriptions: page::subscriptions::Subscriptions,
        create_subscription: page::subscriptions::NewSubscription,
        invoices: page::invoices::Invoices,
        sheet: page::invoices::Sheet,
        customers: page::customers::Customers,
    }

    /// Trading, automations and sub-merchants.
    trade, TRADE, Trade, ["trade", "automations", "sub-merchants"] {
        quick_trade: crate::form::create_quick_trade::CreateQuickTradeForm,
        rfq: page::rfq::Rfq,
        quotes: page::quotes::Quotes,
        orders: page::orders::Orders,
        markets: page::markets::Markets,
        partner: page::partner::Partner,
        sub_merchants: page::sub_merchants::SubMerchants,
    }

    /// Events, settings, and the lazy parts of the shell and the overview.
    setup, SETUP, Setup, ["events", "inbox", "installation", "sandbox", "settings", "invitation"] {
        events: page::events::Events,
        inbox: page::inbox::Inbox,
        installation: page::installation::Installation,
        sandbox: page::sandbox::Sandbox,
        verify_webhook: page::verify_webhook::VerifyWebhook,
        organisation: page::organisation::Organisation,
        checkout_pages: page::organisation::CheckoutPages,
        webhooks: page::webhooks::Webhooks,
        api_keys: page::api_keys::ApiKeys,
        appearance: page::appearance::Appearance,
        signing_secret: page::signing_secret::SigningSecret,
        members: page::members::Members,
        password: crate::form::update_password::UpdatePasswordForm,
        invitation: page::invitation::Invitation,
        first_steps: page::first_steps::FirstSteps,
        palette: page::palette::PaletteContents,
        step_up: crate::form::create_step_up::StepUpForm,
        leave: crate::shell::unsaved_changes::LeaveDialog,
        help: crate::shell::shortcuts::ShortcutList,
        unlock: crate::form::unlock::UnlockForm,
    }
}
