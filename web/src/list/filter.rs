//! Filters of a list, stored in the URL. Each that is set has a chip, which opens an editor and can be cleared with one click. On
//! narrow screens the editors are in one sheet.

use leptos::html;
use leptos::prelude::*;
use leptos::task::{spawn_local, tick};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::list::filter_field::{FilterAmounts, FilterDates, FilterSelect, FilterText};
use crate::list::picker::{Picker, PickerSource};
use crate::list::saved_views::SavedViews;
use crate::shell::{Location, name};
use crate::text;
use crate::ui::{
    Drawer, Icon, Options, flush, focus, focus_inside, focused, icon, local_number, options_of,
};

/// Names of the filters of [`FilterSpec::by_date`].
pub(crate) const DATE_FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];

/// Selector of an open editor.
const OPEN_EDITOR: &str = ".filter-editor:popover-open";
/// Selector of the elements of an editor that can be focused.
const FIELDS: &str = ".filter-editor :is(input, select, button):not(:disabled)";

/// Label of a filter's value, given the filter's name; none if the value is its own label, or until it is known.
pub(crate) type FilterLabel = Callback<&'static str, Option<String>>;

/// Where a filter is shown while it is not set.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    /// As a field.
    Field,
    /// Among those that *Add filter* offers.
    Menu,
    /// Nowhere: only links set it.
    Nowhere,
}

/// A filter: its parameters in the URL and its editor.
#[derive(Clone)]
pub(crate) struct FilterSpec {
    label: &'static str,
    names: Vec<&'static str>,
    place: Place,
    value: Option<FilterLabel>,
    editor: ViewFn,
    /// Values that the tabs above the list show.
    in_tabs: &'static [&'static str],
}

impl FilterSpec {
    /// A filter with an editor of its own.
    pub(crate) fn new(
        label: &'static str,
        names: &[&'static str],
        editor: impl Fn() -> AnyView + Send + Sync + 'static,
    ) -> Self {
        Self {
            label,
            names: names.to_vec(),
            place: Place::Menu,
            value: None,
            editor: ViewFn::from(editor),
            in_tabs: &[],
        }
    }

    /// One of some options; `none` is the label of the empty one.
    pub(crate) fn options(
        label: &'static str,
        name: &'static str,
        options: impl Into<Options>,
        none: &'static str,
    ) -> Self {
        let options = options.into();
        let editor = move || {
            view! { <FilterSelect label=label name=name options=options none=none /> }.into_any()
        };
        Self::new(label, &[name], editor).labelled(label_among(name, options))
    }

    /// One of some words of the contract.
    pub(crate) fn choice(
        label: &'static str,
        name: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        Self::options(label, name, options_of(words), text::any())
    }

    /// An id or another text.
    pub(crate) fn text(label: &'static str, name: &'static str, hint: &'static str) -> Self {
        let editor =
            move || view! { <FilterText label=label name=name hint=hint plain=false /> }.into_any();
        Self::new(label, &[name], editor)
    }

    /// The search of the list, always shown.
    pub(crate) fn search(hint: &'static str) -> Self {
        let editor = move || {
            view! { <FilterText label=text::search() name=name::SEARCH hint=hint plain=true /> }
                .into_any()
        };
        Self::new(text::search(), &[name::SEARCH], editor).always_shown()
    }

    /// A record, chosen by its name.
    pub(crate) fn picker(
        label: &'static str,
        name: &'static str,
        source: PickerSource,
        picture: Icon,
    ) -> Self {
        let location = Location::from_context();
        let value = Signal::derive(move || location.get(name));
        let choose = Callback::new(move |id| location.filter(name, id));
        let editor = move || {
            let id = format!("filter-{name}-search");
            view! {
                <div class="filter picker">
                    <span>{label}</span>
                    <Picker source=source label=label id=id value=value choose=choose picture=picture />
                </div>
            }
            .into_any()
        };
        let record = (source.find)(value);
        let label_of = FilterLabel::new(move |_| record.name_of(&value.get()?));
        Self::new(label, &[name], editor).labelled(label_of)
    }

    /// A currency, and the least and greatest amount in it.
    pub(crate) fn amounts(currencies: impl Into<Options>) -> Self {
        let (location, currencies) = (Location::from_context(), currencies.into());
        let names = [name::CURRENCY, name::AMOUNT_FROM, name::AMOUNT_TO];
        let editor = move || view! { <FilterAmounts currencies=currencies /> }.into_any();
        let value = FilterLabel::new(move |name| {
            let plain = location.get(name).filter(|_| name != name::CURRENCY)?;
            Some(local_number(&plain))
        });
        Self::new(text::amount(), &names, editor).labelled(value)
    }

    /// First and last day, and the order.
    pub(crate) fn by_date() -> Vec<Self> {
        let oldest = ("asc".to_owned(), text::oldest_first().to_owned());
        let order = Signal::stored(vec![oldest]);
        let dates = || view! { <FilterDates /> }.into_any();
        vec![
            Self::new(text::when(), &[name::SINCE, name::UNTIL], dates),
            Self::options(text::order(), name::SORT, order, text::newest_first()),
        ]
    }

    /// Shows its editor always.
    pub(crate) fn always_shown(mut self) -> Self {
        self.place = Place::Field;
        self
    }

    /// Does not offer it: only links set it.
    pub(crate) fn by_link(mut self) -> Self {
        self.place = Place::Nowhere;
        self
    }

    /// Leaves these values to the tabs above the list: another one, which only links set, has a chip.
    pub(crate) fn in_tabs(mut self, values: &'static [&'static str]) -> Self {
        self.in_tabs = values;
        self.by_link()
    }

