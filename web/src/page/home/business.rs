//! How the business does: recurring revenue, churn, conversion, and what is due. Each figure leads to its list.

use leptos::prelude::*;
use settlekit_core::overview::{CurrencyTotal, GetOverviewBusiness, OverviewBusiness};

use crate::api;
use crate::page::overview::business_waiting;
use crate::shell::{Failed, Live, load};
use crate::text::{self, home as words};
use crate::ui::{Icon, amount_text, count_text, grouped_text, icon, table_amount, total_worth};

#[component]
pub(crate) fn Business() -> impl IntoView {
    provide_context(Live::from_context().calmed());
    let found = load::<GetOverviewBusiness>(|| Some(api::plain()));
    let (failure, retry) = (found.failed(), found.retry());
    let ready = found.ready();
    move || match (failure.get(), ready.get()) {
        (Some(failure), _) => view! { <Failed failure=failure retry=Some(retry) /> }.into_any(),
        (None, None) => business_waiting(),
        (None, Some(business)) => panel(&business),
    }
}

/// A figure with what it is made of, linked to its list.
struct Tile {
    href: &'static str,
    picture: Icon,
    label: &'static str,
    value: AnyView,
    note: String,
}

impl Tile {
    fn view(self) -> AnyView {
        view! {
            <a class="counter stacked" href=self.href>
                {icon(self.picture)}<span class="label">{self.label}<small>{self.note}</small></span>
                <span class="value">{self.value}</span>
            </a>
        }
        .into_any()
    }
}

fn panel(business: &OverviewBusiness) -> AnyView {
    let tiles = [
        revenue(business),
        churn(business),
        renewals(business),
        conversion(business),
        payouts(business),
    ];
    let tiles: Vec<AnyView> = tiles.into_iter().flatten().map(Tile::view).collect();
    let inside = if tiles.is_empty() {
        view! { <p class="quiet">{words::no_business()}</p> }.into_any()
    } else {
        view! { <div class="counters">{tiles}</div> }.into_any()
    };
    view! {
        <section class="stack-tight" aria-labelledby="business-title">
            <h2 class="section-title" id="business-title">{words::business()}</h2>
            {inside}
        </section>
    }
    .into_any()
}

/// Whether there is or was a subscription.
fn has_subscriptions(business: &OverviewBusiness) -> bool {
    business.subscriptions_running > 0
        || business.subscriptions_running_before > 0
        || !business.monthly_revenue.is_empty()
        || !business.renewals.is_empty()
}

fn revenue(business: &OverviewBusiness) -> Option<Tile> {
    let value = match business.monthly_revenue_usd {
        Some(usd) => total_worth(usd).into_any(),
        // Without a price, the sum of each currency.
        None => {
            let sums = business.monthly_revenue.iter();
            let sums = sums.map(|sum| table_amount(&sum.amount, sum.currency.as_str(), None));
            let sums = sums.map(|sum| view! { <span class="row">{sum}</span> });
            sums.collect_view().into_any()
        }
    };
    has_subscriptions(business).then(|| Tile {
        href: "/subscriptions?status=Active",
        picture: Icon::Turning,
        label: words::revenue(),
        value,
        note: words::subscriptions_of(&number_of(&business.monthly_revenue)),
    })
}

fn churn(business: &OverviewBusiness) -> Option<Tile> {
    let percent = business.churn_pct?;
    let ended = count_text(business.subscriptions_ended);
    let before = count_text(business.subscriptions_running_before);
    Some(Tile {
        href: "/subscriptions?status=Canceled",
        picture: Icon::SignOut,
        label: words::churn(),
        value: words::percent(&grouped_text(&percent)).into_any(),
        note: words::ended_of(&ended, &before),
    })
}

fn renewals(business: &OverviewBusiness) -> Option<Tile> {
    has_subscriptions(business).then(|| Tile {
        href: "/subscriptions?status=Active",
        picture: Icon::Invoice,
        label: words::renewals(),
        value: number_of(&business.renewals).into_any(),
        note: amounts_of(&business.renewals),
    })
}

fn conversion(business: &OverviewBusiness) -> Option<Tile> {
    let is_used = business.link_visits > 0 || business.checkouts_started > 0;
    let value = match business.conversion_pct {
        Some(percent) => words::percent(&grouped_text(&percent)),
        None => text::not_available().to_owned(),
    };
    let started = count_text(business.checkouts_started);
    let paid = words::paid_of(&count_text(business.checkouts_paid), &started);
    let visits = words::visits_of(&count_text(business.link_visits));
    is_used.then(|| Tile {
        href: "/paylinks",
        picture: Icon::Link,
        label: words::conversion_30(),
        value: value.into_any(),
        note: format!("{paid} · {visits}"),
    })
}

fn payouts(business: &OverviewBusiness) -> Option<Tile> {
    (!business.payouts.is_empty()).then(|| Tile {
        href: "/payouts",
        picture: Icon::Payout,
        label: words::payouts_due(),
        value: number_of(&business.payouts).into_any(),
        note: amounts_of(&business.payouts),
    })
}

/// Number of the records in all currencies.
fn number_of(totals: &[CurrencyTotal]) -> String {
    count_text(totals.iter().map(|total| total.count).sum())
}

fn amounts_of(totals: &[CurrencyTotal]) -> String {
    let amounts = totals.iter();
    let amounts = amounts.map(|total| amount_text(&total.amount, total.currency.as_str()));
    amounts.collect::<Vec<_>>().join(" · ")
}
