//! Plans: what can be bought, what it costs and how often.

use leptos::prelude::*;
use settlekit_core::plan::{GetPlan, GetPlanPath, ListPlans, Plan};
use settlekit_core::value::{Param, PlanId};

use crate::api;
use crate::form::create_plan::CreatePlanForm;
use crate::live::Live;
use crate::load::load;
use crate::part::PageHead;
use crate::part::amount::{amount, count_text};
use crate::part::copy::WholeId;
use crate::part::export::Exporter;
use crate::part::facts::Facts;
use crate::part::filter::{Days, Filters};
use crate::part::icon::{Icon, icon};
use crate::part::list::{Lesson, List, Opened, Record, ways};
use crate::part::moment::moment;
use crate::part::notice::{Notice, Tone};
use crate::part::state::state;
use crate::part::table::{Column, Exact, Plan as Table};
use crate::place::{Place, name};
use crate::text;

const FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];
/// Set after a plan was made: the drawer then says so.
const MADE: &str = "made";

/// How often a plan is paid, for people.
pub(crate) fn rhythm(plan: &Plan) -> String {
    text::rhythm(
        plan.recurring_interval.as_str(),
        plan.recurring_interval_count,
    )
}

fn standing(plan: &Plan) -> AnyView {
    let word = if plan.deleted_at.is_some() {
        "Deleted"
    } else if plan.enabled {
        "Open"
    } else {
        "Disabled"
    };
    state(word, None).into_any()
}

fn columns() -> Table<Plan> {
    Table {
        caption: text::PLANS,
        columns: vec![
            Column::new(text::NAME, "grow title", |plan| {
                plan.name.clone().into_any()
            }),
            Column::exact(text::PRICE, "end", |plan| {
                Some(Exact {
                    amount: plan.price,
                    currency: plan.currency.as_str(),
                    out: None,
                })
            }),
            Column::new(text::BILLED, "second", |plan| rhythm(plan).into_any()),
            Column::new(text::TRIAL, "quiet skip-narrow", |plan| {
                plan.trial_period
                    .as_deref()
                    .map_or_else(|| text::NO_TRIAL.to_owned(), text::period)
                    .into_any()
            }),
            Column::new(text::STATUS, "skip-narrow", standing),
            Column::new(text::WHEN, "fit second", |plan| {
                moment(plan.created_at).into_any()
            }),
        ],
        id: |plan| plan.id.to_string(),
    }
}

#[component]
pub(crate) fn Plans() -> impl IntoView {
    let place = Place::here();
    let ask = move |list| Some(api::asking::<ListPlans>(list));
    let plans = load(move || ask(place.list()));
    view! {
        <div class="page">
            <PageHead title=text::PLANS lead=text::PLANS_LEAD>
                <a class="button primary" href="/plans/new">{icon(Icon::Plus)}{text::CREATE_PLAN}</a>
            </PageHead>
            <Filters names=FILTERS><Days /></Filters>
            <List
                plan=columns() page=plans.state busy=plans.busy retry=plans.retry() filters=FILTERS export=(Exporter::of(ask), "plans")
                lesson=Lesson { picture: Icon::Plan, title: text::NO_PLANS, lesson: text::NO_PLANS_LESSON, step: ("/plans/new", text::CREATE_PLAN) }
            />
            <Opened title=text::PLAN with=&[MADE]><OnePlan /></Opened>
        </div>
    }
}

#[component]
fn OnePlan() -> impl IntoView {
    let place = Place::here();
    let plan = load::<GetPlan>(move || {
        let plan_id = PlanId::from_text(&place.get(name::OPEN)?).ok()?;
        Some(api::at(GetPlanPath { plan_id }))
    });
    view! {
        <Show when=move || place.get(MADE).is_some()><Notice tone=Tone::Good title=text::PLAN_MADE>{text::PLAN_MADE_WHY}</Notice></Show>
        <Record loaded=plan show=details />
    }
}

fn details(plan: &Plan) -> AnyView {
    let plain = |value: String| value;
    let facts = Facts::default()
        .with(
            text::PLAN_ID,
            view! { <WholeId id=plan.id.to_string() what=text::PLAN /> },
        )
        .with(text::BILLED, rhythm(plan))
        .maybe(text::TRIAL, plan.trial_period.as_deref(), text::period)
        .maybe(text::DESCRIPTION, plan.description.clone(), plain)
        .maybe(text::PICTURE, plan.image_url.clone(), plain)
        .maybe(text::REFERENCE, plan.reference.clone(), plain)
        .maybe(text::LEFT, plan.available_quantity, |left| {
            count_text(left.unsigned_abs())
        })
        .maybe(text::EXPIRES, plan.expires_at, moment)
        .maybe(text::SOURCE, plan.source.as_ref(), |source| {
            text::words(source.as_str())
        })
        .with(text::CREATED, moment(plan.created_at))
        .maybe(text::DELETED, plan.deleted_at, moment);
    let link = plan.payment_link.as_ref().map(|link| {
        (
            format!("/paylinks?open={}", link.id),
            Icon::Link,
            text::OPEN_PAYLINK,
        )
    });
    view! {
        <div class="lede"><strong>{plan.name.clone()}</strong>{amount(&plan.price, plan.currency.as_str())}{standing(plan)}</div>
        {facts.view()}
        {ways(link.into_iter().collect())}
    }
    .into_any()
}

/// Making a plan.
#[component]
pub(crate) fn NewPlan() -> impl IntoView {
    let (place, live) = (Place::here(), Live::here());
    let done = Callback::new(move |plan: Plan| {
        live.poke();
        place.go(&format!("/plans?made=1&open={}", plan.id), false);
    });
    view! {
        <div class="page">
            <PageHead title=text::CREATE_PLAN lead=text::CREATE_PLAN_LEAD />
            <CreatePlanForm done=done />
        </div>
    }
}
