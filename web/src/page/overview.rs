//! Overview of the organisation, updated live.

use leptos::prelude::*;
use serde::Deserialize;
use settlekit_core::overview::{Overview as Record, OverviewAccount, OverviewBalance};
use settlekit_core::page::{Limit, Page};
use settlekit_core::payment::{ListPayments, ListPaymentsQuery};
use settlekit_core::value::{Amount, Timestamp};

use crate::api;
use crate::list::{Column, TableSpec, exact, static_table};
use crate::record::payment::received_methods;
use crate::remote::Remote;
use crate::session::{RequiredConnection, Session};
use crate::shell::{Failed, Live, LiveBadge, Loaded, failure_notice, load_as};
use crate::text::{self, payout};
use crate::ui::{
    Empty, Icon, Notice, PageHead, Tone, after_paint, amount, count_text, day_of_utc, dollars,
    figure, icon, status_badge, time_ago, timestamp, total_worth, with_usual_places,
};

/// Number of payments beside the chart.
const RECENT: u32 = 10;

/// The fields of a payment that the overview shows.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct RecentPayment {
    id: String,
    reference: Option<String>,
    amount: Amount,
    currency: String,
    status: String,
    reason: Option<String>,
    customer: Option<Payer>,
    created_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Payer {
    name: Option<String>,
    email: Option<String>,
}

/// A panel that is loaded on demand, given a placeholder until then.
type LazyPanel = fn(fn() -> AnyView) -> AnyView;

#[component]
pub(crate) fn Overview(
    /// First steps of an organisation without payments.
    first_steps: fn() -> AnyView,
    /// Charts of balance and volume.
    charts: LazyPanel,
    /// Figures of the business.
    business: LazyPanel,
) -> impl IntoView {
    let live = Live::from_context();
    let session = Session::from_context();
    let payments = load_as::<ListPayments, Page<RecentPayment>>(|| {
        let mut query = ListPaymentsQuery {
            payment_method: Some(received_methods()),
            ..ListPaymentsQuery::default()
        };
        query.list.limit = Limit::new(RECENT);
        Some(api::with_query(query))
    });
    let is_fresh = Memo::new(move |_| payments.read(|page| page.total == 0) == Some(true));
    let failure = Memo::new(move |_| live.overview.with(|overview| overview.failed().cloned()));
    // The panels are loaded after the figures are painted.
    let painted = RwSignal::new(false);
    let is_there = Memo::new(move |_| live.read(|_| ()).is_some());
    Effect::new(move |_| {
        if is_there.get() {
            after_paint(move || {
                painted.try_set(true);
            });
        }
    });
    view! {
        <div class="page">
            <PageHead title=text::overview()>
                <LiveBadge />
                <a data-scope="write" class="button primary" href="/paylinks/new" hidden=move || is_fresh.get()>{icon(Icon::Plus)}{text::create_paylink()}</a>
            </PageHead>
            {failure_notice(failure.into(), Some(live.retry()))}
            {move || session.missing_connection(RequiredConnection::Chain).map(|(title, why)| view! { <Notice tone=Tone::Warn title=title>{why}</Notice> })}
            <Show when=move || failure.with(Option::is_none)>
                {move || is_fresh.get().then(first_steps)}
                <AwaitingApproval />
                <Attention />
                <Reviews />
                <div class="columns wide-narrow level"><Money charts=charts painted=painted /><Recent payments=payments /></div>
                {move || if painted.get() { business(business_waiting) } else { business_waiting() }}
                <Balances />
                <LargestBalances />
            </Show>
        </div>
    }
}

