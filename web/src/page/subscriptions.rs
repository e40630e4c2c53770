//! Subscriptions and their actions.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::invoice::{Invoice, ListInvoices, ListInvoicesQuery};
use settlekit_core::page::{ListQuery, Page};
use settlekit_core::subscription::{
    CancelSubscription, GetSubscription, GetSubscriptionPath, ListSubscriptions,
    ListSubscriptionsQuery, PauseSubscription, ResumeSubscription, Subscription,
    SubscriptionStatus, TRANSITIONS,
};
use settlekit_core::value::{CustomerId, SubscriptionId};

use crate::api;
use crate::form::Form;
use crate::form::body::{Fields, path_argument};
use crate::form::bulk_action::{BulkAction, BulkActions, RecordNames};
use crate::form::create_invoice::CreateInvoiceForm;
use crate::form::create_subscription::CreateSubscriptionForm;
use crate::form::failure::form_failure;
use crate::list::export::Exporter;
use crate::list::filter::{ChoiceFilter, DateFilter, Filters, TextFilter};
use crate::list::record_list::{
    EmptyState, RecordDetails, RecordDrawer, RecordList, actions_of, link_row, newest_note,
};
use crate::list::selection::Selection;
use crate::list::table::{Column, TableSpec};
use crate::record::customer::customer_name;
use crate::record::customer::{CUSTOMER, customer_label};
use crate::record::invoice::subscription_of;
use crate::record::plan::billing_interval;
use crate::shell::failure::load_failure;
use crate::shell::live::{Live, LiveBadge};
use crate::shell::load::{Loaded, load};
use crate::shell::navigation::{Location, name};
use crate::text;
use crate::ui::amount::amount;
use crate::ui::confirm::{Confirm, ConfirmTyped};
use crate::ui::copy::WholeId;
use crate::ui::facts::Facts;
use crate::ui::icon::{Icon, icon};
use crate::ui::notice::{Notice, Tone};
use crate::ui::own_data::own_data;
use crate::ui::page_head::PageHead;
use crate::ui::status::status_badge;
use crate::ui::timestamp::timestamp;
use crate::ui::toast::Toasts;

const STATUS: &str = "status";
const FILTERS: &[&str] = &[CUSTOMER, STATUS, name::SINCE, name::UNTIL, name::SORT];

/// The customer's name, else e-mail address, else id.
fn named(subscription: &Subscription) -> String {
    subscription
        .customer
        .as_ref()
        .and_then(|customer| customer.name.clone().or_else(|| customer.email.clone()))
        .unwrap_or_else(|| subscription.customer_id.to_string())
}

/// Status badge with overdue and cancellation flags.
fn status_of(subscription: &Subscription) -> AnyView {
    let overdue = subscription
        .is_overdue
        .then(|| status_badge("Overdue", None));
    let ends = subscription
        .cancel_at_period_end
        .then(|| view! { <small>{text::ends_with_period()}</small> });
    view! { <span class="row tight">{status_badge(subscription.status.as_str(), None)}{overdue}</span>{ends} }.into_any()
}

fn bought(subscription: &Subscription) -> String {
    let mut names = subscription
        .items
        .iter()
        .filter_map(|item| item.plan.as_ref().map(|plan| plan.name.as_str()));
    match names.next() {
        Some(first) => text::and_more(first, subscription.items.len() - 1),
        None => text::no_items().to_owned(),
    }
}

fn table_spec() -> TableSpec<Subscription> {
    TableSpec {
        caption: text::subscriptions(),
        columns: vec![
            Column::new(text::customer(), "title", |subscription| {
                customer_name(subscription.customer.as_ref(), subscription.customer_id).into_any()
            }),
            Column::new(text::status(), "", status_of),
            Column::new(text::items(), "grow quiet skip-narrow", |subscription| {
                bought(subscription).into_any()
            }),
            Column::new(text::reference(), "quiet skip-narrow", |subscription| {
                subscription.reference.clone().into_any()
            }),
            Column::new(text::starts(), "fit second", |subscription| {
                timestamp(subscription.start_at).into_any()
            }),
        ],
        id: |subscription| subscription.id.to_string(),
    }
}

