//! Filters, stored in the URL; active ones are visible and can be cleared with one click.

use leptos::prelude::*;

use crate::list::saved_views::SavedViews;
use crate::shell::{Location, name};
use crate::text;
use crate::ui::{Icon, Options, icon, local_number, options_of, plain_number};

/// A select with known options; `none` is the label of the empty one.
#[component]
pub(crate) fn SelectFilter(
    label: &'static str,
    name: &'static str,
    #[prop(into)] options: Options,
    #[prop(default = text::any())] none: &'static str,
) -> impl IntoView {
    let location = Location::from_context();
    view! {
        <label class="filter">
            <span>{label}</span>
            <select class="input" on:change=move |event| location.filter(name, Some(event_target_value(&event)))>
                <option value="" prop:selected=move || location.get(name).is_none()>{none}</option>
                <For each=move || options.get() key=Clone::clone let((id, words))>
                    {
                        let mine = id.clone();
                        view! { <option value=id prop:selected=move || location.get(name).as_ref() == Some(&mine)>{words}</option> }
                    }
                </For>
            </select>
        </label>
    }
}

/// A select of contract words.
#[component]
pub(crate) fn ChoiceFilter(
    label: &'static str,
    name: &'static str,
    words: &'static [&'static str],
) -> impl IntoView {
    view! { <SelectFilter label=label name=name options=options_of(words) /> }
}

/// A text input, applied on Enter or blur.
#[component]
pub(crate) fn TextFilter(
    label: &'static str,
    name: &'static str,
    hint: &'static str,
    /// Whether the text is a search term instead of an id.
    #[prop(optional)]
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

/// Names of the filters of [`DateFilter`].
pub(crate) const DATE_FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];

/// First and last day, in the user's time zone.
#[component]
pub(crate) fn DateFilter() -> impl IntoView {
    let location = Location::from_context();
    let day = move |label: &'static str, name: &'static str| {
        view! {
            <label class="filter">
                <span>{label}</span>
                <input class="input" type="date" prop:value=move || location.get(name).unwrap_or_default() on:change=move |event| location.filter(name, Some(event_target_value(&event))) />
            </label>
        }
    };
    let oldest = ("asc".to_owned(), text::oldest_first().to_owned());
    let oldest = Signal::stored(vec![oldest]);
    view! {
        {day(text::from_day(), name::SINCE)}
        {day(text::to_day(), name::UNTIL)}
        <SelectFilter label=text::order() name=name::SORT options=oldest none=text::newest_first() />
    }
}

/// A currency, and the least and greatest amount in it.
#[component]
pub(crate) fn AmountFilter(#[prop(into)] currencies: Options) -> impl IntoView {
    let location = Location::from_context();
    let currency = Memo::new(move |_| location.get(name::CURRENCY));
    // Amounts without a currency compare euros with ether: the service refuses them.
    let choose = move |event: web_sys::Event| {
        let chosen = event_target_value(&event);
        let mut changes = vec![(name::CURRENCY, Some(chosen.clone()))];
        if chosen.is_empty() {
            changes.extend([(name::AMOUNT_FROM, None), (name::AMOUNT_TO, None)]);
        }
        location.filter_all(&changes);
    };
    let bound = move |label: &'static str, name: &'static str| {
        let change = move |event: web_sys::Event| {
            let typed = event_target_value(&event);
            location.filter(name, Some(plain_number(typed.trim())));
        };
        view! {
            <label class="filter">
                <span>{label}</span>
                <input
                    class="input" type="text" inputmode="decimal" autocomplete="off"
                    disabled=move || currency.with(Option::is_none)
                    title=move || currency.with(Option::is_none).then(text::amount_needs_currency)
                    prop:value=move || location.get(name).map(|plain| local_number(&plain)).unwrap_or_default()
                    on:change=change
                />
            </label>
        }
    };
    // The currency in the URL may not be among the options.
    let other = move || {
        let known = |currency: &String| options_have(currencies, currency);
        let other = currency.get().filter(|currency| !known(currency))?;
        Some(view! { <option value=other.clone() prop:selected=true>{other.clone()}</option> })
    };
    view! {
        <label class="filter">
            <span>{text::currency()}</span>
            <select class="input" on:change=choose>
                <option value="" prop:selected=move || currency.with(Option::is_none)>{text::any()}</option>
                <For each=move || currencies.get() key=Clone::clone let((id, words))>
                    {
                        let mine = id.clone();
                        view! { <option value=id prop:selected=move || currency.with(|currency| currency.as_ref() == Some(&mine))>{words}</option> }
                    }
                </For>
                {other}
            </select>
        </label>
        {bound(text::at_least(), name::AMOUNT_FROM)}
        {bound(text::at_most(), name::AMOUNT_TO)}
    }
}

fn options_have(options: Options, value: &str) -> bool {
    options.with(|all| all.iter().any(|(id, _)| id == value))
}

/// Label of a filter's value, given the filter's name; none if the value is its own label, or until it is known.
pub(crate) type FilterLabel = Callback<&'static str, Option<String>>;

/// Label of a filter's value among its options.
pub(crate) fn label_among(location: Location, of: &'static str, options: Options) -> FilterLabel {
    FilterLabel::new(move |name| {
        let value = location.get(name).filter(|_| name == of)?;
        options.with(|all| {
            let one = all.iter().find(|(id, _)| *id == value);
            one.map(|(_, words)| words.clone())
        })
    })
}

/// Active filters, each with a remove button.
fn chips(
    location: Location,
    names: &'static [&'static str],
    label: Option<FilterLabel>,
) -> impl IntoView {
    names
        .iter()
        .filter_map(|name| {
            let value = location.get(name)?;
            let label = label.and_then(|label| label.run(name));
            let chip = match label {
                Some(label) => text::chip_labelled(name, &label),
                None => text::chip(name, &value),
            };
            Some(view! {
                <li><button type="button" class="chip" on:click=move |_| location.filter(name, None)><span class="hidden-text">{text::chip_clear()}" "</span>{chip}{icon(Icon::Close)}</button></li>
            })
        })
        .collect_view()
}

/// The row of filters; `names` are cleared by the button.
#[component]
pub(crate) fn Filters(
    names: &'static [&'static str],
    /// Labels of values that are ids.
    #[prop(optional)]
    label: Option<FilterLabel>,
    children: Children,
) -> impl IntoView {
    let location = Location::from_context();
    let set = Memo::new(move |_| {
        names
            .iter()
            .filter(|name| location.get(name).is_some())
            .count()
    });
    view! {
        <form class="filters" role="search" aria-label=text::filters() on:submit=|event| event.prevent_default()>
            {children()}
            <Show when=move || { set.get() > 0 }>
                <button type="button" class="button plain" on:click=move |_| location.clear(names)>
                    {icon(Icon::Close)}{move || text::clear_filters(set.get())}
                </button>
            </Show>
            <SavedViews />
            <Show when=move || { set.get() > 0 }><ul class="chips">{move || chips(location, names, label)}</ul></Show>
        </form>
    }
}