/// A counter linked to its list; hidden while it is zero or unknown.
#[component]
fn Counter(
    href: &'static str,
    picture: Icon,
    label: &'static str,
    of: fn(&Record) -> u64,
    /// Label of the next step.
    #[prop(default = "")]
    next: &'static str,
    /// Whether it is also shown at zero.
    #[prop(optional)]
    always: bool,
    #[prop(default = "")] tone: &'static str,
    /// Deadline of the first item.
    #[prop(optional)]
    until: Option<fn(&Record) -> Option<Timestamp>>,
    /// First day counted, in UTC. The linked list starts with the user's day in which that day begins.
    #[prop(optional)]
    since: Option<fn(&Record) -> Option<&String>>,
) -> impl IntoView {
    let live = Live::from_context();
    let count = Memo::new(move |_| live.read(of));
    let until = until.map(|until| {
        let first = Memo::new(move |_| live.read(until).flatten());
        move || {
            let at = first.get()?;
            Some(view! { <small>{text::first_until()}" "{timestamp(at)}</small> })
        }
    });
    let next = (!next.is_empty()).then(|| view! { <small>{next}</small> });
    let href = move || {
        let of = |overview: &Record| since.and_then(|since| since(overview).cloned());
        match live.read(of).flatten() {
            Some(day) => format!("{href}&since={}", day_of_utc(&day)),
            None => href.to_owned(),
        }
    };
    view! {
        <a class=format!("counter {tone}") href=href hidden=move || !always && count.get().unwrap_or(0) == 0>
            {icon(picture)}<span class="label">{label}{next}{until}</span>
            <span class="value">{move || count.get().map(count_text)}</span>
        </a>
    }
}

/// Payouts that wait for a second member, if any.
#[component]
fn AwaitingApproval() -> impl IntoView {
    let live = Live::from_context();
    let waiting = Memo::new(move |_| live.read(|overview| overview.payouts_awaiting_approval));
    move || {
        let count = waiting.get().filter(|count| *count > 0)?;
        Some(view! {
            <Notice tone=Tone::Warn title=payout::awaiting_of(&count_text(count))>
                <p>{payout::awaiting_why()}</p>
                <div class="row"><a class="button small" href="/payouts?reason=ApprovalRequired">{payout::review()}</a></div>
            </Notice>
        })
    }
}

/// Counters of open work, each with its next step.
#[component]
fn Attention() -> impl IntoView {
    let live = Live::from_context();
    let open = |overview: &Record| {
        let counts = [
            overview.payments_processing,
            overview.movements_pending,
            overview.movements_failed,
            overview.deliveries_failed,
            overview.quotes_open,
            // These have a notice.
            overview.payouts_awaiting_approval,
        ];
        counts.iter().any(|count| *count > 0)
    };
    let is_open = Memo::new(move |_| live.read(open));
    view! {
        <nav class="counters" aria-label=text::attention()>
            <Counter href="/payments?status=Processing" picture=Icon::Turning label=text::payments_processing() next=text::see_progress() of=|overview| overview.payments_processing tone="busy" />
            <Counter href="/movements?status=Pending,Processing" picture=Icon::Clock label=text::movements_pending() next=text::see_progress() of=|overview| overview.movements_pending />
            <Counter href="/movements?status=Failed" picture=Icon::Alert label=text::movements_failed() next=text::see_why() of=|overview| overview.movements_failed tone="bad" since=|overview| overview.volume.first().map(|day| &day.date) />
            <Counter href="/events?delivery_status=failed" picture=Icon::Crossed label=text::deliveries_failed() next=text::retry() of=|overview| overview.deliveries_failed tone="bad" />
            <Counter href="/trade/quotes" picture=Icon::Trade label=text::quotes_open() next=text::accept_or_reject() of=|overview| overview.quotes_open tone="busy" until=|overview| overview.quote_expires_at />
            {move || match is_open.get() {
                None => Some(view! { <span class="counter"><span class="bone b3"></span></span> }.into_any()),
                Some(false) => Some(view! { <p class="counter">{icon(Icon::Done)}<span class="label">{text::all_clear()}</span></p> }.into_any()),
                Some(true) => None,
            }}
        </nav>
    }
}

/// Placeholder of the charts.
pub(crate) fn charts_waiting() -> AnyView {
    view! { <span class="bone b4 tall"></span><span class="bone plot chart-bone"></span><span class="bone plot chart-bone"></span> }
        .into_any()
}

/// Placeholder of the business figures.
pub(crate) fn business_waiting() -> AnyView {
    view! { <div class="panel"><div class="panel-body"><span class="bone b4 tall"></span></div></div> }
        .into_any()
}

