//! Payment links with their plans.

use std::collections::BTreeSet;

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::paylink::{
    DeletePaylink, GetPaylink, ListPaylinks, Paylink, PaylinkPath, PaylinkState, UpdatePaylinks,
};
use settlekit_core::value::PaylinkId;

use crate::api;
use crate::form::Form;
use crate::form::body::path_argument;
use crate::form::bulk_action::{BulkAction, BulkActions, RecordNames};
use crate::form::failure::form_failure;
use crate::form::update_paylinks::{OnSale, enabling};
use crate::list::export::Exporter;
use crate::list::filter::{DateFilter, Filters};
use crate::list::record_list::{
    EmptyState, RecordDetails, RecordDrawer, RecordList, actions_of, link_row,
};
use crate::list::selection::Selection;
use crate::list::table::{Column, ExactAmount, TableSpec};
use crate::page::edit_paylinks::IDS;
use crate::session::Session;
use crate::shell::live::{Live, LiveBadge};
use crate::shell::load::load;
use crate::shell::navigation::{Location, name};
use crate::text;
use crate::ui::amount::{amount, count_text};
use crate::ui::confirm::ConfirmTyped;
use crate::ui::copy::{CopyButton, WholeId};
use crate::ui::download::save;
use crate::ui::facts::Facts;
use crate::ui::icon::{Icon, icon};
use crate::ui::notice::{Notice, Tone};
use crate::ui::own_data::own_data;
use crate::ui::page_head::PageHead;
use crate::ui::qr::{qr, qr_file};
use crate::ui::status::status_badge;
use crate::ui::timestamp::timestamp;
use crate::ui::toast::Toasts;

const FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];
/// Metadata keys about data requested from payers.
const PAYER_DATA_KEYS: &[&str] = &[
    "customer_ident_collection",
    "shipping_address_collection",
    "tax_ident_collection",
];
/// Index of the switch column, after the status.
const SWITCH: usize = 3;

/// Product name of a link, else its id.
fn display_name(paylink: &Paylink) -> String {
    paylink
        .plan
        .as_ref()
        .map_or_else(|| paylink.id.to_string(), |plan| plan.name.clone())
}

/// Status badge.
fn status_of(paylink: &Paylink) -> AnyView {
    let word = paylink.state.as_ref().map(PaylinkState::as_str);
    word.map(|word| status_badge(word, None)).into_any()
}

/// Switch for enabling; none for deleted links.
fn on_sale(paylink: &Paylink) -> AnyView {
    let there = paylink.deleted_at.is_none();
    there
        .then(|| view! { <OnSale id=paylink.id enabled=paylink.enabled /> })
        .into_any()
}

