//! A new payment link, with a preview of the payer's page.

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::account::{Account, AccountType};
use settlekit_core::operation::Scope;
use settlekit_core::page::Page;
use settlekit_core::paylink::{CreatePaylink, Paylink};
use settlekit_core::value::Amount;

use crate::form::Form;
use crate::form::body::{Fields, own_data};
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, Field, LongField, TextField};
use crate::form::form_view::FormView;
use crate::form::options::{account_options_failure, accounts, option_checkbox};
use crate::form::price::{BillingInterval, BillingIntervalFields, CURRENCY, PriceField};
use crate::form::timestamp_field::TimestampField;
use crate::record::account::account_label;
use crate::session::{Needs, Session};
use crate::shell::load::Loaded;
use crate::shell::unsaved_changes::cancel_link;
use crate::text;
use crate::ui::amount::amount;
use crate::ui::field::{Checkbox, input_id};
use crate::ui::icon::{Icon, icon};
use crate::ui::timestamp::parse_local_time;

#[component]
pub(crate) fn CreatePaylinkForm(done: Callback<Paylink>) -> impl IntoView {
    let form = Form::new();
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

    let billing = BillingInterval::new(("interval", "intervalCount"));
    let (own, account_ref) = (empty(), empty());
    let offered = accounts();
    let accounts: RwSignal<Vec<i64>> = RwSignal::new(Vec::new());

    let submit = Callback::new(move |()| {
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
        let metadata = match merged(metadata, &own.get_untracked()) {
            Ok(metadata) => metadata,
            Err(line) => return form.set_error("metadata", text::no_colon(line)),
        };
        let accounts: Vec<Value> = accounts
            .get_untracked()
            .into_iter()
            .map(Value::from)
            .collect();
        let accounts = if accounts.is_empty() {
            Value::Null
        } else {
            Value::Array(accounts)
        };
        let until = expires.get_untracked();
        let until = parse_local_time(&until).map_or(until, |moment| moment.to_string());
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
            .value("account_ids", accounts)
            .text("account_ref", &account_ref.get_untracked());
        form.send::<CreatePaylink>(billing.fields(body).body(), move |paylink| {
            done.run(paylink)
        });
    });

    let details = view! {
        <section class="panel">
            <div class="panel-head"><h2>{text::what_is_sold()}</h2></div>
            <div class="panel-body fields two">
                <TextField form=form name="name" label=text::paylink_name() value=name hint=text::paylink_name_hint() />
                <PriceField form=form name="amount" price=price currency=currency />
                <LongField form=form name="description" label=text::description() value=description optional=true />
                <TextField form=form name="image_url" label=text::picture() value=picture kind="url" optional=true whole=true placeholder="https://" />
            </div>
        </section>
    }
    .into_any();
    let after = view! {
        <section class="panel">
            <div class="panel-head"><h2>{text::after_payment()}</h2><p>{text::after_payment_why()}</p></div>
            <div class="panel-body fields two">
                <TextField form=form name="after_completion.redirect_url" label=text::redirect() value=redirect kind="url" optional=true placeholder="https://" />
                <TextField form=form name="after_completion.failure_redirect_url" label=text::failure_redirect() value=failure kind="url" optional=true placeholder="https://" />
                <LongField form=form name="after_completion.custom_message" label=text::message() value=message optional=true hint=text::message_hint() />
            </div>
        </section>
    }
    .into_any();
    let limits = view! {
        <section class="panel">
            <div class="panel-head"><h2>{text::limits()}</h2></div>
            <div class="panel-body fields two">
                <TimestampField form=form name="expires_at" label=text::expires() value=expires />
                <TextField form=form name="available_quantity" label=text::quantity() value=quantity kind="number" optional=true />
                <TextField form=form name="reference" label=text::reference() value=reference optional=true hint=text::reference_hint() whole=true />
                <fieldset class="whole stack-tight">
                    <legend class="label">{text::ask_payer()}</legend>
                    <Checkbox label=text::ask_who() value=ask_who name="customer_ident_collection" />
                    <Checkbox label=text::ask_where() value=ask_where name="shipping_address_collection" />
                    <Checkbox label=text::ask_tax() value=ask_tax name="tax_ident_collection" />
                </fieldset>
                <LongField form=form name="metadata" label=text::own_data() value=own hint=text::own_data_hint() optional=true />
            </div>
        </section>
    }
    .into_any();
    let money = view! {
        <section class="panel">
            <div class="panel-head"><h2>{text::where_money_goes()}</h2><p>{text::where_money_goes_why()}</p></div>
            <div class="panel-body fields">
                <Accounts form=form offered=offered chosen=accounts />
                <TextField form=form name="account_ref" label=text::account_ref() value=account_ref hint=text::account_ref_hint() optional=true />
            </div>
        </section>
    }
    .into_any();

    view! {
        <FormView form=form class="columns wide-narrow" submit=submit><Allowed scope=Scope::Write needs=Needs::Chain>
            <div class="stack">
                {form_failure(form)}{account_options_failure(offered)}
                {details}<BillingIntervalFields form=form billing=billing />{after}{limits}{money}
                <div class="row">
                    <button data-scope="write" class="button primary" disabled=form.busy aria-busy=move || form.busy.get().to_string()>
                        {icon(Icon::Link)}{text::create_paylink()}
                    </button>
                    {cancel_link("/paylinks")}
                </div>
            </div>
            <aside class="stack-tight sticky" aria-label=text::preview()>
                <h2 class="section-title">{text::preview()}</h2>
                <Preview name=name price=price currency=currency description=description picture=picture billing=billing message=message redirect=redirect />
            </aside>
        </Allowed></FormView>
    }
}

