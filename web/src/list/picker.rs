//! A combobox that searches records by name, for filters and forms. Its value is an id; the chosen record is shown by name.

use leptos::html;
use leptos::prelude::*;

use crate::remote::Remote;
use crate::shell::{Loaded, failure_notice};
use crate::text;
use crate::ui::{Icon, icon};

/// Number of records offered at a time.
pub(crate) const OFFERED: u32 = 8;

/// A record that a picker offers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    pub(crate) id: String,
    pub(crate) name: String,
    /// More about it, such as its email.
    pub(crate) more: Option<String>,
}

/// Records that the service found.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    state: Signal<Remote<Vec<Choice>>>,
    /// Whether they belong to an earlier text.
    busy: Signal<bool>,
    retry: Callback<()>,
}

impl Found {
    pub(crate) fn of<T: Send + Sync + 'static>(
        loaded: Loaded<T>,
        choices: impl Fn(&T) -> Vec<Choice> + Send + Sync + 'static,
    ) -> Self {
        Self {
            state: Signal::derive(move || loaded.state.with(|state| state.map(&choices))),
            busy: loaded.busy.into(),
            retry: loaded.retry(),
        }
    }

    /// Name of the record with an id, once it is loaded. Tracked.
    pub(crate) fn name_of(self, id: &str) -> Option<String> {
        self.state.with(|state| {
            let mut choices = state.ready()?.iter();
            choices
                .find(|choice| choice.id == id)
                .map(|choice| choice.name.clone())
        })
    }
}

/// Where a picker finds its records.
#[derive(Clone, Copy)]
pub(crate) struct PickerSource {
    /// What can be searched for.
    pub(crate) hint: fn() -> &'static str,
    /// Says that nothing matches.
    pub(crate) none: fn() -> &'static str,
    /// Finds records by a text, all with an empty one; asks for nothing without a text.
    pub(crate) search: fn(Signal<Option<String>>) -> Found,
    /// Finds the record with an id; asks for nothing without one.
    pub(crate) find: fn(Signal<Option<String>>) -> Found,
}

/// Shows the chosen record and lets the user choose another.
#[component]
pub(crate) fn Picker(
    source: PickerSource,
    label: &'static str,
    /// Element id of the search field.
    id: String,
    /// Id of the chosen record.
    #[prop(into)]
    value: Signal<Option<String>>,
    choose: Callback<Option<String>>,
    picture: Icon,
    /// Called when the user types.
    #[prop(optional)]
    typing: Option<Callback<()>>,
) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let is_chosen = Memo::new(move |_| value.with(Option::is_some));
    let asked = Signal::derive(move || {
        let text = typed.with(|typed| typed.trim().to_owned());
        (!is_chosen.get()).then_some(text)
    });
    let (found, record) = ((source.search)(asked), (source.find)(value));
    let failed = Memo::new(move |_| {
        let failed = |found: Found| found.state.with(|state| state.failed().cloned());
        failed(found).or_else(|| failed(record))
    });
    let retry = Callback::new(move |()| {
        found.retry.run(());
        record.retry.run(());
    });
    let field = NodeRef::<html::Input>::new();
    let is_changing = StoredValue::new(false);
    Effect::new(move |_| {
        if let Some(field) = field.get()
            && is_changing.get_value()
        {
            is_changing.set_value(false);
            // Fails only for an unfocusable element.
            let _ = field.focus();
        }
    });
    let chosen = move || {
        let id = value.get()?;
        let name = record.name_of(&id).unwrap_or(id);
        let change = move |_| {
            is_changing.set_value(true);
            typed.set(String::new());
            choose.run(None);
        };
        Some(view! {
            <div class="row">
                {icon(picture)}<strong>{name}</strong>
                <button type="button" class="button small push" on:click=change>{text::change()}</button>
            </div>
        })
    };
    view! {
        {failure_notice(failed.into(), Some(retry))}
        {chosen}
        <Show when=move || !is_chosen.get()>
            <Search source=source label=label id=id.clone() typed=typed found=found choose=choose field=field typing=typing />
        </Show>
    }
}

/// The search field and the records found.
#[component]
fn Search(
    source: PickerSource,
    label: &'static str,
    id: String,
    typed: RwSignal<String>,
    found: Found,
    choose: Callback<Option<String>>,
    field: NodeRef<html::Input>,
    typing: Option<Callback<()>>,
) -> impl IntoView {
    // Index of the record that Enter chooses.
    let active: RwSignal<Option<usize>> = RwSignal::new(None);
    let choices = Memo::new(move |_| {
        let choices = found.state.with(|state| state.ready().cloned());
        choices.unwrap_or_default()
    });
    // Also after a text that finds the same records: Enter chooses the first.
    Effect::new(move |_| {
        choices.track();
        let is_searching = typed.with(|typed| !typed.trim().is_empty());
        active.set(is_searching.then_some(0));
    });
    let is_loading = Memo::new(move |_| found.state.with(Remote::is_loading));
    let is_empty = Memo::new(move |_| {
        let empty = |state: &Remote<Vec<Choice>>| state.ready().is_some_and(Vec::is_empty);
        found.state.with(empty)
    });
    let hint = (source.hint)();
    let (list, option) = (
        format!("{id}-list"),
        StoredValue::new(format!("{id}-option")),
    );
    let option_id = move |at: usize| option.with_value(|option| format!("{option}-{at}"));
    let press = move |event: web_sys::KeyboardEvent| {
        let count = choices.with_untracked(Vec::len);
        if count == 0 || event.is_composing() {
            return;
        }
        let at = active.get_untracked();
        match (event.key().as_str(), at) {
            ("ArrowDown", at) => active.set(Some(at.map_or(0, |at| (at + 1) % count))),
            ("ArrowUp", at) => active.set(Some((at.unwrap_or(0) + count - 1) % count)),
            ("Enter", Some(at)) => {
                let choice = choices.with_untracked(|all| all.get(at).cloned());
                if let Some(choice) = choice.filter(|_| !found.busy.get_untracked()) {
                    choose.run(Some(choice.id));
                }
            }
            _ => return,
        }
        // Enter would send the form.
        event.prevent_default();
    };
    let row = move |(at, choice): (usize, Choice)| {
        let id = choice.id;
        view! {
            <li
                class="offer" role="option" id=option_id(at)
                aria-selected=move || (active.get() == Some(at)).to_string()
                on:pointermove=move |_| active.set(Some(at))
                on:click=move |_| choose.run(Some(id.clone()))
            >
                <strong>{choice.name}</strong><span class="quiet">{choice.more}</span>
            </li>
        }
    };
    let rows = move || {
        choices
            .get()
            .into_iter()
            .enumerate()
            .map(row)
            .collect_view()
    };
    let current = move || active.get().map(option_id);
    view! {
        <input
            class="input" type="search" id=id placeholder=hint autocomplete="off" spellcheck="false" aria-label=label
            role="combobox" aria-autocomplete="list" aria-controls=list.clone() aria-activedescendant=current
            aria-expanded=move || choices.with(|all| !all.is_empty()).to_string()
            prop:value=typed node_ref=field on:keydown=press
            on:input=move |event| {
                typed.set(event_target_value(&event));
                if let Some(typing) = typing {
                    typing.run(());
                }
            }
        />
        <Show when=move || is_loading.get()><span class="bone b4 tall"></span></Show>
        <ul class="offers" role="listbox" id=list aria-label=label hidden=move || choices.with(Vec::is_empty)>{rows}</ul>
        <p class="quiet" role="status" hidden=move || !is_empty.get()>{move || is_empty.get().then(source.none)}</p>
    }
}