/// What is available, what is reserved, and their total, with the charts.
#[component]
fn Money(charts: LazyPanel, painted: RwSignal<bool>) -> impl IntoView {
    let live = Live::from_context();
    let money = move |label: &'static str, of: fn(&Record) -> Option<Amount>| {
        let value = Memo::new(move |_| live.read(of));
        let shown = move || match value.get() {
            Some(Some(exact)) => total_worth(exact).into_any(),
            Some(None) => text::not_available().into_any(),
            None => view! { <span class="bone b3 tall"></span> }.into_any(),
        };
        figure(label, shown, None)
    };
    let total = |overview: &Record| overview.total_usd?.plus(overview.reserved_usd?).ok();
    // Booked movements keep their value while a currency has no price. Only the total needs the prices of now.
    let has_days = |overview: &Record| overview.volume.iter().any(|day| day.in_usd.is_some());
    let priced = Memo::new(move |_| live.read(has_days) != Some(false));
    let has_total =
        Memo::new(move |_| live.read(|overview| overview.total_usd.is_some()) != Some(false));
    // Read at each update, so that the age goes on.
    let last = move || {
        let of = |overview: &Record| {
            let at = overview.last_total_at;
            at.filter(|_| overview.total_usd.is_none())
        };
        live.read(of).flatten()
    };
    view! {
        <section class="panel" aria-label=text::home::money()>
            <div class="panel-head figures">
                <dl class="figures">
                    {money(text::total(), |overview| overview.total_usd.or(overview.last_total_usd))}
                    {money(text::reserved(), |overview| overview.reserved_usd)}
                    {money(text::home::total(), total)}
                </dl>
            </div>
            <div class="panel-body stack">
                {move || (priced.get() && !has_total.get()).then(|| match last() {
                    Some(at) => view! { <p class="quiet">{text::last_total()}" "{timestamp(at)}", "{time_ago(at)}</p> }.into_any(),
                    None => view! { <p class="quiet">{text::no_total()}</p> }.into_any(),
                })}
                {move || match (priced.get(), painted.get()) {
                    (false, _) => view! { <p class="quiet">{text::no_prices()}</p> }.into_any(),
                    (true, true) => charts(charts_waiting),
                    (true, false) => charts_waiting(),
                }}
            </div>
        </section>
    }
}

/// Who paid; for a guest the reference.
fn payer(payment: &RecentPayment) -> String {
    let customer = payment.customer.clone();
    let customer = customer.and_then(|customer| customer.name.or(customer.email));
    let payer = customer.or_else(|| payment.reference.clone());
    payer.unwrap_or_else(|| text::guest().to_owned())
}

fn recent_row(payment: &RecentPayment) -> AnyView {
    view! {
        <li>
            <a href=format!("/payments?open={}", payment.id)>{payer(payment)}</a>
            {amount(&payment.amount, &payment.currency)}
            {status_badge(&payment.status, payment.reason.as_deref())}
            {timestamp(payment.created_at)}
        </li>
    }
    .into_any()
}

#[component]
fn Recent(payments: Loaded<Page<RecentPayment>>) -> impl IntoView {
    let rows = |page: &Page<RecentPayment>| {
        if page.items.is_empty() {
            view! { <Empty picture=Icon::Payments title=text::no_payments() hint=text::no_payments_hint() /> }.into_any()
        } else {
            let rows = page.items.iter().map(recent_row);
            view! { <ol class="recent">{rows.collect_view()}</ol> }.into_any()
        }
    };
    let retry = payments.retry();
    let list = move || {
        payments.state.with(|state| match state {
            Remote::Loading => view! { <span class="bone plot"></span> }.into_any(),
            Remote::Failed(failure) => view! { <div class="panel-body"><Failed failure=failure.clone() retry=Some(retry) /></div> }.into_any(),
            Remote::Ready(page) => rows(page),
        })
    };
    view! {
        <section class="panel" aria-labelledby="recent-title">
            <div class="panel-head"><h2 id="recent-title">{text::recent_payments()}</h2><a class="push" href="/payments">{text::all_payments()}</a></div>
            {list}
            <Counter href="/paylinks?status=Open" picture=Icon::Link label=text::paylinks_active() of=|overview| overview.paylinks_active always=true />
        </section>
    }
}

