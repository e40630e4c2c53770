//! A new payment link, with what the payer will see beside it.

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::chain::ListChains;
use settlekit_core::paylink::{CreatePaylink, Paylink};
use settlekit_core::value::Amount;

use crate::api;
use crate::form::{Fields, Form};
use crate::load::load;
use crate::part::amount::amount;
use crate::part::field::{Field, Input, LongField, TextField, Tick};
use crate::part::icon::{Icon, icon};
use crate::part::moment::local_moment;
use crate::part::notice::Failed;
use crate::session::Session;
use crate::text;

/// A price in dollars is offered first: it can be paid in any asset.
const CURRENCY: &str = "USD";

#[component]
pub(crate) fn CreatePaylinkForm(done: Callback<Paylink>) -> impl IntoView {
    let form = Form::new();
    let chains = load::<ListChains>(|| Some(api::plain()));
    let empty = || RwSignal::new(String::new());
    let (name, price, description, picture) = (empty(), empty(), empty(), empty());
    let currency = RwSignal::new(CURRENCY.to_owned());
    let (redirect, failure, message) = (empty(), empty(), empty());
    let (expires, quantity, reference) = (empty(), empty(), empty());
    let (ask_who, ask_where, ask_tax) = (
        RwSignal::new(false),
        RwSignal::new(false),
        RwSignal::new(false),
    );

    let currencies = Memo::new(move |_| {
        let mut all = vec![CURRENCY.to_owned()];
        chains.state.with(|chains| {
            for asset in chains
                .ready()
                .into_iter()
                .flatten()
                .flat_map(|chain| &chain.assets)
            {
                let symbol = asset.symbol.to_string();
                if !all.contains(&symbol) {
                    all.push(symbol);
                }
            }
        });
        all
    });

    let chosen = move |symbol: String| move || currency.get() == symbol;

    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let redirect_url = redirect.get_untracked();
        let kind = if redirect_url.trim().is_empty() {
            ""
        } else {
            "redirect"
        };
        let after = Fields::default()
            .text("type", kind)
            .text("redirect_url", &redirect_url)
            .text("failure_redirect_url", &failure.get_untracked())
            .text("custom_message", &message.get_untracked())
            .object();
        let ticked = |on: RwSignal<bool>| {
            if on.get_untracked() {
                Value::Bool(true)
            } else {
                Value::Null
            }
        };
        let metadata = Fields::default()
            .value("customer_ident_collection", ticked(ask_who))
            .value("shipping_address_collection", ticked(ask_where))
            .value("tax_ident_collection", ticked(ask_tax))
            .object();
        let until = expires.get_untracked();
        let until = local_moment(&until).map_or(until, |moment| moment.to_string());
        let body = Fields::default()
            .text("amount", &price.get_untracked())
            .text("currency", &currency.get_untracked())
            .text("name", &name.get_untracked())
            .text("description", &description.get_untracked())
            .text("image_url", &picture.get_untracked())
            .text("expires_at", &until)
            .number("available_quantity", &quantity.get_untracked())
            .text("reference", &reference.get_untracked())
            .value("after_completion", after)
            .value("metadata", metadata)
            .body();
        form.send::<CreatePaylink>(body, move |paylink| done.run(paylink));
    };

    let details = view! {
        <section class="panel">
            <div class="panel-head"><h2>{text::WHAT_IS_SOLD}</h2></div>
            <div class="panel-body fields two">
                <TextField form=form name="name" label=text::PAYLINK_NAME value=name hint=text::PAYLINK_NAME_HINT />
                <Field form=form name="amount" label=text::PRICE>
                    <div class="joined">
                        <Input form=form name="amount" value=price kind="decimal" placeholder="25.00" />
                        <select class="input" name="currency" aria-label=text::CURRENCY on:change=move |event| currency.set(event_target_value(&event))>
                            <For each=move || currencies.get() key=Clone::clone let(symbol)>
                                <option value=symbol.clone() selected=chosen(symbol.clone())>{symbol.clone()}</option>
                            </For>
                        </select>
                    </div>
                </Field>
                <LongField form=form name="description" label=text::DESCRIPTION value=description optional=true />
                <TextField form=form name="image_url" label=text::PICTURE value=picture kind="url" optional=true whole=true placeholder="https://" />
            </div>
        </section>
    }
    .into_any();
    let after = view! {
        <section class="panel">
            <div class="panel-head"><h2>{text::AFTER_PAYMENT}</h2><p>{text::AFTER_PAYMENT_WHY}</p></div>
            <div class="panel-body fields two">
                <TextField form=form name="after_completion.redirect_url" label=text::REDIRECT value=redirect kind="url" optional=true placeholder="https://" />
                <TextField form=form name="after_completion.failure_redirect_url" label=text::FAILURE_REDIRECT value=failure kind="url" optional=true placeholder="https://" />
                <LongField form=form name="after_completion.custom_message" label=text::MESSAGE value=message optional=true hint=text::MESSAGE_HINT />
            </div>
        </section>
    }
    .into_any();
    let limits = view! {
        <section class="panel">
            <div class="panel-head"><h2>{text::LIMITS}</h2></div>
            <div class="panel-body fields two">
                <TextField form=form name="expires_at" label=text::EXPIRES value=expires kind="datetime-local" optional=true />
                <TextField form=form name="available_quantity" label=text::QUANTITY value=quantity kind="number" optional=true />
                <TextField form=form name="reference" label=text::REFERENCE value=reference optional=true hint=text::REFERENCE_HINT whole=true />
                <fieldset class="whole stack-tight">
                    <legend class="label">{text::ASK_PAYER}</legend>
                    <Tick label=text::ASK_WHO value=ask_who name="customer_ident_collection" />
                    <Tick label=text::ASK_WHERE value=ask_where name="shipping_address_collection" />
                    <Tick label=text::ASK_TAX value=ask_tax name="tax_ident_collection" />
                </fieldset>
            </div>
        </section>
    }
    .into_any();

    view! {
        <form class="columns wide-narrow" novalidate on:submit=submit>
            <div class="stack">
                {move || form.trouble.get().map(|trouble| view! { <Failed trouble=trouble /> })}
                {details}{after}{limits}
                <div class="row">
                    <button class="button primary" disabled=form.busy aria-busy=move || form.busy.get().to_string()>
                        {icon(Icon::Link)}{text::CREATE_PAYLINK}
                    </button>
                    <a class="button plain" href="/paylinks">{text::CANCEL}</a>
                </div>
            </div>
            <aside class="stack-tight sticky" aria-label=text::PREVIEW>
                <h2 class="section-title">{text::PREVIEW}</h2>
                <Preview name=name price=price currency=currency description=description />
            </aside>
        </form>
    }
}

/// What the payer will see.
#[component]
fn Preview(
    name: RwSignal<String>,
    price: RwSignal<String>,
    currency: RwSignal<String>,
    description: RwSignal<String>,
) -> impl IntoView {
    let merchant = untrack(|| Session::here().record())
        .map(|record| record.org_name)
        .unwrap_or_default();
    let shown_price = move || {
        let typed = price.get();
        match typed.trim().parse::<Amount>() {
            Ok(exact) => amount(&exact, &currency.get()).into_any(),
            Err(_) => view! { <span class="amount quiet">"–"</span> }.into_any(),
        }
    };
    let or = |value: String, otherwise: &str| {
        if value.trim().is_empty() {
            otherwise.to_owned()
        } else {
            value
        }
    };
    view! {
        <div class="preview">
            <span class="merchant">{merchant}</span>
            <div><div>{move || or(name.get(), text::PAYLINK_NAME)}</div>{shown_price}</div>
            <Show when=move || description.with(|text| !text.trim().is_empty())><p class="lead">{description}</p></Show>
            <span class="pretend">{text::CONTINUE}</span>
        </div>
    }
}
