//! A new payment link, with a preview of the payer's page.

use leptos::prelude::*;
use serde_json::{Map, Value};
use settlekit_core::account::{Account, AccountType};
use settlekit_core::operation::Scope;
use settlekit_core::page::Page;
use settlekit_core::paylink::{CreatePaylink, Paylink};
use settlekit_core::value::Amount;

use crate::form::{
    BillingInterval, BillingIntervalFields, Field, Form, FormView, LongField, PageButtons,
    PriceField, TextField, TimestampField, account_options_failure, accounts, form_failure,
    option_checkbox, own_data, price_of,
};
use crate::record::account::account_label;
use crate::session::{RequiredConnection, Session};
use crate::shell::Loaded;
use crate::text;
use crate::ui::{Checkbox, Icon, Panel, amount, input_id};

#[component]
pub(crate) fn CreatePaylinkForm(done: Callback<Paylink>) -> impl IntoView {
    let form = Form::new();
    let (price, currency) = price_of(form, "amount");
    let preview = Preview {
        name: form.text("name"),
        price,
        currency,
        description: form.text("description"),
        picture: form.text("image_url"),
        billing: BillingInterval::new(("interval", "intervalCount")),
        message: form.text("after_completion.custom_message"),
        redirect: form.text("after_completion.redirect_url"),
    };
    let questions = [
        ("customer_ident_collection", text::ask_who()),
        ("shipping_address_collection", text::ask_where()),
        ("tax_ident_collection", text::ask_tax()),
    ]
    .map(|(name, label)| (name, label, RwSignal::new(false)));
    let own = RwSignal::new(String::new());
    let offered = accounts();
    let accounts: RwSignal<Vec<i64>> = RwSignal::new(Vec::new());

    let submit = Callback::new(move |()| {
        let asked = questions.iter().filter(|(.., on)| on.get_untracked());
        let asked = asked.map(|(name, ..)| ((*name).to_owned(), Value::Bool(true)));
        let metadata = match merged(asked.collect(), &own.get_untracked()) {
            Ok(metadata) => metadata,
            Err(line) => return form.set_error("metadata", text::no_colon(line)),
        };
        let Some(fields) = form.fields() else { return };
        let stays = preview.redirect.with_untracked(|url| url.trim().is_empty());
        let body = fields
            .text("after_completion.type", if stays { "" } else { "redirect" })
            .nested("after_completion")
            .value("metadata", metadata)
            .list("account_ids", accounts.get_untracked());
        let body = preview.billing.fields(body).body();
        form.send::<CreatePaylink>(body, move |paylink| done.run(paylink));
    });

    let details = view! {
        <Panel title=text::what_is_sold() class="panel-body fields two">
            <TextField form=form name="name" label=text::name() value=preview.name hint=text::paylink_name_hint() />
            <PriceField form=form name="amount" values=(price, currency) />
            <LongField form=form name="description" label=text::description() value=preview.description optional=true />
            <TextField form=form name="image_url" label=text::picture() value=preview.picture kind="url" optional=true whole=true placeholder="https://" />
        </Panel>
    }
    .into_any();
    let after = view! {
        <Panel title=text::after_payment() why=text::after_payment_why() class="panel-body fields two">
            <TextField form=form name="after_completion.redirect_url" label=text::redirect() value=preview.redirect kind="url" optional=true placeholder="https://" />
            <TextField form=form name="after_completion.failure_redirect_url" label=text::failure_redirect() kind="url" optional=true placeholder="https://" />
            <LongField form=form name="after_completion.custom_message" label=text::message() value=preview.message optional=true hint=text::message_hint() />
        </Panel>
    }
    .into_any();
    let limits = view! {
        <Panel title=text::limits() class="panel-body fields two">
            <TimestampField form=form name="expires_at" label=text::expires() />
            <TextField form=form name="available_quantity" label=text::quantity() kind="number" optional=true />
            <TextField form=form name="reference" label=text::reference() optional=true hint=text::reference_hint() whole=true />
            <fieldset class="whole stack-tight">
                <legend class="label">{text::ask_payer()}</legend>
                {questions.map(|(name, label, on)| view! { <Checkbox label=label value=on name=name /> })}
            </fieldset>
            <LongField form=form name="metadata" label=text::own_data() value=own hint=text::own_data_hint() optional=true />
        </Panel>
    }
    .into_any();
    let money = view! {
        <Panel title=text::where_money_goes() why=text::where_money_goes_why() class="panel-body fields">
            <Accounts form=form offered=offered chosen=accounts />
            <TextField form=form name="account_ref" label=text::account_ref() hint=text::account_ref_hint() optional=true />
        </Panel>
    }
    .into_any();

    view! {
        <FormView form=form class="columns wide-narrow" scope=Scope::Write needs=RequiredConnection::Chain shows_failure=true submit=submit>
            <div class="stack">
                {form_failure(form)}{account_options_failure(offered)}
                {details}<BillingIntervalFields form=form billing=preview.billing />{after}{limits}{money}
                <PageButtons form=form act=text::create_paylink() picture=Icon::Link list="/paylinks" />
            </div>
            <aside class="stack-tight sticky" aria-label=text::preview()>
                <h2 class="section-title">{text::preview()}</h2>
                {preview.view()}
            </aside>
        </FormView>
    }
}

