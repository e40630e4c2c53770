//! Form parts for products: price with currency, and billing interval.

use leptos::prelude::*;
use settlekit_core::chain::ChainDetail;
use settlekit_core::plan::RecurringInterval;

use crate::form::Form;
use crate::form::body::Fields;
use crate::form::field::{DecimalInput, Field, Input, SelectField, TextField, understood};
use crate::form::input::FieldKind;
use crate::form::options::chains;
use crate::shell::{Loaded, load_failure};
use crate::text;
use crate::ui::{Panel, input_id};

/// Default currency: a price in dollars can be paid in any asset.
const CURRENCY: &str = "USD";

/// Currencies for prices: dollars and the assets of all chains.
fn currencies(chains: Loaded<Vec<ChainDetail>>) -> Memo<Vec<String>> {
    Memo::new(move |_| {
        let mut all = vec![CURRENCY.to_owned()];
        chains.state.with(|chains| {
            let chains = chains.ready().into_iter().flatten();
            for asset in chains.flat_map(|chain| &chain.assets) {
                let symbol = asset.symbol.to_string();
                if !all.contains(&symbol) {
                    all.push(symbol);
                }
            }
        });
        all
    })
}

/// The body fields of a price: the amount, and its currency.
pub(crate) fn price_of(form: Form, name: &'static str) -> (RwSignal<String>, RwSignal<String>) {
    let currency = form.input("currency", FieldKind::Text, CURRENCY.to_owned());
    (form.text(name), currency)
}

#[component]
pub(crate) fn PriceField(
    form: Form,
    /// Name of the amount in the body.
    name: &'static str,
    /// Price and currency, if the form shows them; else they are only sent.
    #[prop(optional)]
    values: Option<(RwSignal<String>, RwSignal<String>)>,
) -> impl IntoView {
    let (price, currency) = values.unwrap_or_else(|| price_of(form, name));
    let chains = chains();
    let currencies = currencies(chains);
    let chosen = move |symbol: String| move || currency.get() == symbol;
    form.register_field("currency");
    let decimal = DecimalInput::new(price);
    view! {
        <Field form=form name=name label=text::price()>
            <div class="joined">
                <Input form=form name=name value=price kind="decimal" decimal=Some(decimal) placeholder="25.00" />
                <select class="input" name="currency" aria-label=text::currency() on:change=move |event| currency.set(event_target_value(&event))>
                    <For each=move || currencies.get() key=Clone::clone let(symbol)>
                        <option value=symbol.clone() selected=chosen(symbol.clone())>{symbol.clone()}</option>
                    </For>
                </select>
            </div>
            {understood(decimal)}
            {load_failure(chains)}
        </Field>
    }
}

/// A billing interval, as typed.
#[derive(Clone, Copy)]
pub(crate) struct BillingInterval {
    kind: RwSignal<String>,
    interval: RwSignal<String>,
    count: RwSignal<String>,
    trial: RwSignal<String>,
    /// Unit of the trial in ISO 8601: D, W or M.
    trial_unit: RwSignal<String>,
    /// Names of interval and count in the body.
    names: (&'static str, &'static str),
}

impl BillingInterval {
    pub(crate) fn new(names: (&'static str, &'static str)) -> Self {
        Self {
            kind: RwSignal::new("OneTime".to_owned()),
            interval: RwSignal::new("Month".to_owned()),
            count: RwSignal::new(String::new()),
            trial: RwSignal::new(String::new()),
            trial_unit: RwSignal::new("D".to_owned()),
            names,
        }
    }

    fn recurs(self) -> bool {
        self.kind.with(|kind| kind == "Recurring")
    }

    /// The interval and the trial as text; none for a one-time payment. Tracked.
    pub(crate) fn as_text(self) -> Option<String> {
        let count = self.count.with(|count| count.trim().parse().ok());
        let interval = self
            .recurs()
            .then(|| text::billing_interval_text(&self.interval.get(), count))?;
        Some(match self.trial_period() {
            Some(trial) => text::interval_and_trial(&interval, &trial),
            None => interval,
        })
    }

    /// The trial in ISO 8601, as typed; none without one. Tracked.
    fn trial_period(self) -> Option<String> {
        let count = self.trial.with(|count| count.trim().to_owned());
        (self.recurs() && !count.is_empty()).then(|| format!("P{count}{}", self.trial_unit.get()))
    }

    /// The trial as text; none without one, or if it is not a whole number. Tracked.
    pub(crate) fn trial_text(self) -> Option<String> {
        let period = self.trial_period()?;
        let text = text::period(&period);
        (text != period).then_some(text)
    }

    /// Adds the body fields.
    pub(crate) fn fields(self, fields: Fields) -> Fields {
        let (interval, count) = self.names;
        let recurs = untrack(|| self.recurs());
        let when = |value: RwSignal<String>| {
            if recurs {
                value.get_untracked()
            } else {
                String::new()
            }
        };
        let trial = untrack(|| self.trial_period()).unwrap_or_default();
        fields
            .text("type", &self.kind.get_untracked())
            .text(interval, &when(self.interval))
            .number(count, &when(self.count))
            .text("trial_period", &trial)
    }
}

#[component]
pub(crate) fn BillingIntervalFields(form: Form, billing: BillingInterval) -> impl IntoView {
    let (interval, count) = billing.names;
    let kinds = [("OneTime", text::once()), ("Recurring", text::recurring())];
    let intervals = Signal::stored(
        RecurringInterval::KNOWN
            .iter()
            .filter(|word| **word != "Unknown")
            .map(|word| ((*word).to_owned(), text::words(word)))
            .collect::<Vec<_>>(),
    );
    let more = move || {
        view! {
            <TextField form=form name=count label=text::interval_count() value=billing.count kind="number" hint=text::interval_count_hint() optional=true />
            <SelectField form=form name=interval label=text::interval() value=billing.interval options=intervals set=true />
            <TrialField form=form billing=billing />
        }
        .into_any()
    };
    view! {
        <Panel title=text::billed() class="panel-body fields two">
            <Field form=form name="type" label=text::type_() whole=true>
                <div class="segments" id=input_id("type") role="group" aria-label=text::type_()>
                    {kinds.map(|(value, label)| view! {
                        <button
                            type="button"
                            aria-pressed=move || billing.kind.with(|kind| kind == value).to_string()
                            on:click=move |_| billing.kind.set(value.to_owned())
                        >{label}</button>
                    })}
                </div>
            </Field>
            <Show when=move || billing.recurs()>{more()}</Show>
        </Panel>
    }
}

#[component]
fn TrialField(form: Form, billing: BillingInterval) -> impl IntoView {
    let units = [
        ("D", text::in_days()),
        ("W", text::in_weeks()),
        ("M", text::in_months()),
    ];
    let set = move |event| {
        billing.trial_unit.set(event_target_value(&event));
        form.clear_error("trial_period");
    };
    view! {
        <Field form=form name="trial_period" label=text::trial() optional=true>
            <div class="joined">
                <Input form=form name="trial_period" value=billing.trial kind="decimal" placeholder="14" />
                <select class="input" name="trial_unit" aria-label=text::trial_unit() on:change=set>
                    {units.map(|(unit, name)| view! { <option value=unit selected=move || billing.trial_unit.with(|chosen| chosen == unit)>{name}</option> })}
                </select>
            </div>
        </Field>
    }
}