    /// Labels its values.
    pub(crate) fn labelled(mut self, value: FilterLabel) -> Self {
        self.value = Some(value);
        self
    }

    /// Its names and values as the chip shows them; none while it is not set. Tracked.
    fn shown(&self, location: Location) -> Option<String> {
        let part = |name: &&'static str| {
            let written = location.get(name)?;
            if self.in_tabs.contains(&written.as_str()) {
                return None;
            }
            let label = self.value.and_then(|value| value.run(*name));
            Some(match label {
                Some(label) => text::chip_labelled(name, &label),
                None => text::chip(name, &written),
            })
        };
        let parts: Vec<String> = self.names.iter().filter_map(part).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    /// Element id of its editor.
    fn id(&self) -> String {
        format!("filter-{}", self.names.join("-"))
    }
}

/// Label of a filter's value among its options.
fn label_among(of: &'static str, options: Options) -> FilterLabel {
    let location = Location::from_context();
    FilterLabel::new(move |name| {
        let value = location.get(name).filter(|_| name == of)?;
        options.with(|all| {
            let one = all.iter().find(|(id, _)| *id == value);
            one.map(|(_, words)| words.clone())
        })
    })
}

/// Whether a `toggle` event says that the popover is open now.
fn is_opening(event: &web_sys::Event) -> bool {
    let state = js_sys::Reflect::get(event, &"newState".into());
    state.is_ok_and(|state| state == "open")
}

/// Closes the open editor; the browser returns the focus to its chip.
fn close_editor() {
    if let Ok(Some(editor)) = document().query_selector(OPEN_EDITOR) {
        // Fails only if it is already closed.
        let _ = editor.unchecked_ref::<HtmlElement>().hide_popover();
    }
}

/// Focuses the button that adds a filter, or on narrow screens the one that opens the sheet. Only one of them is visible.
fn focus_add() {
    focus(".filters-open");
    focus(".add-filter > button");
}

/// A filter as its chip shows it.
#[derive(Clone)]
struct Chip {
    filter: FilterSpec,
    shown: Memo<Option<String>>,
    /// Whether its editor is open.
    editing: RwSignal<bool>,
}

impl Chip {
    fn of(filter: FilterSpec, location: Location) -> Self {
        let read = filter.clone();
        Self {
            filter,
            shown: Memo::new(move |_| read.shown(location)),
            editing: RwSignal::new(false),
        }
    }

    /// Opens the editor of a filter that may not be set.
    fn open(&self) {
        let id = self.filter.id();
        self.editing.set(true);
        spawn_local(async move {
            // The chip is shown by then, and gets the focus back from the editor.
            tick().await;
            focus(&format!("#{id}-chip"));
            if let Some(editor) = document().get_element_by_id(&id) {
                // Fails only if it is already open.
                let _ = editor.unchecked_ref::<HtmlElement>().show_popover();
            }
        });
    }

    fn view(self, location: Location) -> AnyView {
        let (shown, editing) = (self.shown, self.editing);
        let (label, id) = (self.filter.label, self.filter.id());
        let (chip_id, target) = (format!("{id}-chip"), id.clone());
        let FilterSpec { names, editor, .. } = self.filter;
        let slot = NodeRef::<html::Li>::new();
        let toggle = move |event: web_sys::Event| {
            if is_opening(&event) {
                editing.set(true);
                spawn_local(async move {
                    tick().await;
                    if let Some(slot) = slot.try_get_untracked().flatten() {
                        focus_inside(&slot, FIELDS);
                    }
                });
            } else if editing.try_get_untracked() == Some(true) {
                // The last change may not be in the URL yet.
                flush();
                let is_set = shown.with_untracked(Option::is_some);
                let is_here = |element: HtmlElement| {
                    let slot = slot.get_untracked();
                    slot.is_some_and(|slot| slot.contains(Some(&element)))
                };
                let loses = !is_set && focused().is_none_or(is_here);
                editing.set(false);
                if loses {
                    focus_add();
                }
            }
        };
        let clear = move |_: web_sys::MouseEvent| {
            let cleared: Vec<_> = names.iter().map(|name| (*name, None)).collect();
            location.filter_all(&cleared);
            focus_add();
        };
        let clear_label =
            move || format!("{} {}", text::chip_clear(), shown.get().unwrap_or_default());
        view! {
            <li class="chip" node_ref=slot hidden=move || shown.with(Option::is_none) && !editing.get()>
                <button type="button" class="chip-open" id=chip_id popovertarget=target>
                    {move || shown.get().unwrap_or_else(|| label.to_owned())}
                </button>
                <Show when=move || shown.with(Option::is_some)>
                    <button type="button" class="chip-clear" aria-label=clear_label on:click=clear.clone()>{icon(Icon::Close)}</button>
                </Show>
                <div class="filter-editor" id=id popover="auto" role="group" aria-label=label on:toggle=toggle>
                    <Show when=move || editing.get()>
                        {editor.run()}
                        <button class="button small">{text::filter_done()}</button>
                    </Show>
                </div>
            </li>
        }
        .into_any()
    }
}

