//! The organisation's settings and its webhook URL.

use leptos::prelude::*;
use serde_json::{Map, Value};
use settlekit_core::operation::Scope;
use settlekit_core::organisation::{Organisation, UnderpayThresholds, UpdateOrganisation};

use crate::form::{Field, Fields, Form, FormView, LongField, TextField, form_failure, pairs};
use crate::shell::Failed;
use crate::text;
use crate::ui::{Toasts, input_id, known};

/// The organisation's values, in the order of the form's fields.
fn values_of(organisation: &Organisation) -> [String; 8] {
    let properties = organisation.properties.clone().unwrap_or_default();
    let thresholds = properties.underpay_thresholds.as_ref();
    let within = |read: fn(&UnderpayThresholds) -> Option<String>| thresholds.and_then(read);
    [
        Some(organisation.name.clone()),
        organisation.logo_url.clone(),
        properties.fee_payer.clone(),
        properties.currency.as_ref().map(ToString::to_string),
        properties.time_zone.clone(),
        within(|all| all.underpay_tolerance_usd.map(|usd| usd.to_string())),
        within(|all| all.underpay_tolerance_amount.map(|some| some.to_string())),
        within(|all| {
            all.underpay_tolerance_currency
                .as_ref()
                .map(ToString::to_string)
        }),
    ]
    .map(Option::unwrap_or_default)
}

/// Name, logo, fee payer, tolerances. Sends changed fields only: another user may have changed the others.
#[component]
pub(crate) fn UpdateOrganisationForm(
    organisation: Organisation,
    saved: Callback<Organisation>,
) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let values = values_of(&organisation).map(RwSignal::new);
    let [
        name,
        logo,
        payer,
        currency,
        zone,
        tolerance,
        short_by,
        short_in,
    ] = values;
    let before = StoredValue::new(values_of(&organisation));
    let zones = known();
    let submit = Callback::new(move |()| {
        let was = before.get_value();
        let now = values.map(|value| value.get_untracked().trim().to_owned());
        // The currency can be changed but not removed: an omitted field would stay and appear as saved.
        if !was[3].is_empty() && now[3].is_empty() {
            return form.set_error("currency", text::only_changed().to_owned());
        }
        let mut body = Fields::default();
        let names = ["name", "logo_url", "fee_payer", "currency", "time_zone"];
        for (name, (was, now)) in names.into_iter().zip(was.iter().zip(&now)) {
            if was != now {
                body = body.any_text(name, now);
            }
        }
        // The thresholds are replaced as a whole.
        if was[5..] != now[5..] {
            let thresholds = Fields::default()
                .number("underpay_tolerance_usd", &now[5])
                .number("underpay_tolerance_amount", &now[6])
                .text("underpay_tolerance_currency", &now[7]);
            body = body.any_value("underpay_thresholds", thresholds.object());
        }
        form.send::<UpdateOrganisation>(body.body(), move |organisation| {
            before.set_value(now.clone());
            toasts.say(text::saved().to_owned());
            saved.run(organisation);
        });
    });
    view! {
        <FormView form=form class="panel" scope=Scope::Manage shows_failure=true submit=submit>
            <div class="panel-head"><h2>{text::profile()}</h2></div>
            <div class="panel-body fields two">
                {move || form.failure.get().map(|failure| view! { <div class="whole"><Failed failure=failure /></div> })}
                <TextField form=form name="name" label=text::name() value=name hint=text::organisation_name_hint() autocomplete="organization" />
                <TextField form=form name="logo_url" label=text::logo() value=logo kind="url" optional=true placeholder="https://" />
                <Field form=form name="fee_payer" label=text::fee_payer() hint=text::fee_payer_hint()>
                    <select class="input" id=input_id("fee_payer") on:change=move |event| payer.set(event_target_value(&event))>
                        {[("merchant", text::fee_merchant()), ("payer", text::fee_customer())].map(|(value, label)| view! {
                            <option value=value selected=move || payer.get() == value>{label}</option>
                        })}
                    </select>
                </Field>
                <TextField form=form name="currency" label=text::base_currency() value=currency hint=text::base_currency_hint() optional=true />
                <Field form=form name="time_zone" label=text::time_zone() hint=text::time_zone_hint() optional=true>
                    <input class="input" id=input_id("time_zone") list="zones" autocomplete="off" spellcheck="false" placeholder="Europe/Berlin" prop:value=zone on:input=move |event| { zone.set(event_target_value(&event)); form.clear_error("time_zone"); } />
                    <datalist id="zones">{zones.into_iter().map(|name| view! { <option value=name></option> }).collect_view()}</datalist>
                </Field>
            </div>
            <div class="panel-head"><h2>{text::thresholds()}</h2><p>{text::thresholds_why()}</p></div>
            <div class="panel-body fields two">
                <TextField form=form name="underpay_thresholds.underpay_tolerance_usd" label=text::tolerance() value=tolerance kind="decimal" optional=true hint=text::tolerance_hint() whole=true />
                <TextField form=form name="underpay_thresholds.underpay_tolerance_amount" label=text::tolerance_amount() value=short_by kind="decimal" optional=true hint=text::tolerance_amount_hint() />
                <TextField form=form name="underpay_thresholds.underpay_tolerance_currency" label=text::tolerance_currency() value=short_in optional=true placeholder="USDC" />
            </div>
            <div class="panel-foot" data-scope="manage"><button class="button primary" disabled=form.busy>{text::save()}</button></div>
        </FormView>
    }
}

