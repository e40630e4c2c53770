//! Plans with price and billing interval.

use leptos::prelude::*;
use settlekit_core::plan::{GetPlan, GetPlanPath, ListPlans, Plan};

use crate::api;
use crate::form::create_plan::CreatePlanForm;
use crate::list::{
    Column, CreatedNotice, DATE_FILTERS, EmptyState, FilterBar, FilterSpec, RecordDetails,
    RecordDrawer, RecordList, TableSpec, exact, link_row, load_list, load_opened,
};
use crate::record::plan::{billing_interval, quantity, status};
use crate::shell::{Live, LiveBadge, Location};
use crate::text;
use crate::ui::{Facts, Icon, PageHead, amount, icon, own_data, status_badge};

fn status_of(plan: &Plan) -> AnyView {
    status_badge(status(plan), None).into_any()
}

fn columns() -> TableSpec<Plan> {
    TableSpec {
        caption: text::plans(),
        columns: vec![
            Column::text(text::name(), "grow title", |plan| Some(plan.name.clone())),
            Column::exact(text::price(), "end", |plan| {
                exact(plan.price, plan.currency.as_str())
            }),
            Column::text(text::billed(), "second", |plan| {
                Some(billing_interval(plan))
            }),
            Column::text(text::trial(), "quiet skip-narrow", |plan| {
                Some(
                    plan.trial_period
                        .as_deref()
                        .map_or_else(|| text::no_trial().to_owned(), text::period),
                )
            }),
            Column::new(text::status(), "skip-narrow", status_of),
            Column::time(text::when(), "fit second", |plan| Some(plan.created_at)),
        ],
        id: |plan| plan.id.to_string(),
    }
}

#[component]
pub(crate) fn Plans() -> impl IntoView {
    let plans = load_list("plans", |list| Some(api::with_query::<ListPlans>(list)));
    view! {
        <div class="page">
            <PageHead title=text::plans() lead=text::plans_lead()>
                <LiveBadge />
                <a data-scope="write" class="button primary" href="/plans/new">{icon(Icon::Plus)}{text::create_plan()}</a>
            </PageHead>
            <FilterBar filters=FilterSpec::by_date() />
            <RecordList
                spec=columns() list=plans filters=DATE_FILTERS
                empty=EmptyState { picture: Icon::Plan, title: text::no_plans(), text: text::no_plans_hint(), step: ("/plans/new", text::create_plan()) }
            />
            <RecordDrawer title=text::plan()>
                <CreatedNotice title=text::plan_made() why=text::plan_made_why() />
                <RecordDetails loaded={load_opened::<GetPlan, _>(|plan_id| GetPlanPath { plan_id })} show=details />
            </RecordDrawer>
        </div>
    }
}

fn details(plan: &Plan) -> AnyView {
    let facts = Facts::default()
        .id(text::plan(), plan.id.to_string())
        .with(text::billed(), billing_interval(plan))
        .maybe(text::trial(), plan.trial_period.as_deref(), text::period)
        .text(text::description(), plan.description.clone())
        .text(text::picture(), plan.image_url.clone())
        .text(text::reference(), plan.reference.clone())
        .text(text::left(), quantity(plan.available_quantity))
        .text(text::held(), quantity(plan.held_quantity))
        .time(text::expires(), plan.expires_at)
        .maybe(text::source(), plan.source.as_ref(), |source| {
            text::words(source.as_str())
        })
        .time(text::created(), plan.created_at)
        .time(text::deleted(), plan.deleted_at);
    let link = plan.payment_link.as_ref().map(|link| {
        let to = format!("/paylinks?open={}", link.id);
        (to, Icon::Link, text::open_paylink())
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
            <PageHead title=text::create_plan() lead=text::create_plan_lead() above=("/plans", text::plans()) />
            <CreatePlanForm done=done />
        </div>
    }
}
