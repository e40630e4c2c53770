//! A new subscription: a customer, found by name, and recurring plans.

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::customer::{
    CustomerItem, CustomerPath, GetCustomer, ListCustomers, ListCustomersQuery,
};
use settlekit_core::operation::Scope;
use settlekit_core::page::{Limit, ListQuery};
use settlekit_core::plan::{ListPlans, Plan, PlanType};
use settlekit_core::subscription::{CreateSubscription, Subscription};
use settlekit_core::value::{CustomerId, PlanId};

use crate::api;
use crate::form::Form;
use crate::form::body::{Fields, own_data};
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, Field, LongField, TextField};
use crate::form::form_view::FormView;
use crate::form::options::{load_options, option_checkbox, options_failure};
use crate::form::timestamp_field::TimestampField;
use crate::record::plan::billing_interval;
use crate::session::Needs;
use crate::shell::failure::failure_notice;
use crate::shell::load::load;
use crate::shell::unsaved_changes::cancel_link;
use crate::text;
use crate::ui::amount::amount;
use crate::ui::field::input_id;
use crate::ui::icon::{Icon, icon};
use crate::ui::notice::Empty;
use crate::ui::timestamp::parse_local_time;

/// Number of customers offered at a time.
const OFFERED: u32 = 8;

#[component]
pub(crate) fn CreateSubscriptionForm(
    chosen: Option<CustomerId>,
    done: Callback<Subscription>,
) -> impl IntoView {
    let form = Form::new();
    let customer: RwSignal<Option<CustomerId>> = RwSignal::new(chosen);
    let picked: RwSignal<Vec<PlanId>> = RwSignal::new(Vec::new());
    let (starts, reference) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let own = RwSignal::new(String::new());
    let submit = Callback::new(move |()| {
        let metadata = match own_data(&own.get_untracked()) {
            Ok(metadata) => metadata,
            Err(line) => return form.set_error("metadata", text::no_colon(line)),
        };
        let from = starts.get_untracked();
        let from = parse_local_time(&from).map_or(from, |moment| moment.to_string());
        let plans = picked.get_untracked();
        let plans = plans.iter().map(|id| Value::from(id.to_string())).collect();
        let customer = customer.get_untracked();
        let body = Fields::default()
            .text(
                "customer_id",
                &customer.map(|id| id.to_string()).unwrap_or_default(),
            )
            .value("plan_ids", Value::Array(plans))
            .text("start_at", &from)
            .text("reference", &reference.get_untracked())
            .value("metadata", metadata)
            .body();
        form.send::<CreateSubscription>(body, move |subscription| done.run(subscription));
    });
    view! {
        <FormView form=form class="stack settings" submit=submit><Allowed scope=Scope::Write needs=Needs::Chain>
            {form_failure(form)}
            <section class="panel">
                <div class="panel-head"><h2>{text::who_buys()}</h2></div>
                <div class="panel-body"><WhoBuys form=form customer=customer /></div>
            </section>
            <section class="panel">
                <div class="panel-head"><h2>{text::what_is_bought()}</h2></div>
                <div class="panel-body"><WhatIsBought form=form picked=picked /></div>
            </section>
            <section class="panel">
                <div class="panel-body fields two">
                    <TimestampField form=form name="start_at" label=text::starts() value=starts hint=text::starts_hint() />
                    <TextField form=form name="reference" label=text::reference() value=reference hint=text::subscription_reference_hint() optional=true />
                    <LongField form=form name="metadata" label=text::own_data() value=own hint=text::own_data_hint() optional=true />
                </div>
            </section>
            <div class="row">
                <button data-scope="write" class="button primary" disabled=form.busy>{icon(Icon::Turning)}{text::create_subscription()}</button>
                {cancel_link("/subscriptions")}
            </div>
        </Allowed></FormView>
    }
}

