//! Payment links with their plans.

use leptos::prelude::*;
use settlekit_core::note::NotedRecord;
use settlekit_core::operation::Scope;
use settlekit_core::paylink::{
    DeletePaylink, GetPaylink, ListPaylinks, ListPaylinksQuery, Paylink, PaylinkPath, PaylinkState,
    UpdatePaylinks,
};
use settlekit_core::plan::Plan;
use settlekit_core::value::PaylinkId;

use crate::api;
use crate::form::create_paylink::CreatePaylinkForm;
use crate::form::notes::Notes;
use crate::form::update_paylinks::{EnabledSwitch, enabling};
use crate::form::{BulkAction, BulkActions, Form, RecordNames, form_failure, path_argument};
use crate::list::{
    Column, CreatedNotice, EmptyState, FilterBar, FilterSpec, RecordDetails, RecordDrawer,
    RecordList, Selection, StatusTab, StatusTabs, TableSpec, actions_of, copy_call, counts_of,
    exact, link_row, load_counted_list, load_opened,
};
use crate::page::edit_paylinks::IDS;
use crate::record::paylink::display_name;
use crate::record::plan::{billing_interval, quantity};
use crate::session::Session;
use crate::shell::{Live, LiveBadge, Loaded, Location, name};
use crate::text;
use crate::ui::{
    Confirm, CopyButton, Facts, Icon, PageHead, Toasts, amount, copy_act, count_text, figure,
    grouped_text, icon, own_data, qr, qr_file, save, status_badge,
};

/// Metadata keys about data requested from payers.
const PAYER_DATA_KEYS: &[&str] = &[
    "customer_ident_collection",
    "shipping_address_collection",
    "tax_ident_collection",
];
const STATUS: &str = "status";
const FILTERS: &[&str] = &[name::SEARCH, STATUS, name::SINCE, name::UNTIL, name::SORT];
/// States of listed links. `Paid` is for those of invoices.
const STATES: &[&str] = &["Open", "Disabled", "Expired", "SoldOut", "Deleted"];
/// Index of the switch column, after the status.
const SWITCH: usize = 3;

fn status_of(paylink: &Paylink) -> AnyView {
    let word = paylink.state.as_ref().map(PaylinkState::as_str);
    word.map(|word| status_badge(word, None)).into_any()
}

/// Switch for enabling; none for deleted links.
fn switch(paylink: &Paylink) -> AnyView {
    let is_sold_out = paylink.state == Some(PaylinkState::SoldOut);
    let there = paylink.deleted_at.is_none();
    there
        .then(|| view! { <EnabledSwitch id=paylink.id enabled=paylink.enabled is_sold_out=is_sold_out /> })
        .into_any()
}

fn table_spec() -> TableSpec<Paylink> {
    let mut columns: Vec<Column<Paylink>> = vec![
        Column::text(text::name(), "grow title", |paylink| {
            Some(display_name(paylink))
        }),
        Column::exact(text::price(), "end", |paylink| {
            let plan = paylink.plan.as_ref()?;
            exact(plan.price, plan.currency.as_str())
        }),
        Column::new(text::status(), "second", status_of),
        Column::text(text::left(), "quiet skip-narrow", |paylink| {
            let left = paylink
                .plan
                .as_ref()
                .and_then(|plan| plan.available_quantity);
            let left = quantity(left);
            Some(left.unwrap_or_else(|| text::unlimited().to_owned()))
        }),
        Column::new(text::pay_page(), "fit skip-narrow", |paylink| {
            view! { <span class="id words"><a href=paylink.url.clone() target="_blank" rel="noopener">{text::open_page()}</a><CopyButton text=paylink.url.clone() what=text::pay_page() /></span> }.into_any()
        }),
        Column::time(text::when(), "fit second", |paylink| {
            Some(paylink.created_at)
        }),
    ];
    // Only for users with the scope; the status shows the state to others.
    if untrack(|| Session::from_context().is_allowed(Scope::Write)) {
        let column = Column::new(text::enabled(), "skip-narrow", switch);
        columns.insert(SWITCH, column);
    }
    TableSpec {
        caption: text::paylinks(),
        columns,
        id: |paylink| paylink.id.to_string(),
    }
}

