//! Frame of the trading pages, and the notice for organisations without the OTC feature.

use leptos::prelude::*;
use leptos_router::components::{A, Outlet};
use settlekit_core::error::Reason;

use crate::page::settings::scroll_tab_into_view;
use crate::remote::Remote;
use crate::text::money as words;
use crate::ui::{Empty, Icon, PageHead};

#[component]
pub(crate) fn Trading() -> impl IntoView {
    scroll_tab_into_view();
    view! {
        <div class="page">
            <PageHead title=words::trading() lead=words::trading_lead() />
            <nav class="tabs" aria-label=words::trading()>
                <A href="/trade" exact=true>{words::quick_trade()}</A>
                <A href="/trade/rfq">{words::rfq_desk()}</A>
                <A href="/trade/quotes">{words::quotes()}</A>
                <A href="/trade/orders">{words::orders()}</A>
                <A href="/trade/markets">{words::markets()}</A>
            </nav>
            <Outlet />
        </div>
    }
}

/// Whether the request failed because of the missing OTC feature.
pub(crate) fn is_otc_missing<T>(state: &Remote<T>) -> bool {
    state
        .failed()
        .is_some_and(|failure| failure.reason() == Some(Reason::FeatureMissing))
}

#[component]
pub(crate) fn NotOverTheCounter() -> impl IntoView {
    view! {
        <section class="panel">
            <Empty picture=Icon::Trade title=words::not_otc() hint=words::not_otc_hint()>
                <a class="button" href="/trade">{words::quick_trade()}</a>
            </Empty>
        </section>
    }
}