fn actions() -> Vec<BulkAction> {
    const ID: &str = "subscription_id";
    vec![
        BulkAction::new::<PauseSubscription>(
            text::pause_together(),
            text::pause_together_why(),
            ID,
        ),
        BulkAction::new::<ResumeSubscription>(
            text::resume_together(),
            text::resume_together_why(),
            ID,
        ),
        BulkAction::with_body::<CancelSubscription>(
            text::end_together(),
            text::end_together_why(),
            ID,
            Some(serde_json::json!({ "at_period_end": true })),
        )
        .irreversible(),
    ]
}

#[component]
pub(crate) fn Subscriptions() -> impl IntoView {
    let location = Location::from_context();
    let ask = move |list| {
        Some(api::with_query::<ListSubscriptions>(
            ListSubscriptionsQuery {
                list,
                customer_id: location.param(CUSTOMER),
                status: location.param(STATUS),
            },
        ))
    };
    let subscriptions = load(move || ask(location.list()));
    let selection = Selection::default();
    let names = RecordNames::of(subscriptions, |subscription| {
        let who = customer_name(subscription.customer.as_ref(), subscription.customer_id);
        let name = format!("{who} · {}", bought(subscription));
        (subscription.id.to_string(), name)
    });
    view! {
        <div class="page">
            <PageHead title=text::subscriptions() lead=text::subscriptions_lead()>
                <LiveBadge />
                <a data-scope="write" class="button primary" href="/subscriptions/new">{icon(Icon::Plus)}{text::create_subscription()}</a>
            </PageHead>
            <Filters names=FILTERS label=customer_label(location)>
                <TextFilter label=text::customer() name=CUSTOMER hint="cus_…" />
                <ChoiceFilter label=text::status() name=STATUS words=SubscriptionStatus::KNOWN />
                <DateFilter />
            </Filters>
            <BulkActions selection=selection names=names actions=actions() />
            <RecordList
                spec=table_spec() page=subscriptions.state busy=subscriptions.busy retry=subscriptions.retry() filters=FILTERS selection=selection export=(Exporter::of(ask), "subscriptions")
                empty=EmptyState { picture: Icon::Turning, title: text::no_subscriptions(), text: text::no_subscriptions_lesson(), step: ("/subscriptions/new", text::create_subscription()) }
            />
            <RecordDrawer title=text::subscription()><OneSubscription /></RecordDrawer>
        </div>
    }
}

#[component]
fn OneSubscription() -> impl IntoView {
    let location = Location::from_context();
    let subscription = load::<GetSubscription>(move || {
        let subscription_id = location.param::<SubscriptionId>(name::OPEN)?;
        Some(api::at(GetSubscriptionPath { subscription_id }))
    });
    let ready = subscription.ready();
    let id = Memo::new(move |_| ready.with(|ready| ready.as_ref().map(|ready| ready.id)));
    let customer =
        Memo::new(move |_| ready.with(|ready| ready.as_ref().map(|ready| ready.customer_id)));
    // The service lists invoices by customer; the subscription is a property of each.
    let invoices = load::<ListInvoices>(move || {
        Some(api::with_query(ListInvoicesQuery {
            list: ListQuery::default(),
            customer_id: Some(customer.get()?),
            payment_status: None,
        }))
    });
    let mine = Memo::new(move |_| {
        let id = id.get().map(|id| id.to_string());
        invoices.state.with(|invoices| {
            let page = invoices.ready()?;
            let all = page.items.iter();
            Some(
                all.filter(|invoice| subscription_of(invoice).map(str::to_owned) == id)
                    .cloned()
                    .collect::<Vec<_>>(),
            )
        })
    });
    let is_whole = move || {
        let next = |page: &Page<Invoice>| page.next.is_none();
        invoices.state.with(|page| page.ready().is_some_and(next))
    };
    let known = Signal::derive(move || {
        invoices.state.with(|invoices| {
            invoices
                .ready()
                .map(|page| page.items.clone())
                .unwrap_or_default()
        })
    });
    view! {
        <Show when=move || location.get(name::MADE).is_some()><Notice tone=Tone::Good title=text::subscription_made()>{text::subscription_made_why()}</Notice></Show>
        <RecordDetails loaded=subscription show=details />
        {actions_of(ready, |one| one.id, move || view! { <Actions loaded=subscription ready=ready /> }.into_any())}
        <section class="stack-tight">
            <h3 class="section-title">{text::invoices()}</h3>
            {load_failure(invoices)}
            {move || mine.get().map(|mine| invoices_view(&mine, is_whole()))}
            {newest_note(invoices)}
        </section>
        {move || id.get().map(|id| view! { <CreateInvoiceForm id=id known=known /> })}
    }
}