#[component]
pub(crate) fn Paylinks() -> impl IntoView {
    let location = Location::from_context();
    let paylinks = load_counted_list("paylinks", move |list, counts| {
        Some(api::with_query::<ListPaylinks>(ListPaylinksQuery {
            list,
            status: location.param(STATUS),
            search: location.get(name::SEARCH),
            counts,
        }))
    });
    let names = RecordNames::of(paylinks.page, |paylink| {
        (paylink.id.to_string(), display_name(paylink))
    });
    let selection = Selection::default();
    let mut filters = vec![
        FilterSpec::search(text::search_paylinks()),
        FilterSpec::choice(text::status(), STATUS, STATES).in_tabs(STATES),
    ];
    filters.extend(FilterSpec::by_date());
    let tabs = StatusTab::each(STATUS, STATES, text::words, counts_of(&paylinks));
    view! {
        <div class="page">
            <PageHead title=text::paylinks() lead=text::paylinks_lead()>
                <LiveBadge />
                <a data-scope="write" class="button primary" href="/paylinks/new">{icon(Icon::Plus)}{text::create_paylink()}</a>
            </PageHead>
            <StatusTabs label=text::status() tabs=tabs />
            <FilterBar filters=filters />
            <SelectionActions selection=selection names=names />
            <RecordList
                spec=table_spec() list=paylinks filters=FILTERS selection=selection
                empty=EmptyState { picture: Icon::Link, title: text::no_paylinks(), text: text::no_paylinks_hint(), step: ("/paylinks/new", text::create_paylink()) }
            />
            <RecordDrawer title=text::paylink()><OnePaylink /></RecordDrawer>
        </div>
    }
}

#[component]
fn SelectionActions(selection: Selection, names: RecordNames) -> impl IntoView {
    let ids = move || selection.with(|selection| selection.iter().cloned().collect::<Vec<_>>());
    let (enable, disable) = (text::enable(), text::disable());
    let actions = vec![
        BulkAction::new::<UpdatePaylinks>(enable, text::enable_links_why(), |id| {
            enabling(id, true)
        }),
        BulkAction::new::<UpdatePaylinks>(disable, text::disable_links_why(), |id| {
            enabling(id, false)
        }),
        BulkAction::new::<DeletePaylink>(
            text::delete_together(),
            text::delete_together_why(),
            |id| path_argument("paylink_id", id),
        )
        .typed(),
    ];
    let grid = move || format!("/paylinks/edit?{IDS}={}", ids().join(","));
    view! {
        <BulkActions selection=selection names=names actions=actions>
            <a class="button small" href=grid>{icon(Icon::Edit)}{text::edit_together()}</a>
        </BulkActions>
    }
}

#[component]
fn OnePaylink() -> impl IntoView {
    let paylink = load_opened::<GetPaylink, _>(|paylink_id| PaylinkPath { paylink_id });
    let notes = |id: PaylinkId| {
        view! { <Notes record=NotedRecord::Paylink id=id.to_string() /> }.into_any()
    };
    view! {
        <CreatedNotice title=text::paylink_made() why=text::paylink_made_why() />
        {move || paylink.read(lede)}
        {actions_of(paylink, |paylink| paylink.id, move |id| view! { <Acts id=id paylink=paylink /> }.into_any())}
        <RecordDetails loaded=paylink show=details />
        {actions_of(paylink, |paylink| paylink.id, notes)}
    }
}

/// Visits, checkouts and payments of the last 30 days; nothing if there were none.
fn statistics(paylink: &Paylink) -> AnyView {
    let Some(counts) = paylink.statistics.as_ref() else {
        return ().into_any();
    };
    let conversion = counts.conversion_pct.map(|percent| {
        let percent = text::home::percent(&grouped_text(&percent));
        figure(text::home::conversion(), percent, None)
    });
    view! {
        <section class="stack-tight" aria-labelledby="statistics">
            <h3 class="section-title" id="statistics">{text::home::last_30_days()}</h3>
            <dl class="figures level">
                {figure(text::home::visits(), count_text(counts.visits), None)}
                {figure(text::home::checkouts(), count_text(counts.checkouts_started), None)}
                {figure(text::payments(), count_text(counts.payments), None)}
                {conversion}
            </dl>
        </section>
    }
    .into_any()
}

fn lede(paylink: &Paylink) -> AnyView {
    let plan = paylink.plan.as_ref();
    view! {
        <div class="lede">
            {plan.map(|plan| view! { <strong>{plan.name.clone()}</strong>{amount(&plan.price, plan.currency.as_str())} })}
            {status_of(paylink)}
        </div>
    }
    .into_any()
}