/// Button and menu of the filters that are not set.
fn add_filter(chips: &[Chip]) -> AnyView {
    let offered = chips.iter().filter(|chip| chip.filter.place == Place::Menu);
    let offered: Vec<Chip> = offered.cloned().collect();
    let shown: Vec<_> = offered.iter().map(|chip| chip.shown).collect();
    let none_left = move || {
        let mut shown = shown.iter();
        shown.all(|shown| shown.with(Option::is_some))
    };
    let row = |chip: Chip| {
        let (label, shown) = (chip.filter.label, chip.shown);
        view! {
            <li hidden=move || shown.with(Option::is_some)>
                <button type="button" class="offer" on:click=move |_| chip.open()>{label}</button>
            </li>
        }
    };
    let rows = offered.into_iter().map(row).collect_view();
    let toggle = |event: web_sys::Event| {
        if is_opening(&event) {
            focus("#add-filter li:not([hidden]) > button");
        }
    };
    view! {
        <li class="add-filter" hidden=none_left>
            <button type="button" class="button small" popovertarget="add-filter">{icon(Icon::Plus)}{text::add_filter()}</button>
            <div class="filter-menu" id="add-filter" popover="auto" role="group" aria-label=text::add_filter() on:toggle=toggle>
                <ul class="offers">{rows}</ul>
            </div>
        </li>
    }
    .into_any()
}

/// The filters of a list.
#[component]
pub(crate) fn FilterBar(filters: Vec<FilterSpec>) -> impl IntoView {
    let location = Location::from_context();
    // A tab is no filter that could be forgotten, so it is not cleared with them.
    let cleared = filters.iter().filter(|one| one.in_tabs.is_empty());
    let names: Vec<&'static str> = cleared.flat_map(|one| one.names.clone()).collect();
    let names = StoredValue::new(names);
    let set = Memo::new(move |_| {
        let is_set = |name: &&&str| location.get(name).is_some();
        names.with_value(|names| names.iter().filter(is_set).count())
    });
    let (fields, others): (Vec<_>, Vec<_>) = filters
        .into_iter()
        .partition(|filter| filter.place == Place::Field);
    let fields = fields.iter().map(|field| field.editor.run()).collect_view();
    let editors = StoredValue::new(others.clone());
    let chips: Vec<Chip> = others
        .into_iter()
        .map(|filter| Chip::of(filter, location))
        .collect();
    let add = (!chips.is_empty()).then(|| add_filter(&chips));
    let has_sheet = !chips.is_empty();
    let chips = chips
        .into_iter()
        .map(|chip| chip.view(location))
        .collect_view();
    let clear = move || {
        view! {
            <button type="button" class="button plain" on:click=move |_| names.with_value(|names| location.clear(names))>
                {icon(Icon::Close)}{move || text::clear_filters(set.get())}
            </button>
        }
    };
    let sheet = RwSignal::new(false);
    let close = Callback::new(move |()| sheet.set(false));
    // A history step changes the filters.
    let back = window_event_listener_untyped("popstate", move |_| sheet.set(false));
    on_cleanup(move || back.remove());
    let count = move || {
        let set = set.get();
        (set > 0).then(|| view! { <span class="count">{set}</span> })
    };
    let sheet_editors = move || {
        editors.with_value(|editors| {
            let editors = editors.iter().filter(|one| one.place == Place::Menu);
            editors.map(|one| one.editor.run()).collect_view()
        })
    };
    let finish = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        close.run(());
    };
    view! {
        <form class="filters" role="search" aria-label=text::filters() on:submit=|event| { event.prevent_default(); close_editor(); }>
            {fields}
            {has_sheet.then(|| view! {
                <button type="button" class="button filters-open" on:click=move |_| sheet.set(true)>{icon(Icon::Settings)}{text::filters()}{count}</button>
            })}
            <ul class="chips">{chips}{add}</ul>
            <Show when=move || { set.get() > 0 }>{clear()}</Show>
            <SavedViews />
        </form>
        <Drawer open=sheet close=close title=text::filters()>
            <form class="filter-sheet" on:submit=finish>
                {sheet_editors()}
                <div class="row">
                    <button class="button primary">{text::filter_done()}</button>
                    <Show when=move || { set.get() > 0 }>{clear()}</Show>
                </div>
            </form>
        </Drawer>
    }
}
