//! Customer changes. Empty fields stay unchanged.

use leptos::prelude::*;
use settlekit_core::customer::{Customer, UpdateCustomer};
use settlekit_core::operation::Scope;

use crate::form::Form;
use crate::form::body::{Fields, path_argument};
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, TextField};
use crate::form::form_view::FormView;
use crate::text;
use crate::ui::icon::{Icon, icon};
use crate::ui::toast::Toasts;

#[component]
pub(crate) fn UpdateCustomerForm(customer: Customer, saved: Callback<Customer>) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let kept = |name: &str| {
        let value = customer.properties.as_ref().and_then(|all| all.get(name));
        value
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default()
    };
    let given = |value: &Option<String>| value.clone().unwrap_or_default();
    // Name in the body, label, kind, hint, previous value.
    let fields: Vec<(
        &'static str,
        &'static str,
        &'static str,
        &'static str,
        String,
    )> = vec![
        ("name", text::name(), "text", "", given(&customer.name)),
        ("email", text::email(), "email", "", given(&customer.email)),
        (
            "number",
            text::phone(),
            "tel",
            text::phone_hint(),
            given(&customer.phone),
        ),
        (
            "customer_ident",
            text::reference(),
            "text",
            text::customer_reference_hint(),
            given(&customer.reference),
        ),
        (
            "wallet_address",
            text::wallet(),
            "text",
            "",
            given(&customer.wallet_address),
        ),
        ("discord", text::discord(), "text", "", kept("discord")),
        ("twitter", text::twitter(), "text", "", kept("twitter")),
    ];
    let before: Vec<(&'static str, StoredValue<String>, RwSignal<String>)> = fields
        .iter()
        .map(|(name, _, _, _, value)| {
            let was = StoredValue::new(value.clone());
            (*name, was, RwSignal::new(value.clone()))
        })
        .collect();
    let inputs = fields
        .into_iter()
        .zip(&before)
        .map(|((name, label, kind, hint, _), (_, _, value))| {
            view! { <TextField form=form name=name label=label value=*value kind=kind hint=hint optional=true /> }
        })
        .collect_view();
    let id = customer.id;
    let submit = Callback::new(move |()| {
        let mut body = Fields::default();
        let mut sent = Vec::new();
        for (name, was, now) in &before {
            let now = now.get_untracked().trim().to_owned();
            // Empty fields stay unchanged.
            if !now.is_empty() && was.with_value(|was| now != *was) {
                body = body.text(name, &now);
                sent.push((*was, now));
            }
        }
        let arguments = settlekit_core::call::Arguments {
            body: Some(body.object()),
            ..path_argument("customer_id", id)
        };
        form.send::<UpdateCustomer>(arguments, move |customer| {
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
            <FormView form=form submit=submit><Allowed scope=Scope::Write>
                {form_failure(form)}
                <p class="quiet"><strong>{text::empty_stays()}". "</strong>{text::empty_stays_why()}</p>
                <div class="fields two">{inputs}</div>
                <div class="row"><button data-scope="write" class="button primary" disabled=form.busy>{text::save()}</button></div>
            </Allowed></FormView>
        </details>
    }
}