fn details(paylink: &Paylink) -> AnyView {
    let after = paylink.after_completion.as_ref();
    let plan = paylink.plan.as_ref();
    let sold = |read: fn(&Plan) -> Option<String>| plan.and_then(read);
    let asked: Vec<&str> = [
        (paylink.customer_ident_collection, text::ask_who()),
        (paylink.shipping_address_collection, text::ask_where()),
        (paylink.tax_ident_collection, text::ask_tax()),
    ]
    .into_iter()
    .filter_map(|(on, word)| on.then_some(word))
    .collect();
    let facts = Facts::default()
        .id(text::paylink(), paylink.id.to_string())
        .text(text::billed(), sold(|plan| Some(billing_interval(plan))))
        .text(
            text::trial(),
            sold(|plan| plan.trial_period.as_deref().map(text::period)),
        )
        .text(text::description(), sold(|plan| plan.description.clone()))
        .text(text::reference(), sold(|plan| plan.reference.clone()))
        .text(text::left(), sold(|plan| quantity(plan.available_quantity)))
        .text(text::held(), sold(|plan| quantity(plan.held_quantity)))
        .time(text::expires(), plan.and_then(|plan| plan.expires_at))
        .text(
            text::redirect(),
            after.and_then(|after| after.redirect_url.clone()),
        )
        .text(
            text::failure_redirect(),
            after.and_then(|after| after.failure_redirect_url.clone()),
        )
        .text(
            text::message(),
            after.and_then(|after| after.custom_message.clone()),
        )
        .text(
            text::ask_payer(),
            (!asked.is_empty()).then(|| asked.join(", ")),
        )
        .time(text::created(), paylink.created_at)
        .time(text::deleted(), paylink.deleted_at);
    let url = paylink.url.clone();
    let file_name = format!("{}.svg", paylink.id);
    view! {
        {(paylink.deleted_at.is_none()).then(|| view! { <div data-scope="write" class="row">{switch(paylink)}<span>{text::enabled()}</span></div> })}
        {statistics(paylink)}
        <div class="stack-tight">
            <h3 class="section-title">{text::pay_page()}</h3>
            <div class="secret"><span id="paylink-url">{url.clone()}</span><CopyButton text=url.clone() what=text::pay_page() /></div>
            <div class="row"><a class="button" href=url.clone() target="_blank" rel="noopener">{icon(Icon::Leave)}{text::open_page()}</a></div>
        </div>
        <details class="more">
            <summary>{icon(Icon::Right)}{text::qr_code()}</summary>
            <div class="row">
                {qr(&url, text::qr_of_link())}
                <button type="button" class="button" on:click=move |_| { if let Some(file) = qr_file(&url) { save(&file_name, "image/svg+xml", &file); } }>{icon(Icon::Save)}{text::save_qr()}</button>
            </div>
        </details>
        {facts.view()}
        {own_data(&paylink.metadata, PAYER_DATA_KEYS)}
        {link_row(vec![(format!("/payments?paylink_id={}", paylink.id), Icon::Payments, text::money::look_in_payments())])}
    }
    .into_any()
}

/// Copies the link of the payment page and the call that reads the record, and deletes the link.
#[component]
fn Acts(id: PaylinkId, paylink: Loaded<Paylink>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::from_context(), Live::from_context());
    let location = Location::from_context();
    let asked = RwSignal::new(false);
    let url = Memo::new(move |_| paylink.read(|paylink| paylink.url.clone()));
    let may = move || paylink.read(|paylink| paylink.deleted_at.is_none()) == Some(true);
    let name = Signal::derive(move || paylink.read(display_name).unwrap_or_default());
    let delete = Callback::new(move |()| {
        form.send::<DeletePaylink>(path_argument("paylink_id", id), move |_| {
            toasts.say(text::paylink_deleted().to_owned());
            live.refresh();
            location.open(None);
        });
    });
    view! {
        {form_failure(form)}
        <div class="row">
            {move || url.get().map(|url| copy_act(url, text::pay_page(), text::payout::copy_link()))}
            {copy_call::<GetPaylink>(PaylinkPath { paylink_id: id })}
            <Show when=may>
                <button data-scope="write" type="button" class="button danger" on:click=move |_| asked.set(true)>{icon(Icon::Bin)}{text::delete_paylink()}</button>
            </Show>
        </div>
        <Confirm
            open=asked title=text::delete_paylink_ask() consequence=text::delete_paylink_why()
            name=name act=text::delete_paylink() busy=form.busy on_confirm=delete
        />
    }
}

#[component]
pub(crate) fn CreatePaylink() -> impl IntoView {
    let (location, live) = (Location::from_context(), Live::from_context());
    let done = Callback::new(move |paylink: Paylink| {
        live.refresh();
        location.go(&format!("/paylinks?made=1&open={}", paylink.id), false);
    });
    view! {
        <div class="page">
            <PageHead title=text::create_paylink() lead=text::create_paylink_lead() above=("/paylinks", text::paylinks()) />
            <CreatePaylinkForm done=done />
        </div>
    }
}
