//! Subscriptions and their actions.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::invoice::{Invoice, ListInvoices, ListInvoicesQuery};
use settlekit_core::note::NotedRecord;
use settlekit_core::subscription::{
    CancelSubscription, GetSubscription, GetSubscriptionPath, ListSubscriptions,
    ListSubscriptionsQuery, PauseSubscription, ResumeSubscription, Subscription,
    SubscriptionStatus, TRANSITIONS,
};
use settlekit_core::value::{CustomerId, SubscriptionId, Timestamp};

use crate::api;
use crate::form::create_invoice::CreateInvoiceForm;
use crate::form::create_subscription::CreateSubscriptionForm;
use crate::form::notes::Notes;
use crate::form::{
    BulkAction, BulkActions, Fields, Form, RecordNames, form_failure, path_argument,
};
use crate::list::{
    Column, CreatedNotice, EmptyState, FilterBar, FilterSpec, RecordDetails, RecordDrawer,
    RecordList, Selection, StatusTab, StatusTabs, TableSpec, actions_of, copy_acts, counts_of,
    link_row, load_counted_list, load_opened, newest_note,
};
use crate::record::customer::{CUSTOMER, CUSTOMERS, customer_name};
use crate::record::plan::billing_interval;
use crate::shell::{Live, LiveBadge, Loaded, Location, load, load_failure, name};
use crate::text;
use crate::ui::{
    Confirm, Facts, Icon, PageHead, Toasts, amount, icon, own_data, status_badge, status_badge_as,
    timestamp,
};

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

fn customer_of(subscription: &Subscription) -> String {
    customer_name(subscription.customer.as_ref(), subscription.customer_id)
}

/// Status badge with overdue and cancellation flags.
fn status_of(subscription: &Subscription) -> AnyView {
    let word = subscription.status.as_str();
    let status = status_badge_as(word, text::subscription_status(word));
    let overdue = subscription
        .is_overdue
        .then(|| status_badge("Overdue", None));
    let ends = subscription
        .cancel_at_period_end
        .then(|| view! { <small>{text::ends_with_period()}</small> });
    view! { <span class="row tight">{status}{overdue}</span>{ends} }.into_any()
}

fn plan_names(subscription: &Subscription) -> String {
    let mut names = subscription
        .items
        .iter()
        .filter_map(|item| item.plan.as_ref().map(|plan| plan.name.as_str()));
    match names.next() {
        Some(first) => text::and_more(first, subscription.items.len() - 1),
        None => text::no_items().to_owned(),
    }
}

/// Time of the next invoice; none if the subscription ends before it.
fn next_invoice(subscription: &Subscription) -> Option<Timestamp> {
    let issues = !subscription.cancel_at_period_end;
    subscription.period_end.filter(|_| issues)
}

/// A time that many subscriptions do not have.
fn time_of(at: Option<Timestamp>) -> AnyView {
    at.map(timestamp).into_any()
}

fn table_spec() -> TableSpec<Subscription> {
    TableSpec {
        caption: text::subscriptions(),
        columns: vec![
            Column::text(text::customer(), "title", |subscription| {
                Some(customer_of(subscription))
            }),
            Column::new(text::status(), "", status_of),
            Column::text(text::items(), "grow quiet skip-narrow", |subscription| {
                Some(plan_names(subscription))
            }),
            Column::text(text::reference(), "quiet skip-narrow", |subscription| {
                subscription.reference.clone()
            }),
            Column::new(text::next_invoice(), "fit named", |subscription| {
                time_of(next_invoice(subscription))
            }),
            Column::new(text::trial_ends(), "fit skip-narrow", |subscription| {
                time_of(subscription.trial_ends_at)
            }),
            Column::time(text::starts(), "fit second", |subscription| {
                Some(subscription.start_at)
            }),
        ],
        id: |subscription| subscription.id.to_string(),
    }
}

fn path(id: impl ToString) -> Arguments {
    path_argument("subscription_id", id)
}

/// `true` can be withdrawn later; without the field, a subscription ends immediately.
fn cancellation(id: impl ToString, at_period_end: bool) -> Arguments {
    Fields::default()
        .any_value("at_period_end", at_period_end.into())
        .body_at("subscription_id", id)
}

fn actions() -> Vec<BulkAction> {
    let (pause, resume) = (text::pause(), text::resume());
    let end = text::end_later();
    vec![
        BulkAction::new::<PauseSubscription>(pause, text::pause_together_why(), |id| path(id)),
        BulkAction::new::<ResumeSubscription>(resume, text::resume_together_why(), |id| path(id)),
        BulkAction::new::<CancelSubscription>(end, text::end_together_why(), |id| {
            cancellation(id, true)
        })
        .irreversible(),
    ]
}

