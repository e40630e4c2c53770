//! A new subscription: a customer, found by name, and recurring plans.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::plan::{ListPlans, Plan, PlanType};
use settlekit_core::subscription::{CreateSubscription, Subscription};
use settlekit_core::value::{CustomerId, Param, PlanId};

use crate::form::{
    Field, Form, FormView, MetadataField, PageButtons, TextField, TimestampField, load_options,
    option_checkbox, options_failure,
};
use crate::list::Picker;
use crate::record::customer::CUSTOMERS;
use crate::record::plan::billing_interval;
use crate::session::RequiredConnection;
use crate::text;
use crate::ui::{Empty, Icon, Panel, amount, input_id};

#[component]
pub(crate) fn CreateSubscriptionForm(
    chosen: Option<CustomerId>,
    done: Callback<Subscription>,
) -> impl IntoView {
    let form = Form::new();
    let customer: RwSignal<Option<CustomerId>> = RwSignal::new(chosen);
    let picked: RwSignal<Vec<PlanId>> = RwSignal::new(Vec::new());
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let customer = customer.get_untracked().map(|id| id.to_string());
        let plans = picked.get_untracked();
        let body = fields
            .text("customer_id", &customer.unwrap_or_default())
            .any_value("plan_ids", plans.iter().map(ToString::to_string).collect())
            .body();
        form.send::<CreateSubscription>(body, move |subscription| done.run(subscription));
    });
    view! {
        <FormView form=form class="stack settings" scope=Scope::Write needs=RequiredConnection::Chain submit=submit>
            <Panel title=text::customer()><WhoBuys form=form customer=customer /></Panel>
            <Panel title=text::plans()><WhatIsBought form=form picked=picked /></Panel>
            <section class="panel">
                <div class="panel-body fields two">
                    <TimestampField form=form name="start_at" label=text::starts() hint=text::starts_hint() />
                    <TextField form=form name="reference" label=text::reference() hint=text::money::own_name_hint() optional=true />
                    <MetadataField form=form />
                </div>
            </section>
            <PageButtons form=form act=text::create_subscription() picture=Icon::Turning list="/subscriptions" />
        </FormView>
    }
}

/// Customer selection with search.
#[component]
fn WhoBuys(form: Form, customer: RwSignal<Option<CustomerId>>) -> impl IntoView {
    let value = Signal::derive(move || customer.get().map(|id| id.to_string()));
    let choose = Callback::new(move |id: Option<String>| {
        form.clear_error("customer_id");
        customer.set(id.and_then(|id| CustomerId::from_text(&id).ok()));
    });
    let typing = Callback::new(move |()| form.clear_error("customer_id"));
    view! {
        <Field form=form name="customer_id" label=text::customer()>
            <Picker
                source=CUSTOMERS label=text::customer() id=input_id("customer_id") value=value choose=choose
                picture=Icon::People typing=typing
            />
        </Field>
    }
}

/// Checkboxes for the recurring plans on sale.
#[component]
fn WhatIsBought(form: Form, picked: RwSignal<Vec<PlanId>>) -> impl IntoView {
    let plans = load_options::<ListPlans, Plan>();
    let is_on_sale = |plan: &&Plan| {
        plan.r#type == PlanType::Recurring && plan.enabled && plan.deleted_at.is_none()
    };
    let on_sale = Memo::new(move |_| {
        plans.read(|page| -> Vec<Plan> { page.items.iter().filter(is_on_sale).cloned().collect() })
    });
    let shown = move || {
        let on_sale = on_sale.get()?;
        if on_sale.is_empty() {
            return Some(view! {
                <Empty picture=Icon::Plan title=text::no_plans() hint=text::no_recurring()><a class="button primary" href="/plans/new">{text::create_plan()}</a></Empty>
            }.into_any());
        }
        let ticks = on_sale.iter().map(|plan| tick(form, plan, picked));
        let ticks = ticks.collect_view();
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
