//! Payment links, and one link with what it sells.

use leptos::prelude::*;
use settlekit_core::paylink::{DeletePaylink, GetPaylink, ListPaylinks, Paylink, PaylinkPath};
use settlekit_core::value::{Param, PaylinkId, Timestamp};

use crate::api;
use crate::form::{self, Form};
use crate::live::Live;
use crate::load::load;
use crate::page::payments::Waiting;
use crate::part::PageHead;
use crate::part::amount::{amount, count_text};
use crate::part::confirm::Confirm;
use crate::part::copy::{Copy, WholeId};
use crate::part::drawer::Drawer;
use crate::part::facts::Facts;
use crate::part::filter::{Days, Filters};
use crate::part::icon::{Icon, icon};
use crate::part::moment::moment;
use crate::part::notice::{Empty, Failed, Notice, Toasts, Tone};
use crate::part::pager::Pager;
use crate::part::state::state;
use crate::part::table::{Column, Exact, Plan, Table};
use crate::place::{Place, name};
use crate::text;

const FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];
/// Set after a link was made: the drawer then says so.
const MADE: &str = "made";

/// Where a link stands, in the words of the payer's page.
fn standing(paylink: &Paylink) -> &'static str {
    let now = Timestamp::from_millis(js_sys::Date::now() as i64);
    let plan = paylink.plan.as_ref();
    if paylink.deleted_at.is_some() {
        "Deleted"
    } else if !paylink.enabled {
        "Disabled"
    } else if plan
        .and_then(|plan| plan.expires_at)
        .is_some_and(|until| until <= now)
    {
        "Expired"
    } else if plan.and_then(|plan| plan.available_quantity) == Some(0) {
        "SoldOut"
    } else {
        "Open"
    }
}

fn plan() -> Plan<Paylink> {
    Plan {
        caption: text::PAYLINKS,
        columns: vec![
            Column::new(text::PAYLINK_NAME, "grow title", |paylink| {
                paylink
                    .plan
                    .as_ref()
                    .map_or_else(|| paylink.id.to_string(), |plan| plan.name.clone())
                    .into_any()
            }),
            Column::exact(text::PRICE, "end", |paylink| {
                paylink.plan.as_ref().map(|plan| Exact {
                    amount: plan.price,
                    currency: plan.currency.as_str(),
                    out: None,
                })
            }),
            Column::new(text::STATUS, "second", |paylink| {
                state(standing(paylink), None).into_any()
            }),
            Column::new(text::LEFT, "quiet skip-narrow", |paylink| {
                let left = paylink
                    .plan
                    .as_ref()
                    .and_then(|plan| plan.available_quantity);
                left.map_or_else(
                    || text::UNLIMITED.to_owned(),
                    |left| count_text(left.unsigned_abs()),
                )
                .into_any()
            }),
            Column::new(text::ADDRESS_OF_LINK, "fit skip-narrow", |paylink| {
                view! { <span class="id"><a href=paylink.url.clone() target="_blank" rel="noopener">{text::OPEN_PAGE}</a><Copy text=paylink.url.clone() what=text::ADDRESS_OF_LINK /></span> }.into_any()
            }),
            Column::new(text::WHEN, "fit second", |paylink| {
                moment(paylink.created_at).into_any()
            }),
        ],
        id: |paylink| paylink.id.to_string(),
    }
}

#[component]
pub(crate) fn Paylinks() -> impl IntoView {
    let place = Place::here();
    let paylinks = load::<ListPaylinks>(move || Some(api::asking(place.list())));
    let rows = Signal::derive(move || {
        paylinks
            .state
            .with(|state| state.map(|page| page.items.clone()))
    });
    let opened = Signal::derive(move || place.get(name::OPEN));
    let filtered = move || FILTERS.iter().any(|name| place.get(name).is_some());
    view! {
        <div class="page">
            <PageHead title=text::PAYLINKS lead=text::PAYLINKS_LEAD>
                <a class="button primary" href="/paylinks/new">{icon(Icon::Plus)}{text::CREATE_PAYLINK}</a>
            </PageHead>
            <Filters names=FILTERS><Days /></Filters>
            <section class="panel" aria-label=text::PAYLINKS>
                <Table plan=plan() rows=rows busy=paylinks.busy retry=paylinks.retry() open=Callback::new(move |id| place.open(Some(id))) opened=opened empty=ViewFn::from(move || {
                    if filtered() {
                        view! { <Empty picture=Icon::Search title=text::NO_MATCH lesson=text::NO_MATCH_LESSON /> }.into_any()
                    } else {
                        view! {
                            <Empty picture=Icon::Link title=text::NO_PAYLINKS lesson=text::NO_PAYLINKS_LESSON>
                                <a class="button primary" href="/paylinks/new">{text::CREATE_PAYLINK}</a>
                            </Empty>
                        }.into_any()
                    }
                }) />
                <Pager
                    total=Signal::derive(move || paylinks.state.with(|state| state.ready().map(|page| page.total)))
                    shown=Signal::derive(move || paylinks.state.with(|state| state.ready().map_or(0, |page| page.items.len())))
                />
            </section>
            <Drawer open=Signal::derive(move || opened.with(Option::is_some)) close=Callback::new(move |()| place.go(&place.with(&[(name::OPEN, None), (MADE, None)]), false)) title=text::PAYLINK>
                <OnePaylink />
            </Drawer>
        </div>
    }
}