/// E-mail recipients and notification options.
#[component]
pub(crate) fn NotificationsForm(
    organisation: Organisation,
    saved: Callback<Organisation>,
) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let (recipients, options) = organisation.properties.map_or((None, None), |properties| {
        (
            properties.forwarded_email_recipients,
            properties.email_notification_options,
        )
    });
    let recipients = RwSignal::new(recipients.unwrap_or_default().join("\n"));
    let options = options.unwrap_or_default();
    let options: Vec<String> = options
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    let options = RwSignal::new(options.join("\n"));
    let before = StoredValue::new((recipients.get_untracked(), options.get_untracked()));
    let submit = Callback::new(move |()| {
        let (to, about) = (recipients.get_untracked(), options.get_untracked());
        let recipients = to.lines().map(str::trim);
        let recipients = recipients.filter(|line| !line.is_empty()).map(Value::from);
        let options = match pairs(&about) {
            Ok(options) => options,
            Err(line) => {
                return form.set_error("email_notification_options", text::no_colon(line));
            }
        };
        let options: Map<String, Value> = options
            .into_iter()
            .map(|(name, value)| {
                let read = serde_json::from_str(&value).unwrap_or_else(|_| Value::from(value));
                (name, read)
            })
            .collect();
        // Changed fields are sent even if empty, to clear them.
        let mut body = Fields::default();
        let (was_to, was_about) = before.get_value();
        if to != was_to {
            body = body.any_value("forwarded_email_recipients", recipients.collect());
        }
        if about != was_about {
            body = body.any_value("email_notification_options", Value::Object(options));
        }
        form.send::<UpdateOrganisation>(body.body(), move |organisation| {
            before.set_value((to.clone(), about.clone()));
            toasts.say(text::saved().to_owned());
            saved.run(organisation);
        });
    });
    view! {
        <FormView form=form class="panel" scope=Scope::Manage shows_failure=true submit=submit>
            <div class="panel-head"><h2>{text::notifications()}</h2><p>{text::notifications_why()}</p></div>
            <div class="panel-body fields">
                {form_failure(form)}
                <LongField form=form name="forwarded_email_recipients" label=text::recipients() value=recipients hint=text::recipients_hint() optional=true />
                <LongField form=form name="email_notification_options" label=text::options() value=options hint=text::options_hint() optional=true />
            </div>
            <div class="panel-foot" data-scope="manage"><button class="button primary" disabled=form.busy>{text::save()}</button></div>
        </FormView>
    }
}

#[component]
pub(crate) fn WebhookAddressForm(
    organisation: Organisation,
    saved: Callback<Organisation>,
) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let address = RwSignal::new(organisation.webhook_url.clone().unwrap_or_default());
    let submit = Callback::new(move |()| {
        let fields = Fields::default().any_text("webhook_url", &address.get_untracked());
        form.send::<UpdateOrganisation>(fields.body(), move |organisation| {
            toasts.say(text::saved().to_owned());
            saved.run(organisation);
        });
    });
    view! {
        <FormView form=form class="panel" scope=Scope::Manage shows_failure=true submit=submit>
            <div class="panel-head"><h2>{text::endpoint()}</h2><p>{text::endpoint_why()}</p></div>
            <div class="panel-body fields">
                {form_failure(form)}
                <TextField form=form name="webhook_url" label=text::endpoint_address() value=address kind="url" placeholder="https://example.com/webhooks" hint=text::endpoint_hint() />
            </div>
            <div class="panel-foot" data-scope="manage"><button class="button primary" disabled=form.busy>{text::save()}</button></div>
        </FormView>
    }
}
