//! RFQ desk: request a quote, then accept or reject it before it expires.

use std::time::Duration;

use leptos::prelude::*;
use settlekit_core::quote::{
    AcceptQuote, GetQuote, GetQuotePath, Quote, QuoteAsset, QuoteMode, QuoteStatus, RejectQuote,
};
use settlekit_core::value::{Amount, QuoteId};

use crate::api;
use crate::form::request_quote::RequestQuoteForm;
use crate::form::{Fields, Form, MoneyFailure, chain_name, form_failure, path_argument};
use crate::list::RecordDetails;
use crate::page::acting::{Acting, FOR, Page};
use crate::record::order::{account_by_id, destination};
use crate::record::quote_terms::QuoteTerms;
use crate::shell::{Live, Loaded, Location, load};
use crate::text::{self, money as words};
use crate::ui::{
    Confirm, Empty, Facts, Icon, Panel, Toasts, amount, amount_text, dollars, icon,
    learn_service_time, service_now, status_badge,
};

/// URL parameter with the quote.
const QUOTE: &str = "quote";
/// Remaining time that counts as short, in seconds.
const SOON_SECONDS: i64 = 10;
/// Update interval of the remaining time.
const TICK: Duration = Duration::from_millis(250);

#[component]
pub(crate) fn Rfq() -> impl IntoView {
    let location = Location::from_context();
    let acting = Acting::from_address();
    let own = Memo::new(move |_| acting.target.with(Option::is_none));
    // A quote that can't be accepted here, and whether it is firm: an estimate, or a quote for a sub-merchant.
    let answered: RwSignal<Option<(Quote, bool)>> = RwSignal::new(None);
    let quote = load::<GetQuote>(move || {
        let quote_id = location.param::<QuoteId>(QUOTE).filter(|_| own.get())?;
        Some(api::at(GetQuotePath { quote_id }))
    });
    // Changing the quote resets its confirmation.
    let held = Memo::new(move |_| location.get(QUOTE).filter(|_| own.get()));
    let done = Callback::new(move |(made, firm): (Quote, bool)| {
        if !firm || !own.get_untracked() {
            answered.set(Some((made, firm)));
            // Keep the firm quote reachable by a history step.
            if held.with_untracked(Option::is_some) {
                location.go(&location.with(&[(QUOTE, None)]), false);
            }
            return;
        }
        answered.set(None);
        learn_service_time(made.created_at);
        let id = made.id.to_string();
        quote.put(made);
        location.go(&location.with(&[(QUOTE, Some(id))]), false);
    });
    // Rebuild the form for another sub-merchant, so that no input is carried over.
    let form = move || {
        let whose = acting.target.get();
        answered.set(None);
        view! { <RequestQuoteForm delegated=whose.is_some() done=done /> }
    };
    view! {
        {acting.banner(Page::Desk, &[FOR])}
        <Show when=move || !acting.malformed.get()><div class="columns halves">
            <Panel title=words::request_quote() why=words::request_quote_why()>{form}</Panel>
            <section class="panel sticky" aria-live="polite" aria-label=words::quote()>
                {move || if held.get().is_some() {
                    view! { <FirmQuote quote=quote /> }.into_any()
                } else if let Some((quote, firm)) = answered.get() {
                    if firm { firm_quote_of_sub_merchant(&quote) } else { estimated(&quote) }
                } else {
                    view! { <Empty picture=Icon::Trade title=words::no_quote_yet() hint=words::no_quote_yet_hint() /> }.into_any()
                }}
            </section>
        </div></Show>
    }
}

fn estimated(quote: &Quote) -> AnyView {
    view! {
        <div class="panel-head"><h2>{words::estimate()}</h2><p>{words::estimate_why()}</p></div>
        <div class="panel-body stack">{sides(quote)}{terms(quote)}</div>
    }
    .into_any()
}

/// A firm quote for a sub-merchant, read-only.
fn firm_quote_of_sub_merchant(quote: &Quote) -> AnyView {
    view! {
        <div class="panel-head">
            <h2>{words::quote()}</h2><p>{words::quote_of_another_why()}</p>
            <span class="push">{status_badge(quote.status.as_str(), None)}</span>
        </div>
        <div class="panel-body stack">{show(quote)}</div>
    }
    .into_any()
}