/// An empty list is reported only if all invoices were read.
fn invoices_view(invoices: &[Invoice], is_whole: bool) -> AnyView {
    if invoices.is_empty() && is_whole {
        return view! { <p class="quiet">{text::no_invoices()}</p> }.into_any();
    }
    let rows = invoices
        .iter()
        .map(|invoice| {
            view! {
                <li class="row">
                    <a href=format!("/invoices?open={}", invoice.id)>{timestamp(invoice.due_at)}</a>
                    {status_badge(invoice.payment_status.as_str(), None)}
                    <span class="push">{amount(&invoice.amount, invoice.currency.as_str())}</span>
                </li>
            }
        })
        .collect_view();
    view! { <ul class="timeline">{rows}</ul> }.into_any()
}

fn details(subscription: &Subscription) -> AnyView {
    let customer = subscription.customer_id.to_string();
    let facts = Facts::default()
        .with(
            text::subscription_id(),
            view! { <WholeId id=subscription.id.to_string() what=text::subscription() /> },
        )
        .with(
            text::customer(),
            view! { <WholeId id=customer.clone() what=text::customer() /> },
        )
        .maybe(
            text::reference(),
            subscription.reference.clone(),
            |reference| reference,
        )
        .with(text::currency(), subscription.currency.to_string())
        .with(
            text::payment_method(),
            text::words(subscription.payment_method.as_str()),
        )
        .with(text::starts(), timestamp(subscription.start_at))
        .with(text::created(), timestamp(subscription.created_at));
    let items = subscription
        .items
        .iter()
        .map(|item| {
            let plan = item.plan.as_ref().map(|plan| {
                view! {
                    <a href=format!("/plans?open={}", plan.id)>{plan.name.clone()}</a>
                    <span class="quiet">{billing_interval(plan)}</span>
                    <span class="push">{amount(&plan.price, plan.currency.as_str())}</span>
                }
            });
            view! { <li class="row">{plan}</li> }
        })
        .collect_view();
    view! {
        <div class="lede"><strong>{customer_name(subscription.customer.as_ref(), subscription.customer_id)}</strong>{status_of(subscription)}</div>
        <section class="stack-tight"><h3 class="section-title">{text::items()}</h3><ul class="timeline">{items}</ul></section>
        {facts.view()}
        {own_data(&subscription.metadata, &[])}
        {link_row(vec![
            (format!("/customers?open={customer}"), Icon::People, text::open_customer()),
            (format!("/invoices?customer_id={customer}"), Icon::Invoice, text::invoices_of_customer()),
        ])}
    }
    .into_any()
}

/// Action on a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Pause,
    Resume,
    EndNow,
    EndLater,
    Keep,
}

impl Action {
    const ALL: [Self; 5] = [
        Self::Pause,
        Self::Resume,
        Self::Keep,
        Self::EndLater,
        Self::EndNow,
    ];

    /// Whether the status allows the action, by the table of transitions.
    fn is_open(self, subscription: &Subscription) -> bool {
        let may = |to| TRANSITIONS.allows(&subscription.status, &to);
        match self {
            Self::Pause => may(SubscriptionStatus::Paused),
            Self::Resume => subscription.status == SubscriptionStatus::Paused,
            Self::EndNow => may(SubscriptionStatus::Canceled),
            Self::EndLater => {
                !subscription.cancel_at_period_end
                    && matches!(
                        subscription.status,
                        SubscriptionStatus::Active | SubscriptionStatus::InTrial
                    )
            }
            Self::Keep => subscription.cancel_at_period_end,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Pause => text::pause(),
            Self::Resume => text::resume(),
            Self::EndNow => text::end_now(),
            Self::EndLater => text::end_later(),
            Self::Keep => text::keep(),
        }
    }