#[component]
pub(crate) fn Subscriptions() -> impl IntoView {
    let location = Location::from_context();
    let subscriptions = load_counted_list("subscriptions", move |list, counts| {
        Some(api::with_query::<ListSubscriptions>(
            ListSubscriptionsQuery {
                list,
                customer_id: location.param(CUSTOMER),
                status: location.param(STATUS),
                counts,
            },
        ))
    });
    let statuses = SubscriptionStatus::KNOWN.iter();
    let statuses = statuses.map(|word| ((*word).to_owned(), text::subscription_status(word)));
    let statuses = Signal::stored(statuses.collect::<Vec<_>>());
    let mut filters = vec![
        FilterSpec::options(text::status(), STATUS, statuses, text::any())
            .in_tabs(SubscriptionStatus::KNOWN),
        FilterSpec::picker(text::customer(), CUSTOMER, CUSTOMERS, Icon::People),
    ];
    filters.extend(FilterSpec::by_date());
    let tabs = StatusTab::each(
        STATUS,
        SubscriptionStatus::KNOWN,
        text::subscription_status,
        counts_of(&subscriptions),
    );
    let selection = Selection::default();
    let names = RecordNames::of(subscriptions.page, |subscription| {
        let name = format!(
            "{} · {}",
            customer_of(subscription),
            plan_names(subscription)
        );
        (subscription.id.to_string(), name)
    });
    view! {
        <div class="page">
            <PageHead title=text::subscriptions() lead=text::subscriptions_lead()>
                <LiveBadge />
                <a data-scope="write" class="button primary" href="/subscriptions/new">{icon(Icon::Plus)}{text::create_subscription()}</a>
            </PageHead>
            <StatusTabs label=text::status() tabs=tabs />
            <FilterBar filters=filters />
            <BulkActions selection=selection names=names actions=actions() />
            <RecordList
                spec=table_spec() list=subscriptions filters=FILTERS selection=selection
                empty=EmptyState { picture: Icon::Turning, title: text::no_subscriptions(), text: text::no_subscriptions_hint(), step: ("/subscriptions/new", text::create_subscription()) }
            />
            <RecordDrawer title=text::subscription()><OneSubscription /></RecordDrawer>
        </div>
    }
}

#[component]
fn OneSubscription() -> impl IntoView {
    let subscription = load_opened::<GetSubscription, _>(|subscription_id| GetSubscriptionPath {
        subscription_id,
    });
    let id = Memo::new(move |_| subscription.read(|one| one.id));
    let invoices = load::<ListInvoices>(move || {
        Some(api::with_query(ListInvoicesQuery {
            subscription_id: Some(id.get()?),
            ..ListInvoicesQuery::default()
        }))
    });
    let listed = Memo::new(move |_| invoices.read(|page| page.items.clone()));
    let known = Signal::derive(move || listed.get().unwrap_or_default());
    view! {
        <CreatedNotice title=text::subscription_made() why=text::subscription_made_why() />
        {move || subscription.read(lede)}
        {actions_of(subscription, |one| one.id, move |id| view! { <Acts id=id loaded=subscription /> }.into_any())}
        <RecordDetails loaded=subscription show=details />
        <section class="stack-tight">
            <h3 class="section-title">{text::invoices()}</h3>
            {load_failure(invoices)}
            {move || listed.get().map(|listed| invoices_view(&listed))}
            {newest_note(invoices)}
        </section>
        {move || id.get().map(|id| view! {
            <Notes record=NotedRecord::Subscription id=id.to_string() />
            <CreateInvoiceForm id=id known=known />
        })}
    }
}