#[component]
fn OnePaylink() -> impl IntoView {
    let place = Place::here();
    let paylink = load::<GetPaylink>(move || {
        let paylink_id = PaylinkId::from_text(&place.get(name::OPEN)?).ok()?;
        Some(api::at(PaylinkPath { paylink_id }))
    });
    let ready = Memo::new(move |_| paylink.state.with(|paylink| paylink.ready().cloned()));
    let trouble = Memo::new(move |_| paylink.state.with(|paylink| paylink.failed().cloned()));
    view! {
        {move || trouble.get().map(|trouble| view! { <Failed trouble=trouble retry=paylink.retry() /> })}
        <Show when=move || paylink.state.with(crate::load::Remote::is_loading)><Waiting /></Show>
        <Show when=move || place.get(MADE).is_some()><Notice tone=Tone::Good title=text::PAYLINK_MADE>{text::PAYLINK_MADE_WHY}</Notice></Show>
        {move || ready.get().map(|paylink| details(&paylink))}
        <Delete ready=ready />
    }
}

fn details(paylink: &Paylink) -> AnyView {
    let after = paylink.after_completion.clone();
    let sold = paylink.plan.clone();
    let asked: Vec<&str> = [
        (paylink.customer_ident_collection, text::ASK_WHO),
        (paylink.shipping_address_collection, text::ASK_WHERE),
        (paylink.tax_ident_collection, text::ASK_TAX),
    ]
    .into_iter()
    .filter_map(|(on, word)| on.then_some(word))
    .collect();
    let facts = Facts::default()
        .with(
            text::PAYLINK_ID,
            view! { <WholeId id=paylink.id.to_string() what=text::PAYLINK /> },
        )
        .maybe(
            text::DESCRIPTION,
            sold.as_ref().and_then(|plan| plan.description.clone()),
            |description| description,
        )
        .maybe(
            text::REFERENCE,
            sold.as_ref().and_then(|plan| plan.reference.clone()),
            |reference| reference,
        )
        .maybe(
            text::LEFT,
            sold.as_ref().and_then(|plan| plan.available_quantity),
            |left| count_text(left.unsigned_abs()),
        )
        .maybe(
            text::EXPIRES,
            sold.as_ref().and_then(|plan| plan.expires_at),
            moment,
        )
        .maybe(
            text::REDIRECT,
            after.as_ref().and_then(|after| after.redirect_url.clone()),
            |url| url,
        )
        .maybe(
            text::FAILURE_REDIRECT,
            after
                .as_ref()
                .and_then(|after| after.failure_redirect_url.clone()),
            |url| url,
        )
        .maybe(
            text::MESSAGE,
            after.and_then(|after| after.custom_message),
            |message| message,
        )
        .maybe(
            text::ASK_PAYER,
            (!asked.is_empty()).then(|| asked.join(", ")),
            |asked| asked,
        )
        .with(text::CREATED, moment(paylink.created_at))
        .maybe(text::DELETED, paylink.deleted_at, moment);
    let url = paylink.url.clone();
    view! {
        <div class="lede">
            {sold.as_ref().map(|plan| view! { <strong>{plan.name.clone()}</strong>{amount(&plan.price, plan.currency.as_str())} })}
            {state(standing(paylink), None)}
        </div>
        <div class="stack-tight">
            <h3 class="section-title">{text::ADDRESS_OF_LINK}</h3>
            <div class="secret"><span id="paylink-url">{url.clone()}</span><Copy text=url.clone() what=text::ADDRESS_OF_LINK /></div>
            <div class="row"><a class="button" href=url target="_blank" rel="noopener">{icon(Icon::Leave)}{text::OPEN_PAGE}</a></div>
        </div>
        {facts.view()}
    }
    .into_any()
}

#[component]
fn Delete(ready: Memo<Option<Paylink>>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::here(), Live::here());
    let place = Place::here();
    let asked = RwSignal::new(false);
    let may = Memo::new(move |_| {
        ready.with(|paylink| {
            paylink
                .as_ref()
                .is_some_and(|paylink| paylink.deleted_at.is_none())
        })
    });
    let delete = Callback::new(move |()| {
        let Some(id) = ready.with_untracked(|paylink| paylink.as_ref().map(|paylink| paylink.id))
        else {
            return;
        };
        asked.set(false);
        form.send::<DeletePaylink>(form::path("paylink_id", id), move |_| {
            toasts.say(text::PAYLINK_DELETED.to_owned());
            live.poke();
            place.open(None);
        });
    });
    view! {
        {move || form.trouble.get().map(|trouble| view! { <Failed trouble=trouble /> })}
        <Show when=move || may.get()>
            <div class="row"><button type="button" class="button danger" on:click=move |_| asked.set(true)>{icon(Icon::Bin)}{text::DELETE_PAYLINK}</button></div>
        </Show>
        <Confirm open=asked title=text::DELETE_PAYLINK_ASK consequence=text::DELETE_PAYLINK_WHY act=text::DELETE_PAYLINK busy=form.busy on_confirm=delete />
    }
}
