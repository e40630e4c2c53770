//! Filters: each reads and writes the address; active ones are visible and cleared with one click.

use leptos::prelude::*;

use crate::list::saved_views::SavedViews;
use crate::shell::navigation::{Location, name};
use crate::text;
use crate::ui::icon::{Icon, icon};

/// A choice among the words of the contract.
#[component]
pub(crate) fn ChoiceFilter(
    label: &'static str,
    name: &'static str,
    words: &'static [&'static str],
) -> impl IntoView {
    let location = Location::from_context();
    view! {
        <label class="filter">
            <span>{label}</span>
            <select class="input" prop:value=move || location.get(name).unwrap_or_default() on:change=move |event| location.filter(name, Some(event_target_value(&event)))>
                <option value="">{text::any()}</option>
                {words.iter().map(|word| view! {
                    <option value=*word selected=move || location.get(name).as_deref() == Some(*word)>{text::words(word)}</option>
                }).collect_view()}
            </select>
        </label>
    }
}

/// A text, taken when the reader presses Enter or leaves the field.
#[component]
pub(crate) fn TextFilter(
    label: &'static str,
    name: &'static str,
    hint: &'static str,
    /// Whether words are looked for, and not an id.
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

/// First and last day, in the reader's zone.
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
    view! {
        {day(text::from_day(), name::SINCE)}
        {day(text::to_day(), name::UNTIL)}
        <label class="filter">
            <span>{text::order()}</span>
            <select class="input" on:change=move |event| location.filter(name::SORT, Some(event_target_value(&event)))>
                <option value="" prop:selected=move || location.get(name::SORT).is_none()>{text::newest_first()}</option>
                <option value="asc" prop:selected=move || location.get(name::SORT).as_deref() == Some("asc")>{text::oldest_first()}</option>
            </select>
        </label>
    }
}

/// What the value of a filter is called by people, given the filter's name; none where the value says it itself, or until
/// it is known.
pub(crate) type FilterLabel = Callback<&'static str, Option<String>>;

/// What the value of one filter is called among what it offers.
pub(crate) fn label_among(
    location: Location,
    of: &'static str,
    options: Signal<Vec<(String, String)>>,
) -> FilterLabel {
    FilterLabel::new(move |name| {
        let value = location.get(name).filter(|_| name == of)?;
        options.with(|all| {
            let one = all.iter().find(|(id, _)| *id == value);
            one.map(|(_, words)| words.clone())
        })
    })
}

/// What is set, each with its way out.
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
            let chip = text::chip(name, &label.unwrap_or(value));
            Some(view! {
                <li><button type="button" class="chip" on:click=move |_| location.filter(name, None)><span class="hidden-text">{text::chip_clear()}" "</span>{chip}{icon(Icon::Close)}</button></li>
            })
        })
        .collect_view()
}

/// The row of filters; `names` are those that the button clears.
#[component]
pub(crate) fn Filters(
    names: &'static [&'static str],
    /// What values are called that are ids.
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