fn invoices_view(invoices: &[Invoice]) -> AnyView {
    if invoices.is_empty() {
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

fn lede(subscription: &Subscription) -> AnyView {
    view! { <div class="lede"><strong>{customer_of(subscription)}</strong>{status_of(subscription)}</div> }
        .into_any()
}

fn details(subscription: &Subscription) -> AnyView {
    let customer = subscription.customer_id.to_string();
    let facts = Facts::default()
        .id(text::subscription(), subscription.id.to_string())
        .id(text::customer(), customer.clone())
        .text(text::reference(), subscription.reference.clone())
        .with(text::currency(), subscription.currency.to_string())
        .with(
            text::payment_method(),
            text::words(subscription.payment_method.as_str()),
        )
        .time(text::starts(), subscription.start_at)
        .time(text::trial_ends(), subscription.trial_ends_at)
        .time(text::next_invoice(), next_invoice(subscription))
        .time(
            text::ends(),
            subscription
                .period_end
                .filter(|_| subscription.cancel_at_period_end),
        )
        .time(text::created(), subscription.created_at);
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
        <section class="stack-tight"><h3 class="section-title">{text::items()}</h3><ul class="timeline">{items}</ul></section>
        {facts.view()}
        {own_data(&subscription.metadata, &[])}
        {link_row(vec![
            (format!("/customers?open={customer}"), Icon::People, text::open_customer()),
            (format!("/invoices?subscription_id={}", subscription.id), Icon::Invoice, text::invoices()),
        ])}
    }
    .into_any()
}

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
                let runs = [SubscriptionStatus::Active, SubscriptionStatus::InTrial];
                !subscription.cancel_at_period_end && runs.contains(&subscription.status)
            }
            Self::Keep => subscription.cancel_at_period_end,
        }
    }

    /// Button; confirmation question and consequence, unless it undoes another action; message when done.
    fn texts(self) -> (&'static str, Option<[&'static str; 2]>, &'static str) {
        use text::*;
        match self {
            Self::Pause => (pause(), Some([pause_ask(), pause_why()]), paused()),
            Self::Resume => (resume(), Some([resume_ask(), resume_why()]), resumed()),
            Self::EndNow => {
                let question = [end_now_ask(), end_now_why()];
                (end_now(), Some(question), subscription_canceled())
            }
            Self::EndLater => {
                let question = [end_later_ask(), end_later_why()];
                (end_later(), Some(question), ends_with_period())
            }
            Self::Keep => (keep(), None, kept()),
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
fn Acts(id: SubscriptionId, loaded: Loaded<Subscription>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::from_context(), Live::from_context());
    let confirming: RwSignal<Option<Action>> = RwSignal::new(None);
    let open = RwSignal::new(false);
    let may = Memo::new(move |_| {
        let acts: Option<Vec<Action>> = loaded.read(|one| {
            let acts = Action::ALL.into_iter();
            acts.filter(|act| act.is_open(one)).collect()
        });
        acts.unwrap_or_default()
    });
    let run = move |act: Action| {
        let done = move |subscription: Subscription| {
            loaded.put(subscription);
            toasts.say(act.texts().2.to_owned());
            live.refresh();
        };
        match act {
            Action::Pause => form.send::<PauseSubscription>(path(id), done),
            Action::Resume => form.send::<ResumeSubscription>(path(id), done),
            Action::EndNow => form.send::<CancelSubscription>(path(id), done),
            Action::EndLater => form.send::<CancelSubscription>(cancellation(id, true), done),
            Action::Keep => form.send::<CancelSubscription>(cancellation(id, false), done),
        }
    };
    let press = move |act: Action| {
        if act.texts().1.is_some() {
            confirming.set(Some(act));
            open.set(true);
        } else {
            run(act);
        }
    };
    let confirmed = Callback::new(move |()| {
        if let Some(act) = confirming.get_untracked() {
            run(act);
        }
    });
    let name = Signal::derive(move || loaded.read(named).unwrap_or_default());
    let question = move || {
        confirming
            .get()
            .and_then(|act| act.texts().1)
            .unwrap_or_default()
    };
    view! {
        {form_failure(form)}
        <div class="row">
            {move || may.get().into_iter().map(|act| view! {
                <button data-scope="write" type="button" class=act.class() disabled=form.busy on:click=move |_| press(act)>{act.texts().0}</button>
            }).collect_view()}
            {copy_acts::<GetSubscription>(&format!("/subscriptions?open={id}"), GetSubscriptionPath { subscription_id: id })}
        </div>
        {move || confirming.get().map(|act| {
            let title = Signal::derive(move || question()[0].to_owned());
            let consequence = Signal::derive(move || question()[1].to_owned());
            match act {
                Action::EndNow => view! {
                    <Confirm open=open title=title consequence=consequence name=name act=act.texts().0 busy=form.busy on_confirm=confirmed />
                }.into_any(),
                _ => view! {
                    <Confirm open=open title=title consequence=consequence act=act.texts().0 busy=form.busy on_confirm=confirmed />
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
            <PageHead title=text::create_subscription() lead=text::create_subscription_lead() above=("/subscriptions", text::subscriptions()) />
            {move || view! { <CreateSubscriptionForm chosen=chosen.get() done=done /> }}
        </div>
    }
}