/// Merges the questions with the merchant's own data; the error is the number of the invalid line.
fn merged(mut questions: Map<String, Value>, own: &str) -> Result<Value, usize> {
    if let Value::Object(own) = own_data(own)? {
        questions.extend(own);
    }
    Ok(Value::Object(questions))
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
        offered.read(|page| {
            let all = page.items.iter().filter(takes);
            all.map(|account| {
                let label = view! { <span>{account_label(account)}</span> }.into_any();
                option_checkbox(form, "account_ids", account.id.get(), chosen, label)
            })
            .collect_view()
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

/// Values shown on the preview of the payer's page.
#[derive(Clone, Copy)]
struct Preview {
    name: RwSignal<String>,
    price: RwSignal<String>,
    currency: RwSignal<String>,
    description: RwSignal<String>,
    picture: RwSignal<String>,
    billing: BillingInterval,
    message: RwSignal<String>,
    redirect: RwSignal<String>,
}

impl Preview {
    fn view(self) -> AnyView {
        let merchant = untrack(|| Session::from_context().record()).map(|record| record.org_name);
        let shown_price = move || match self.price.with(|price| price.trim().parse::<Amount>()) {
            Ok(exact) => amount(&exact, &self.currency.get()).into_any(),
            Err(_) => view! { <span class="amount quiet">"–"</span> }.into_any(),
        };
        let given = |value: RwSignal<String>| {
            Memo::new(move |_| {
                let value = value.with(|value| value.trim().to_owned());
                (!value.is_empty()).then_some(value)
            })
        };
        let [name, description, message, redirect] =
            [self.name, self.description, self.message, self.redirect].map(given);
        // Only complete URLs: a partly typed one would be requested with every letter.
        let picture = Memo::new(move |_| {
            let url = self.picture.with(|url| url.trim().to_owned());
            web_sys::Url::new(&url)
                .is_ok_and(|url| url.protocol() == "https:" && url.hostname().contains('.'))
                .then_some(url)
        });
        view! {
            <div class="preview">
                <span class="merchant">{merchant}</span>
                {move || picture.get().map(|url| view! { <img class="preview-picture" src=url alt="" /> })}
                <div>
                    <div>{move || name.get().unwrap_or_else(|| text::name().to_owned())}</div>
                    {shown_price}
                    {move || self.billing.as_text().map(|said| view! { <div class="merchant">{said}</div> })}
                </div>
                {move || description.get().map(|text| view! { <p class="lead">{text}</p> })}
                <span class="pretend">{move || if self.billing.trial_text().is_some() { text::subscribe() } else { text::go_on() }}</span>
            </div>
            <Show when=move || message.with(Option::is_some) || redirect.with(Option::is_some)>
                <div class="preview">
                    <span class="merchant">{text::after_payment()}</span>
                    {move || message.get().map(|text| view! { <p>{text}</p> })}
                    {move || redirect.get().map(|url| view! { <p class="merchant">{text::preview_goes_to()}" "<span class="mono">{url}</span></p> })}
                </div>
            </Show>
        }
        .into_any()
    }
}
