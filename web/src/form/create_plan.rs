//! A new plan: a price and a billing interval.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::plan::{CreatePlan, Plan};

use crate::form::Form;
use crate::form::body::{Fields, own_data};
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, LongField, TextField};
use crate::form::form_view::FormView;
use crate::form::price::{BillingInterval, BillingIntervalFields, CURRENCY, PriceField};
use crate::form::timestamp_field::TimestampField;
use crate::session::Needs;
use crate::shell::unsaved_changes::cancel_link;
use crate::text;
use crate::ui::icon::{Icon, icon};
use crate::ui::timestamp::parse_local_time;

#[component]
pub(crate) fn CreatePlanForm(done: Callback<Plan>) -> impl IntoView {
    let form = Form::new();
    let empty = || RwSignal::new(String::new());
    let (name, price, description, picture) = (empty(), empty(), empty(), empty());
    let (expires, quantity, reference, own) = (empty(), empty(), empty(), empty());
    let currency = RwSignal::new(CURRENCY.to_owned());
    let billing = BillingInterval::new(("recurring_interval", "recurring_interval_count"));
    let submit = Callback::new(move |()| {
        let metadata = match own_data(&own.get_untracked()) {
            Ok(metadata) => metadata,
            Err(line) => return form.set_error("metadata", text::no_colon(line)),
        };
        let until = expires.get_untracked();
        let until = parse_local_time(&until).map_or(until, |moment| moment.to_string());
        let body = Fields::default()
            .text("name", &name.get_untracked())
            .text("price", &price.get_untracked())
            .text("currency", &currency.get_untracked())
            .text("description", &description.get_untracked())
            .text("image_url", &picture.get_untracked())
            .text("expires_at", &until)
            .number("available_quantity", &quantity.get_untracked())
            .text("reference", &reference.get_untracked())
            .value("metadata", metadata);
        form.send::<CreatePlan>(billing.fields(body).body(), move |plan| done.run(plan));
    });
    view! {
        <FormView form=form class="stack settings" submit=submit><Allowed scope=Scope::Write needs=Needs::Chain>
            {form_failure(form)}
            <section class="panel">
                <div class="panel-head"><h2>{text::what_is_sold()}</h2></div>
                <div class="panel-body fields two">
                    <TextField form=form name="name" label=text::name() value=name hint=text::paylink_name_hint() />
                    <PriceField form=form name="price" price=price currency=currency />
                    <LongField form=form name="description" label=text::description() value=description optional=true />
                    <TextField form=form name="image_url" label=text::picture() value=picture kind="url" optional=true whole=true placeholder="https://" />
                </div>
            </section>
            <BillingIntervalFields form=form billing=billing />
            <section class="panel">
                <div class="panel-head"><h2>{text::limits()}</h2></div>
                <div class="panel-body fields two">
                    <TimestampField form=form name="expires_at" label=text::expires() value=expires />
                    <TextField form=form name="available_quantity" label=text::quantity() value=quantity kind="number" optional=true />
                    <TextField form=form name="reference" label=text::reference() value=reference optional=true hint=text::plan_reference_hint() whole=true />
                    <LongField form=form name="metadata" label=text::own_data() value=own hint=text::own_data_hint() optional=true />
                </div>
            </section>
            <div class="row">
                <button data-scope="write" class="button primary" disabled=form.busy>{icon(Icon::Plan)}{text::create_plan()}</button>
                {cancel_link("/plans")}
            </div>
        </Allowed></FormView>
    }
}