/// A firm quote with countdown, accept and reject buttons.
#[component]
fn FirmQuote(quote: Loaded<Quote>) -> impl IntoView {
    let location = Location::from_context();
    let toasts = Toasts::from_context();
    let live = Live::from_context();
    let (accepting, rejecting) = (Form::new(), Form::new());
    let (ask_accept, ask_reject) = (RwSignal::new(false), RwSignal::new(false));
    // A history step changes the quote: disable the actions until it is loaded.
    let held = untrack(|| location.get(QUOTE));
    let ready = Memo::new(move |_| {
        let is_held = |quote: &Quote| Some(quote.id.to_string()) == held;
        let held = quote.read(|quote| is_held(quote).then(|| quote.clone()));
        held.flatten()
    });
    let now = RwSignal::new(service_now());
    let timer = set_interval_with_handle(move || now.set(service_now()), TICK).ok();
    on_cleanup(move || {
        if let Some(timer) = timer {
            timer.clear();
        }
    });
    let end = Memo::new(move |_| {
        ready.with(|quote| {
            let quote = quote.as_ref().filter(is_open)?;
            Some((quote.created_at, quote.expires_at?))
        })
    });
    // Milliseconds left, and the total.
    let left = Memo::new(move |_| {
        let (made, end) = end.get()?;
        let whole = end.millis() - made.millis();
        let left = end.millis() - now.get().millis();
        Some((left.clamp(0, whole), whole))
    });
    let seconds = Memo::new(move |_| left.get().map(|(left, _)| (left + 999) / 1000));
    let open = Memo::new(move |_| left.get().is_some_and(|(left, _)| left > 0));
    // The service decides whether the quote has expired, not the local clock.
    Effect::new(move |before: Option<bool>| {
        let open = open.get();
        if before == Some(true) && !open {
            quote.reload();
        }
        open
    });
    let id = move || ready.with_untracked(|quote| quote.as_ref().map(|quote| quote.id));
    let accept = Callback::new(move |()| {
        let Some(id) = id() else { return };
        let arguments = Fields::default().body_at("quote_id", id);
        accepting.send::<AcceptQuote>(arguments, move |order| {
            toasts.say(words::quote_accepted().to_owned());
            live.refresh();
            let open = order.order_id.map(|id| id.to_string()).unwrap_or_default();
            location.go(&format!("/trade/orders?open={open}"), false);
        });
    });
    let reject = Callback::new(move |()| {
        let Some(id) = id() else { return };
        rejecting.send::<RejectQuote>(path_argument("quote_id", id), move |newer| {
            toasts.say(words::quote_rejected().to_owned());
            live.refresh();
            quote.put(newer);
        });
    });
    let consequence = Signal::derive(move || {
        let asked = |quote: &Quote| {
            let sold: Vec<String> = quote.sell_assets.iter().map(asset_text).collect();
            let asked = words::accept_ask(&sold.join(" + "), &asset_text(&quote.buy_asset));
            let to = quote.settlement_instruction.as_ref();
            words::and_outside(asked, to.and_then(|to| to.address.as_deref()))
        };
        ready.with(|quote| quote.as_ref().map(asked).unwrap_or_default())
    });
    view! {
        <div class="panel-head">
            <h2>{words::quote()}</h2>
            <span class="push">{move || ready.with(|quote| quote.as_ref().map(|quote| status_badge(quote.status.as_str(), None)))}</span>
        </div>
        <div class="panel-body stack">
            <Show when=move || left.with(Option::is_some)>
                <div class="stack-tight">
                    <p class="clock-left" class:soon=move || seconds.get().is_some_and(|left| left <= SOON_SECONDS) aria-live="off" role="timer">
                        {icon(Icon::Clock)}{move || seconds.get().map(words::valid_for)}
                    </p>
                    <progress class="meter" aria-label=words::time_left() value=move || left.get().map(|(left, _)| left.to_string()) max=move || left.get().map(|(_, whole)| whole.to_string())></progress>
                </div>
            </Show>
            <RecordDetails loaded=quote show=show />
            <MoneyFailure form=accepting look=("/trade/orders", words::look_in_orders()) />
            {form_failure(rejecting)}
            <Show when=move || end.with(Option::is_some)>
                <div class="row">
                    <button data-scope="write" type="button" class="button primary" disabled=move || !open.get() || accepting.busy.get() on:click=move |_| ask_accept.set(true)>{icon(Icon::Check)}{words::accept()}</button>
                    <button data-scope="write" type="button" class="button danger" disabled=move || !open.get() || rejecting.busy.get() on:click=move |_| ask_reject.set(true)>{words::reject()}</button>
                </div>
            </Show>
        </div>
        <Confirm open=ask_accept title=words::accept_ask_word() consequence=consequence act=words::accept() busy=accepting.busy on_confirm=accept />
        <Confirm open=ask_reject title=words::reject_ask() consequence=words::reject_why() act=words::reject() busy=rejecting.busy on_confirm=reject />
    }
}