/// Customer selection with search.
#[component]
fn WhoBuys(form: Form, customer: RwSignal<Option<CustomerId>>) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let found = load::<ListCustomers>(move || {
        let search = typed.get().trim().to_owned();
        customer.get().is_none().then(|| {
            api::with_query(ListCustomersQuery {
                list: ListQuery {
                    limit: Limit::new(OFFERED),
                    ..ListQuery::default()
                },
                search: (!search.is_empty()).then_some(search),
                visit_type: None,
            })
        })
    });
    let record = load::<GetCustomer>(move || {
        let customer_id = customer.get()?;
        Some(api::at(CustomerPath { customer_id }))
    });
    let (of_list, of_record) = (found.failed(), record.failed());
    let failed = Memo::new(move |_| of_list.get().or_else(|| of_record.get()));
    let (list_again, record_again) = (found.retry(), record.retry());
    let again = Callback::new(move |()| {
        list_again.run(());
        record_again.run(());
    });
    let offered = move || {
        found.state.with(|found| {
            let items = &found.ready()?.items;
            if items.is_empty() {
                return Some(view! { <p class="quiet">{text::nobody_found()}</p> }.into_any());
            }
            let rows = items
                .iter()
                .map(|item| offer(item, customer))
                .collect_view();
            Some(view! { <ul class="offers">{rows}</ul> }.into_any())
        })
    };
    let chosen = move || {
        let id = customer.get()?;
        let called = record.state.with(|record| {
            let record = record.ready().filter(|record| record.id == id)?;
            record.name.clone().or_else(|| record.email.clone())
        });
        Some(view! {
            <div class="row">
                {icon(Icon::People)}
                <strong>{called.unwrap_or_else(|| id.to_string())}</strong>
                <button type="button" class="button small push" on:click=move |_| customer.set(None)>{text::change()}</button>
            </div>
        })
    };
    view! {
        <Field form=form name="customer_id" label=text::customer()>
            {failure_notice(failed.into(), Some(again))}
            {chosen}
            <Show when=move || customer.get().is_none()>
                <input
                    class="input" type="search" id=input_id("customer_id") placeholder=text::search_customers() autocomplete="off"
                    prop:value=typed on:input=move |event| { typed.set(event_target_value(&event)); form.clear_error("customer_id"); }
                />
                <Show when=move || found.is_loading().get()><span class="bone b4 tall"></span></Show>
                {offered}
            </Show>
        </Field>
    }
}

fn offer(item: &CustomerItem, customer: RwSignal<Option<CustomerId>>) -> impl IntoView + use<> {
    let id = item.id;
    let called = item.name.clone().or_else(|| item.email.clone());
    let more = item.email.clone().filter(|_| item.name.is_some());
    view! {
        <li><button type="button" class="offer" on:click=move |_| customer.set(Some(id))>
            <strong>{called.unwrap_or_else(|| id.to_string())}</strong>
            <span class="quiet">{more}</span>
        </button></li>
    }
}

/// Checkboxes for the recurring plans on sale.
#[component]
fn WhatIsBought(form: Form, picked: RwSignal<Vec<PlanId>>) -> impl IntoView {
    let plans = load_options::<ListPlans, Plan>();
    let on_sale = Memo::new(move |_| {
        plans.state.with(|plans| {
            let items = plans.ready()?.items.iter();
            Some(
                items
                    .filter(|plan| {
                        plan.r#type == PlanType::Recurring
                            && plan.enabled
                            && plan.deleted_at.is_none()
                    })
                    .cloned()
                    .collect::<Vec<_>>(),
            )
        })
    });
    let shown = move || {
        let on_sale = on_sale.get()?;
        if on_sale.is_empty() {
            return Some(view! {
                <Empty picture=Icon::Plan title=text::no_plans() lesson=text::no_recurring()><a class="button primary" href="/plans/new">{text::create_plan()}</a></Empty>
            }.into_any());
        }
        let ticks = on_sale
            .iter()
            .map(|plan| tick(form, plan, picked))
            .collect_view();
        Some(view! { <div class="stack-tight" id=input_id("plan_ids") role="group" aria-label=text::plans()>{ticks}</div> }.into_any())
    };
    view! {
        <Field form=form name="plan_ids" label=text::plans()>
            {options_failure(plans)}
            <Show when=move || plans.is_loading().get()><span class="bone b4 tall"></span></Show>
            {shown}
        </Field>
    }
}

fn tick(form: Form, plan: &Plan, picked: RwSignal<Vec<PlanId>>) -> AnyView {
    let words = view! {
        <span>{plan.name.clone()}" "<span class="quiet">{billing_interval(plan)}</span></span>
        <span class="push">{amount(&plan.price, plan.currency.as_str())}</span>
    };
    option_checkbox(form, "plan_ids", plan.id, picked, words.into_any())
}