fn balances_spec() -> TableSpec<OverviewBalance> {
    TableSpec {
        caption: text::balances(),
        columns: vec![
            Column::text(text::currency(), "title", |balance| {
                Some(balance.currency.to_string())
            }),
            Column::text(text::chain(), "quiet second", |balance| {
                Some(balance.chain.name.clone())
            }),
            Column::exact(text::posted(), "end quiet skip-narrow", |balance| {
                exact(
                    with_usual_places(balance.posted, balance.currency.as_str()),
                    "",
                )
            }),
            Column::exact(text::reserved(), "end quiet skip-narrow", |balance| {
                exact(
                    with_usual_places(balance.reserved, balance.currency.as_str()),
                    "",
                )
            }),
            Column::exact(text::available(), "end", |balance| {
                exact(balance.available, balance.currency.as_str())
            }),
            Column::exact(text::in_dollars(), "end quiet skip-narrow", |balance| {
                let usd = dollars(balance.amount_usd?);
                exact(usd, "")
            }),
        ],
        id: |balance| format!("{} {}", balance.currency, balance.chain.id),
    }
}

#[component]
fn Balances() -> impl IntoView {
    let live = Live::from_context();
    let balances = Memo::new(move |_| live.read(|overview| overview.balances.clone()));
    let table = move || {
        match balances.get() {
        None => view! { <span class="bone plot"></span> }.into_any(),
        Some(balances) if balances.is_empty() => view! {
            <Empty picture=Icon::Movements title=text::no_balances() hint=text::no_balances_hint()>
                <a data-scope="write" class="button primary" href="/paylinks/new">{text::create_paylink()}</a>
            </Empty>
        }
        .into_any(),
        Some(balances) => static_table(&balances_spec(), &balances),
    }
    };
    view! {
        <section class="panel" aria-labelledby="balances-title">
            <div class="panel-head"><h2 id="balances-title">{text::balances()}</h2></div>
            {table}
        </section>
    }
}

/// Identity and company checks that are not approved, if any.
#[component]
fn Reviews() -> impl IntoView {
    let live = Live::from_context();
    let found = Memo::new(move |_| {
        let found = live.read(|overview| {
            let person = (text::kyc(), overview.kyc_status.clone());
            let company = (text::kyb(), overview.kyb_status.clone());
            let known = |(who, status): (_, Option<String>)| {
                let status = status.filter(|status| status != "Approved")?;
                Some((who, status))
            };
            [person, company]
                .into_iter()
                .filter_map(known)
                .collect::<Vec<_>>()
        });
        found.unwrap_or_default()
    });
    view! {
        <Show when=move || !found.with(Vec::is_empty)>
            <p class="row quiet">
                <a href="/settings">{text::reviews()}</a>
                {move || found.get().into_iter().map(|(who, status)| view! { <span>{who}": "{status_badge(&status, None)}</span> }).collect_view()}
            </p>
        </Show>
    }
}

/// Accounts with the largest balances, as bars relative to the largest.
#[component]
fn LargestBalances() -> impl IntoView {
    let live = Live::from_context();
    let row = |account: &OverviewAccount, most: &str| {
        let name =
            text::account_display_name(&account.name, &account.reference, account.account_id);
        let chain = account.chain.as_ref().map(|chain| chain.name.clone());
        let (held, most) = (account.amount_usd, most.to_owned());
        view! {
            <li>
                <a href=format!("/accounts/{}", account.account_id)>{name}<small>{chain}</small></a>
                <progress class="meter" value=held.to_string() max=most aria-hidden="true"></progress>
                {total_worth(held)}
            </li>
        }
    };
    move || {
        let rows = live.read(|Record { accounts, .. }| {
            let most = accounts.first()?.amount_usd.to_string();
            let rows = accounts.iter().map(|account| row(account, &most));
            Some(rows.collect_view())
        });
        Some(view! {
            <section class="panel" aria-labelledby="fullest-title">
                <div class="panel-head"><h2 id="fullest-title">{text::fullest()}</h2><a class="push" href="/accounts">{text::all_accounts()}</a></div>
                <ol class="fullest">{rows.flatten()?}</ol>
            </section>
        })
    }
}