    /// Confirmation question and consequence; none for actions that undo another.
    fn question(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Pause => Some((text::pause_ask(), text::pause_why())),
            Self::Resume => Some((text::resume_ask(), text::resume_why())),
            Self::EndNow => Some((text::end_now_ask(), text::end_now_why())),
            Self::EndLater => Some((text::end_later_ask(), text::end_later_why())),
            Self::Keep => None,
        }
    }

    fn done(self) -> &'static str {
        match self {
            Self::Pause => text::paused(),
            Self::Resume => text::resumed(),
            Self::EndNow => text::subscription_canceled(),
            Self::EndLater => text::subscription_ends(),
            Self::Keep => text::kept(),
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::EndNow | Self::EndLater => "button danger",
            _ => "button",
        }
    }
}

#[component]
fn Actions(loaded: Loaded<Subscription>, ready: Memo<Option<Subscription>>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::from_context(), Live::from_context());
    let confirming: RwSignal<Option<Action>> = RwSignal::new(None);
    let open = RwSignal::new(false);
    let may = Memo::new(move |_| {
        ready.with(|subscription| {
            let subscription = subscription.as_ref();
            Action::ALL
                .into_iter()
                .filter(|act| subscription.is_some_and(|subscription| act.is_open(subscription)))
                .collect::<Vec<_>>()
        })
    });
    let run = move |act: Action| {
        let Some(id) = ready.with_untracked(|ready| ready.as_ref().map(|ready| ready.id)) else {
            return;
        };
        let path = path_argument("subscription_id", id);
        // `true` can be withdrawn later; without the field, the subscription ends immediately.
        let with_period = |at_period_end: bool| Arguments {
            body: Some(
                Fields::default()
                    .value("at_period_end", at_period_end.into())
                    .object(),
            ),
            ..path.clone()
        };
        let done = move |subscription: Subscription| {
            loaded.put(subscription);
            toasts.say(act.done().to_owned());
            live.refresh();
        };
        match act {
            Action::Pause => form.send::<PauseSubscription>(path, done),
            Action::Resume => form.send::<ResumeSubscription>(path, done),
            Action::EndNow => form.send::<CancelSubscription>(path, done),
            Action::EndLater => form.send::<CancelSubscription>(with_period(true), done),
            Action::Keep => form.send::<CancelSubscription>(with_period(false), done),
        }
    };
    let press = move |act: Action| {
        if act.question().is_some() {
            confirming.set(Some(act));
            open.set(true);
        } else {
            run(act);
        }
    };
    let confirmed = Callback::new(move |()| {
        open.set(false);
        if let Some(act) = confirming.get_untracked() {
            run(act);
        }
    });
    let name = Signal::derive(move || {
        ready.with(|subscription| subscription.as_ref().map(named).unwrap_or_default())
    });
    let question = move || {
        confirming
            .get()
            .and_then(Action::question)
            .unwrap_or_default()
    };
    view! {
        {form_failure(form)}
        <Show when=move || !may.with(Vec::is_empty)>
            <div class="row">
                {move || may.get().into_iter().map(|act| view! {
                    <button data-scope="write" type="button" class=act.class() disabled=form.busy on:click=move |_| press(act)>{act.words()}</button>
                }).collect_view()}
            </div>
        </Show>
        {move || confirming.get().map(|act| {
            let title = Signal::derive(move || question().0.to_owned());
            let consequence = Signal::derive(move || question().1.to_owned());
            match act {
                Action::EndNow => view! {
                    <ConfirmTyped open=open title=title consequence=consequence name=name act=act.words() busy=form.busy on_confirm=confirmed />
                }.into_any(),
                _ => view! {
                    <Confirm open=open title=title consequence=consequence act=act.words() busy=form.busy on_confirm=confirmed />
                }.into_any(),
            }
        })}
    }
}

#[component]
pub(crate) fn NewSubscription() -> impl IntoView {
    let (location, live) = (Location::from_context(), Live::from_context());
    let chosen = Memo::new(move |_| location.param::<CustomerId>(CUSTOMER));
    let done = Callback::new(move |subscription: Subscription| {
        live.refresh();
        location.go(
            &format!("/subscriptions?made=1&open={}", subscription.id),
            false,
        );
    });
    view! {
        <div class="page">
            <PageHead title=text::create_subscription() lead=text::create_subscription_lead() />
            {move || view! { <CreateSubscriptionForm chosen=chosen.get() done=done /> }}
        </div>
    }
}