/// Merges the questions with the merchant's own data; the error is the number of the invalid line.
fn merged(questions: Value, own: &str) -> Result<Value, usize> {
    let mut all = match questions {
        Value::Object(all) => all,
        _ => Default::default(),
    };
    if let Value::Object(own) = own_data(own)? {
        all.extend(own);
    }
    Ok(Value::Object(all))
}

/// Checkboxes for the accounts that accept payments.
#[component]
fn Accounts(
    form: Form,
    offered: Loaded<Page<Account>>,
    chosen: RwSignal<Vec<i64>>,
) -> impl IntoView {
    let takes =
        |account: &&Account| account.enabled && account.account_type != AccountType::Virtual;
    let ticks = move || {
        offered.state.with(|offered| {
            let all = offered.ready()?.items.iter().filter(takes);
            Some(
                all.map(|account| tick(form, account, chosen))
                    .collect_view(),
            )
        })
    };
    view! {
        <Field form=form name="account_ids" label=text::accounts_ticked() optional=true>
            <div class="ticks" id=input_id("account_ids") role="group" aria-label=text::accounts_ticked()>
                <Show when=move || offered.is_loading().get()><span class="bone b4"></span></Show>{ticks}
            </div>
        </Field>
    }
}

fn tick(form: Form, account: &Account, chosen: RwSignal<Vec<i64>>) -> AnyView {
    let words = view! { <span>{account_label(account)}</span> };
    option_checkbox(
        form,
        "account_ids",
        account.id.get(),
        chosen,
        words.into_any(),
    )
}

/// Preview of the payer's page.
#[component]
fn Preview(
    name: RwSignal<String>,
    price: RwSignal<String>,
    currency: RwSignal<String>,
    description: RwSignal<String>,
    picture: RwSignal<String>,
    billing: BillingInterval,
    message: RwSignal<String>,
    redirect: RwSignal<String>,
) -> impl IntoView {
    let merchant = untrack(|| Session::from_context().record())
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
    let given = |value: RwSignal<String>| {
        Memo::new(move |_| {
            let value = value.get().trim().to_owned();
            (!value.is_empty()).then_some(value)
        })
    };
    let (description, message, redirect) = (given(description), given(message), given(redirect));
    // Only complete URLs: a partly typed one would be requested with every letter.
    let picture = Memo::new(move |_| {
        let url = picture.get().trim().to_owned();
        web_sys::Url::new(&url)
            .is_ok_and(|url| url.protocol() == "https:" && url.hostname().contains('.'))
            .then_some(url)
    });
    view! {
        <div class="preview">
            <span class="merchant">{merchant}</span>
            {move || picture.get().map(|url| view! { <img class="preview-picture" src=url alt="" /> })}
            <div>
                <div>{move || or(name.get(), text::paylink_name())}</div>
                {shown_price}
                {move || billing.as_text().map(|as_text| view! { <div class="merchant">{as_text}</div> })}
            </div>
            {move || description.get().map(|text| view! { <p class="lead">{text}</p> })}
            <span class="pretend">{text::go_on()}</span>
        </div>
        <Show when=move || message.with(Option::is_some) || redirect.with(Option::is_some)>
            <div class="preview">
                <span class="merchant">{text::preview_after()}</span>
                {move || message.get().map(|text| view! { <p>{text}</p> })}
                {move || redirect.get().map(|url| view! { <p class="merchant">{text::preview_goes_to()}" "<span class="mono">{url}</span></p> })}
            </div>
        </Show>
    }
}
