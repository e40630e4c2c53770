//! Fields of filters. Each changes the URL.

use leptos::prelude::*;

use crate::shell::{Location, name};
use crate::text;
use crate::ui::{Options, local_number, plain_number};

/// A select; `none` is the label of the empty option.
#[component]
pub(crate) fn FilterSelect(
    label: &'static str,
    name: &'static str,
    options: Options,
    none: &'static str,
) -> impl IntoView {
    let location = Location::from_context();
    let value = Memo::new(move |_| location.get(name));
    let change = Callback::new(move |event: web_sys::Event| {
        location.filter(name, Some(event_target_value(&event)));
    });
    select_view(label, value, options, none, change)
}

fn select_view(
    label: &'static str,
    value: Memo<Option<String>>,
    options: Options,
    none: &'static str,
    change: Callback<web_sys::Event>,
) -> AnyView {
    // The URL may have another value, such as several words.
    let other = move || {
        let is_option = |value: &String| options.with(|all| all.iter().any(|(id, _)| id == value));
        let other = value.get().filter(|value| !is_option(value))?;
        let words = text::words(&other);
        Some(view! { <option value=other prop:selected=true>{words}</option> })
    };
    view! {
        <label class="filter">
            <span>{label}</span>
            <select class="input" on:change=move |event| change.run(event)>
                <option value="" prop:selected=move || value.with(Option::is_none)>{none}</option>
                <For each=move || options.get() key=Clone::clone let((id, words))>
                    {
                        let mine = id.clone();
                        view! { <option value=id prop:selected=move || value.with(|value| value.as_ref() == Some(&mine))>{words}</option> }
                    }
                </For>
                {other}
            </select>
        </label>
    }
    .into_any()
}

/// A text input, applied on Enter or blur.
#[component]
pub(crate) fn FilterText(
    label: &'static str,
    name: &'static str,
    hint: &'static str,
    /// Whether the text is a search term instead of an id.
    plain: bool,
) -> impl IntoView {
    let location = Location::from_context();
    view! {
        <label class="filter">
            <span>{label}</span>
            <input
                class=if plain { "input wide" } else { "input mono" } type="search" placeholder=hint autocomplete="off" spellcheck="false"
                prop:value=move || location.get(name).unwrap_or_default()
                on:change=move |event| location.filter(name, Some(event_target_value(&event).trim().to_owned()))
            />
        </label>
    }
}

/// First and last day, in the user's time zone.
#[component]
pub(crate) fn FilterDates() -> impl IntoView {
    let location = Location::from_context();
    let day = move |label: &'static str, name: &'static str| {
        view! {
            <label class="filter">
                <span>{label}</span>
                <input class="input" type="date" prop:value=move || location.get(name).unwrap_or_default() on:change=move |event| location.filter(name, Some(event_target_value(&event))) />
            </label>
        }
    };
    view! {
        {day(text::from_day(), name::SINCE)}
        {day(text::to_day(), name::UNTIL)}
    }
}

/// A currency, and the least and greatest amount in it.
#[component]
pub(crate) fn FilterAmounts(currencies: Options) -> impl IntoView {
    let location = Location::from_context();
    let currency = Memo::new(move |_| location.get(name::CURRENCY));
    let is_missing = Memo::new(move |_| currency.with(Option::is_none));
    // The service refuses amounts without a currency.
    let choose = Callback::new(move |event: web_sys::Event| {
        let chosen = event_target_value(&event);
        let mut changes = vec![(name::CURRENCY, Some(chosen.clone()))];
        if chosen.is_empty() {
            changes.extend([(name::AMOUNT_FROM, None), (name::AMOUNT_TO, None)]);
        }
        location.filter_all(&changes);
    });
    let bound = move |label: &'static str, name: &'static str| {
        let change = move |event: web_sys::Event| {
            let typed = event_target_value(&event);
            location.filter(name, Some(plain_number(typed.trim())));
        };
        view! {
            <label class="filter">
                <span>{label}</span>
                <input
                    class="input" type="text" inputmode="decimal" autocomplete="off" disabled=move || is_missing.get()
                    title=move || is_missing.get().then(text::amount_needs_currency)
                    prop:value=move || location.get(name).map(|plain| local_number(&plain)).unwrap_or_default()
                    on:change=change
                />
            </label>
        }
    };
    view! {
        {select_view(text::currency(), currency, currencies, text::any(), choose)}
        {bound(text::at_least(), name::AMOUNT_FROM)}
        {bound(text::at_most(), name::AMOUNT_TO)}
    }
}