/// Whether the quote waits for an answer.
fn is_open(quote: &&Quote) -> bool {
    quote.status == QuoteStatus::Created
}

fn asset_text(asset: &QuoteAsset) -> String {
    amount_text(&Amount::from(asset.amount), asset.symbol.as_str())
}

fn asset(asset: &QuoteAsset) -> AnyView {
    let shown = amount(&Amount::from(asset.amount), asset.symbol.as_str());
    view! { {shown}<small>{asset.chain_id.map(chain_name)}</small> }.into_any()
}

fn sides(quote: &Quote) -> AnyView {
    view! {
        <div class="sides">
            <div><span class="label">{words::you_sell()}</span>{quote.sell_assets.iter().map(asset).collect_view()}</div>
            <div><span class="label">{words::you_buy()}</span>{asset(&quote.buy_asset)}</div>
        </div>
    }
    .into_any()
}

/// Rate, fees and value, also of an estimate.
fn terms(quote: &Quote) -> AnyView {
    let bought = quote.buy_asset.symbol.to_string();
    let basket = quote.sell_assets.len() > 1;
    let sold = quote
        .sell_assets
        .first()
        .map(|asset| asset.symbol.to_string())
        .unwrap_or_default();
    let rate = quote.rate.as_ref();
    let fees = quote.fees.clone();
    let terms = QuoteTerms {
        properties: quote.properties.as_ref(),
        sold: quote.sell_assets.len(),
        bought: &bought,
        sells_exact: quote.mode == QuoteMode::SellExact,
    };
    let settled = quote.settlement_instruction.as_ref();
    let settled =
        settled.and_then(|to| destination(to.account_id.map(|id| id.get()), to.address.as_deref()));
    Facts::default()
        .maybe(
            words::rate(),
            rate.map(|rate| Amount::from(rate.effective_rate)),
            |rate| {
                let of = (!basket).then(|| words::for_one(&sold));
                view! { {amount(&rate, &bought)} " " <span class="quiet">{of}</span> }
            },
        )
        .maybe(
            words::worth(),
            rate.and_then(|rate| rate.usd_value),
            |usd| amount(&dollars(Amount::from(usd)), "USD"),
        )
        .maybe(words::fees(), fees, |fees| {
            let currency = fees
                .fee_currency
                .map(|one| one.to_string())
                .unwrap_or_default();
            amount(&Amount::from(fees.total_fee), &currency)
        })
        .maybe(words::expected_amount(), terms.expected_amount(), |view| {
            view
        })
        .maybe(words::slippage(), terms.slippage(), |view| view)
        .maybe(words::price_impact(), terms.price_impact(), |view| view)
        .maybe(words::network_fee(), terms.network_fee(), |view| view)
        .maybe(words::offers(), terms.offers(), |view| view)
        .maybe(words::settled_to(), settled, |to| to)
        .with(words::exact_side(), words::mode(&quote.mode).to_owned())
        .view()
        .into_any()
}

fn show(quote: &Quote) -> AnyView {
    let facts = Facts::default()
        .id(words::quote(), quote.id.to_string())
        .maybe(
            words::handed_over(),
            quote.deposit_instruction.clone(),
            |instruction| words::deposit_method(&instruction.payment_method),
        )
        .maybe(words::funded_by(), quote.account_id, |id| {
            account_by_id(id.get())
        })
        .time(text::created(), quote.created_at)
        .time(text::expires(), quote.expires_at)
        .time(words::fund_until(), quote.ttl_at)
        .time(words::accepted(), quote.accepted_at)
        .time(words::rejected(), quote.rejected_at);
    view! { {sides(quote)}{terms(quote)}{facts.view()} }.into_any()
}