fn table_spec() -> TableSpec<Paylink> {
    let mut columns: Vec<Column<Paylink>> = vec![
        Column::new(text::paylink_name(), "grow title", |paylink| {
            display_name(paylink).into_any()
        }),
        Column::exact(text::price(), "end", |paylink| {
            paylink.plan.as_ref().map(|plan| ExactAmount {
                amount: plan.price,
                currency: plan.currency.as_str(),
                out: None,
            })
        }),
        Column::new(text::status(), "second", status_of),
        Column::new(text::left(), "quiet skip-narrow", |paylink| {
            let left = paylink
                .plan
                .as_ref()
                .and_then(|plan| plan.available_quantity);
            left.map_or_else(
                || text::unlimited().to_owned(),
                |left| count_text(left.unsigned_abs()),
            )
            .into_any()
        }),
        Column::new(text::address_of_link(), "fit skip-narrow", |paylink| {
            view! { <span class="id words"><a href=paylink.url.clone() target="_blank" rel="noopener">{text::open_page()}</a><CopyButton text=paylink.url.clone() what=text::address_of_link() /></span> }.into_any()
        }),
        Column::new(text::when(), "fit second", |paylink| {
            timestamp(paylink.created_at).into_any()
        }),
    ];
    // Only for users with the scope; the status shows the state to others.
    if untrack(|| Session::from_context().is_allowed(Scope::Write)) {
        let switch = Column::new(text::on_sale(), "skip-narrow", on_sale);
        columns.insert(SWITCH, switch);
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
    let ask = move |list| Some(api::with_query::<ListPaylinks>(list));
    let paylinks = load(move || ask(location.list()));
    let selection = Selection::new(BTreeSet::new());
    view! {
        <div class="page">
            <PageHead title=text::paylinks() lead=text::paylinks_lead()>
                <LiveBadge />
                <a data-scope="write" class="button primary" href="/paylinks/new">{icon(Icon::Plus)}{text::create_paylink()}</a>
            </PageHead>
            <Filters names=FILTERS><DateFilter /></Filters>
            <SelectionActions selection=selection names=RecordNames::of(paylinks, |paylink| (paylink.id.to_string(), display_name(paylink))) />
            <RecordList
                spec=table_spec() page=paylinks.state busy=paylinks.busy retry=paylinks.retry() filters=FILTERS selection=selection export=(Exporter::of(ask), "paylinks")
                empty=EmptyState { picture: Icon::Link, title: text::no_paylinks(), text: text::no_paylinks_lesson(), step: ("/paylinks/new", text::create_paylink()) }
            />
            <RecordDrawer title=text::paylink()><OnePaylink /></RecordDrawer>
        </div>
    }
}

#[component]
fn SelectionActions(selection: Selection, names: RecordNames) -> impl IntoView {
    let ids = move || selection.with(|selection| selection.iter().cloned().collect::<Vec<_>>());
    let put_on =
        BulkAction::of_body::<UpdatePaylinks>(text::put_on_sale(), text::put_on_sale_why(), |id| {
            enabling(id, true)
        });
    let take_off = BulkAction::of_body::<UpdatePaylinks>(
        text::take_off_sale(),
        text::take_off_sale_why(),
        |id| enabling(id, false),
    );
    let delete = BulkAction::new::<DeletePaylink>(
        text::delete_together(),
        text::delete_together_why(),
        "paylink_id",
    )
    .typed();
    let grid = move || format!("/paylinks/edit?{IDS}={}", ids().join(","));
    view! {
        <BulkActions selection=selection names=names actions=vec![put_on, take_off, delete]>
            <a class="button small" href=grid>{icon(Icon::Edit)}{text::edit_together()}</a>
        </BulkActions>
    }
}

#[component]
fn OnePaylink() -> impl IntoView {
    let location = Location::from_context();
    let paylink = load::<GetPaylink>(move || {
        let paylink_id = location.param::<PaylinkId>(name::OPEN)?;
        Some(api::at(PaylinkPath { paylink_id }))
    });
    let ready = paylink.ready();
    view! {
        <Show when=move || location.get(name::MADE).is_some()><Notice tone=Tone::Good title=text::paylink_made()>{text::paylink_made_why()}</Notice></Show>
        <RecordDetails loaded=paylink show=details />
        {actions_of(ready, |paylink| paylink.id, move || view! { <Delete ready=ready /> }.into_any())}
    }
}

fn details(paylink: &Paylink) -> AnyView {
    let after = paylink.after_completion.clone();
    let sold = paylink.plan.clone();
    let confirming: Vec<&str> = [
        (paylink.customer_ident_collection, text::ask_who()),
        (paylink.shipping_address_collection, text::ask_where()),
        (paylink.tax_ident_collection, text::ask_tax()),
    ]
    .into_iter()
    .filter_map(|(on, word)| on.then_some(word))
    .collect();
    let facts = Facts::default()
        .with(
            text::paylink_id(),
            view! { <WholeId id=paylink.id.to_string() what=text::paylink() /> },
        )
        .maybe(
            text::description(),
            sold.as_ref().and_then(|plan| plan.description.clone()),
            |description| description,
        )
        .maybe(
            text::reference(),
            sold.as_ref().and_then(|plan| plan.reference.clone()),
            |reference| reference,
        )
        .maybe(
            text::left(),
            sold.as_ref().and_then(|plan| plan.available_quantity),
            |left| count_text(left.unsigned_abs()),
        )
        .maybe(
            text::held(),
            sold.as_ref().and_then(|plan| plan.held_quantity),
            |held| count_text(held.unsigned_abs()),
        )
        .maybe(
            text::expires(),
            sold.as_ref().and_then(|plan| plan.expires_at),
            timestamp,
        )
        .maybe(
            text::redirect(),
            after.as_ref().and_then(|after| after.redirect_url.clone()),
            |url| url,
        )
        .maybe(
            text::failure_redirect(),
            after
                .as_ref()
                .and_then(|after| after.failure_redirect_url.clone()),
            |url| url,
        )
        .maybe(
            text::message(),
            after.and_then(|after| after.custom_message),
            |message| message,
        )
        .maybe(
            text::ask_payer(),
            (!confirming.is_empty()).then(|| confirming.join(", ")),
            |confirming| confirming,
        )
        .with(text::created(), timestamp(paylink.created_at))
        .maybe(text::deleted(), paylink.deleted_at, timestamp);
    let url = paylink.url.clone();
    let file_name = format!("{}.svg", paylink.id);
    view! {
        <div class="lede">
            {sold.as_ref().map(|plan| view! { <strong>{plan.name.clone()}</strong>{amount(&plan.price, plan.currency.as_str())} })}
            {status_of(paylink)}
        </div>
        {(paylink.deleted_at.is_none()).then(|| view! { <div data-scope="write" class="row"><OnSale id=paylink.id enabled=paylink.enabled /><span>{text::on_sale()}</span></div> })}
        <div class="stack-tight">
            <h3 class="section-title">{text::address_of_link()}</h3>
            <div class="secret"><span id="paylink-url">{url.clone()}</span><CopyButton text=url.clone() what=text::address_of_link() /></div>
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
        {link_row(vec![(format!("/payments?paylink_id={}", paylink.id), Icon::Payments, text::payments_of_link())])}
    }
    .into_any()
}

#[component]
fn Delete(ready: Memo<Option<Paylink>>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::from_context(), Live::from_context());
    let location = Location::from_context();
    let confirming = RwSignal::new(false);
    let may = Memo::new(move |_| {
        ready.with(|paylink| {
            paylink
                .as_ref()
                .is_some_and(|paylink| paylink.deleted_at.is_none())
        })
    });
    let name = Signal::derive(move || {
        ready.with(|paylink| paylink.as_ref().map(display_name).unwrap_or_default())
    });
    let delete = Callback::new(move |()| {
        let Some(id) = ready.with_untracked(|paylink| paylink.as_ref().map(|paylink| paylink.id))
        else {
            return;
        };
        confirming.set(false);
        form.send::<DeletePaylink>(path_argument("paylink_id", id), move |_| {
            toasts.say(text::paylink_deleted().to_owned());
            live.refresh();
            location.open(None);
        });
    });
    view! {
        {form_failure(form)}
        <Show when=move || may.get()>
            <div class="row"><button data-scope="write" type="button" class="button danger" on:click=move |_| confirming.set(true)>{icon(Icon::Bin)}{text::delete_paylink()}</button></div>
        </Show>
        <ConfirmTyped
            open=confirming title=text::delete_paylink_ask() consequence=text::delete_paylink_why()
            name=name act=text::delete_paylink() busy=form.busy on_confirm=delete
        />
    }
}
