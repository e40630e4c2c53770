//! Customer changes. Empty fields stay unchanged.

use leptos::prelude::*;
use settlekit_core::customer::{Customer, UpdateCustomer};
use settlekit_core::operation::Scope;

use crate::form::{DialogButtons, Fields, Form, FormView, TextField};
use crate::text;
use crate::ui::{Icon, Toasts, icon, stored_text};

#[component]
pub(crate) fn UpdateCustomerForm(customer: Customer, saved: Callback<Customer>) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let kept = |name| stored_text(&customer.properties, name);
    let (reference, wallet) = (customer.reference.clone(), customer.wallet_address.clone());
    let (phone_hint, reference_hint) = (text::phone_hint(), text::money::own_name_hint());
    // Name in the body, label, kind, hint, previous value.
    let fields = [
        ("name", text::name(), "text", "", customer.name.clone()),
        ("email", text::email(), "email", "", customer.email.clone()),
        ("number", text::phone(), "tel", phone_hint, customer.phone.clone()),
        ("customer_ident", text::reference(), "text", reference_hint, reference),
        ("wallet_address", text::wallet(), "text", "", wallet),
        ("discord", text::discord(), "text", "", kept("discord")),
        ("twitter", text::twitter(), "text", "", kept("twitter")),
    ]
    .map(|(name, label, kind, hint, before)| {
        let before = before.unwrap_or_default();
        let value = RwSignal::new(before.clone());
        let input = view! { <TextField form=form name=name label=label value=value kind=kind hint=hint optional=true /> };
        (input, (name, StoredValue::new(before), value))
    });
    let (inputs, values): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    let id = customer.id;
    let submit = Callback::new(move |()| {
        let mut body = Fields::default();
        let mut sent = Vec::new();
        for (name, was, now) in &values {
            let now = now.get_untracked().trim().to_owned();
            if !now.is_empty() && was.with_value(|was| now != *was) {
                body = body.text(name, &now);
                sent.push((*was, now));
            }
        }
        form.send::<UpdateCustomer>(body.body_at("customer_id", id), move |customer| {
            for (was, now) in &sent {
                was.set_value(now.clone());
            }
            toasts.say(text::saved().to_owned());
            saved.run(customer);
        });
    });
    view! {
        <details class="more">
            <summary>{icon(Icon::Right)}{text::edit()}</summary>
            <FormView form=form scope=Scope::Write submit=submit>
                <p class="quiet"><strong>{text::empty_stays()}". "</strong>{text::empty_stays_why()}</p>
                <div class="fields two">{inputs}</div>
                <DialogButtons form=form scope=Scope::Write act=text::save() />
            </FormView>
        </details>
    }
}
