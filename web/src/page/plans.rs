//! Plans with price and billing interval.

use leptos::prelude::*;
use settlekit_core::plan::{GetPlan, GetPlanPath, ListPlans, Plan};
use settlekit_core::value::PlanId;

use crate::api;
use crate::form::create_plan::CreatePlanForm;
use crate::list::export::Exporter;
use crate::list::filter::{DateFilter, Filters};
use crate::list::record_list::{EmptyState, RecordDetails, RecordDrawer, RecordList, link_row};
use crate::list::table::{Column, ExactAmount, TableSpec};
use crate::record::plan::billing_interval;
use crate::shell::live::{Live, LiveBadge};
use crate::shell::load::load;
use crate::shell::navigation::{Location, name};
use crate::text;
use crate::ui::amount::{amount, count_text};
use crate::ui::copy::WholeId;
use crate::ui::facts::Facts;
use crate::ui::icon::{Icon, icon};
use crate::ui::notice::{Notice, Tone};
use crate::ui::own_data::own_data;
use crate::ui::page_head::PageHead;
use crate::ui::status::status_badge;
use crate::ui::timestamp::timestamp;

const FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];

fn status_of(plan: &Plan) -> AnyView {
    let word = if plan.deleted_at.is_some() {
        "Deleted"
    } else if plan.enabled {
        "Open"
    } else {
        "Disabled"
    };
    status_badge(word, None).into_any()
}

fn columns() -> TableSpec<Plan> {
    TableSpec {
        caption: text::plans(),
        columns: vec![
            Column::new(text::name(), "grow title", |plan| {
                plan.name.clone().into_any()
            }),
            Column::exact(text::price(), "end", |plan| {
                Some(ExactAmount {
                    amount: plan.price,
                    currency: plan.currency.as_str(),
                    out: None,
                })
            }),
            Column::new(text::billed(), "second", |plan| {
                billing_interval(plan).into_any()
            }),
            Column::new(text::trial(), "quiet skip-narrow", |plan| {
                plan.trial_period
                    .as_deref()
                    .map_or_else(|| text::no_trial().to_owned(), text::period)
                    .into_any()
            }),
            Column::new(text::status(), "skip-narrow", status_of),
            Column::new(text::when(), "fit second", |plan| {
                timestamp(plan.created_at).into_any()
            }),
        ],
        id: |plan| plan.id.to_string(),
    }
}

#[component]
pub(crate) fn Plans() -> impl IntoView {
    let location = Location::from_context();
    let ask = move |list| Some(api::with_query::<ListPlans>(list));
    let plans = load(move || ask(location.list()));
    view! {
        <div class="page">
            <PageHead title=text::plans() lead=text::plans_lead()>
                <LiveBadge />
                <a data-scope="write" class="button primary" href="/plans/new">{icon(Icon::Plus)}{text::create_plan()}</a>
            </PageHead>
            <Filters names=FILTERS><DateFilter /></Filters>
            <RecordList
                spec=columns() page=plans.state busy=plans.busy retry=plans.retry() filters=FILTERS export=(Exporter::of(ask), "plans")
                empty=EmptyState { picture: Icon::Plan, title: text::no_plans(), text: text::no_plans_lesson(), step: ("/plans/new", text::create_plan()) }
            />
            <RecordDrawer title=text::plan()><OnePlan /></RecordDrawer>
        </div>
    }
}

#[component]
fn OnePlan() -> impl IntoView {
    let location = Location::from_context();
    let plan = load::<GetPlan>(move || {
        let plan_id = location.param::<PlanId>(name::OPEN)?;
        Some(api::at(GetPlanPath { plan_id }))
    });
    view! {
        <Show when=move || location.get(name::MADE).is_some()><Notice tone=Tone::Good title=text::plan_made()>{text::plan_made_why()}</Notice></Show>
        <RecordDetails loaded=plan show=details />
    }
}

fn details(plan: &Plan) -> AnyView {
    let plain = |value: String| value;
    let facts = Facts::default()
        .with(
            text::plan_id(),
            view! { <WholeId id=plan.id.to_string() what=text::plan() /> },
        )
        .with(text::billed(), billing_interval(plan))
        .maybe(text::trial(), plan.trial_period.as_deref(), text::period)
        .maybe(text::description(), plan.description.clone(), plain)
        .maybe(text::picture(), plan.image_url.clone(), plain)
        .maybe(text::reference(), plan.reference.clone(), plain)
        .maybe(text::left(), plan.available_quantity, |left| {
            count_text(left.unsigned_abs())
        })
        .maybe(text::held(), plan.held_quantity, |held| {
            count_text(held.unsigned_abs())
        })
        .maybe(text::expires(), plan.expires_at, timestamp)
        .maybe(text::source(), plan.source.as_ref(), |source| {
            text::words(source.as_str())
        })
        .with(text::created(), timestamp(plan.created_at))
        .maybe(text::deleted(), plan.deleted_at, timestamp);
    let link = plan.payment_link.as_ref().map(|link| {
        (
            format!("/paylinks?open={}", link.id),
            Icon::Link,
            text::open_paylink(),
        )
    });
    view! {
        <div class="lede"><strong>{plan.name.clone()}</strong>{amount(&plan.price, plan.currency.as_str())}{status_of(plan)}</div>
        {facts.view()}
        {own_data(&plan.metadata, &[])}
        {link_row(link.into_iter().collect())}
    }
    .into_any()
}

#[component]
pub(crate) fn NewPlan() -> impl IntoView {
    let (location, live) = (Location::from_context(), Live::from_context());
    let done = Callback::new(move |plan: Plan| {
        live.refresh();
        location.go(&format!("/plans?made=1&open={}", plan.id), false);
    });
    view! {
        <div class="page">
            <PageHead title=text::create_plan() lead=text::create_plan_lead() />
            <CreatePlanForm done=done />
        </div>
    }
}
