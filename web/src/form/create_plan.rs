//! A new plan: a price and a billing interval.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::plan::{CreatePlan, Plan};

use crate::form::{
    BillingInterval, BillingIntervalFields, Form, FormView, LongField, MetadataField, PageButtons,
    PriceField, TextField, TimestampField,
};
use crate::session::RequiredConnection;
use crate::text;
use crate::ui::{Icon, Panel};

#[component]
pub(crate) fn CreatePlanForm(done: Callback<Plan>) -> impl IntoView {
    let form = Form::new();
    let billing = BillingInterval::new(("recurring_interval", "recurring_interval_count"));
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        form.send::<CreatePlan>(billing.fields(fields).body(), move |plan| done.run(plan));
    });
    view! {
        <FormView form=form class="stack settings" scope=Scope::Write needs=RequiredConnection::Chain submit=submit>
            <Panel title=text::what_is_sold() class="panel-body fields two">
                <TextField form=form name="name" label=text::name() hint=text::paylink_name_hint() />
                <PriceField form=form name="price" />
                <LongField form=form name="description" label=text::description() optional=true />
                <TextField form=form name="image_url" label=text::picture() kind="url" optional=true whole=true placeholder="https://" />
            </Panel>
            <BillingIntervalFields form=form billing=billing />
            <Panel title=text::limits() class="panel-body fields two">
                <TimestampField form=form name="expires_at" label=text::expires() />
                <TextField form=form name="available_quantity" label=text::quantity() kind="number" optional=true />
                <TextField form=form name="reference" label=text::reference() optional=true hint=text::reference_hint() whole=true />
                <MetadataField form=form />
            </Panel>
            <PageButtons form=form act=text::create_plan() picture=Icon::Plan list="/plans" />
        </FormView>
    }
}
