//! Contents of the command palette: finds pages, actions and records by text, independent of filters.

mod action;
mod entry;

use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::customer::{ListCustomers, ListCustomersQuery};
use settlekit_core::find::{FindRecords, FindRecordsQuery};
use settlekit_core::operation::Scope;
use settlekit_core::page::{Limit, Page};
use settlekit_core::paylink::{ListPaylinks, ListPaylinksQuery};

use crate::api;
use crate::remote::Remote;
use crate::session::Session;
use crate::shell::{Loaded, Location, PaletteState, load, take_focus};
use crate::text;
use crate::ui::{Icon, Toasts, amount, copy, count_text, icon, status_badge};

use action::{Act, Action, actions_on, load_payment};
use entry::{
    Entry, action_pages, entry, of_customer, of_found, of_paylink, pages, recent, remember,
    subpages,
};

/// Debounce of the search while typing.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(180);
/// Maximum number of customers shown, and of payment links.
const SHOWN_MAX: u32 = 5;
/// Minimum length of a text to search for.
const LETTERS_MIN: usize = 3;

/// Whether the service is asked for a text: from the first digit, because ids of accounts are short.
fn is_searched(text: &str) -> bool {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number || text.chars().count() >= LETTERS_MIN
}

/// Whether the answer to the current text is not there yet.
fn is_waiting<T: Send + Sync + 'static>(found: Loaded<T>) -> bool {
    found.state.with(Remote::is_loading) || found.busy.get()
}

/// Number of records on further pages.
fn more_of<T: Send + Sync + 'static>(found: Loaded<Page<T>>) -> u64 {
    if found.busy.get() {
        return 0;
    }
    let more = found.read(|page| page.total.saturating_sub(page.items.len() as u64));
    more.unwrap_or(0)
}

/// Contents of the palette; lazily loaded.
#[component]
pub(crate) fn PaletteContents() -> impl IntoView {
    let (location, session) = (Location::from_context(), Session::from_context());
    let PaletteState { close, typed } = expect_context();
    let field = NodeRef::<leptos::html::Input>::new();
    take_focus(field);
    let asked = RwSignal::new(String::new());
    let at = RwSignal::new(0_usize);
    Effect::new(move |_| {
        let text = typed.get().trim().to_owned();
        if let Ok(timer) = set_timeout_with_handle(
            move || {
                asked.try_set(text);
            },
            PAUSE,
        ) {
            on_cleanup(move || timer.clear());
        }
    });
    let long_enough = move || {
        let text = asked.get();
        (text.chars().count() >= LETTERS_MIN).then_some(text)
    };
    let searched = move || Some(asked.get()).filter(|text| is_searched(text));
    let records = load::<FindRecords>(move || {
        searched().map(|text| api::with_query(FindRecordsQuery { text }))
    });
    let customers = load::<ListCustomers>(move || {
        long_enough().map(|text| {
            let mut query = ListCustomersQuery::default();
            query.list.limit = Limit::new(SHOWN_MAX);
            query.search = Some(text);
            api::with_query(query)
        })
    });
    let paylinks = load::<ListPaylinks>(move || {
        long_enough().map(|text| {
            let mut query = ListPaylinksQuery::default();
            query.list.limit = Limit::new(SHOWN_MAX);
            query.search = Some(text);
            api::with_query(query)
        })
    });
    // Show no results until all searches have answered.
    let waits = move || {
        let text = typed.with(|text| text.trim().to_owned());
        let others = || is_waiting(customers) || is_waiting(paylinks);
        is_searched(&text)
            && (asked.get() != text
                || is_waiting(records)
                || (text.chars().count() >= LETTERS_MIN && others()))
    };
    // A failed search must not look empty.
    let failures = [records.failed(), customers.failed(), paylinks.failed()];
    let failed = move || {
        let failure = failures.into_iter().find_map(|failed| failed.get())?;
        searched().map(|_| format!("{}: {}", failure.title(), failure.sentences().0))
    };
    // Results that are found, but not shown.
    let is_current = move || typed.with(|text| *text.trim() == *asked.get());
    let more_customers = Memo::new(move |_| if is_current() { more_of(customers) } else { 0 });
    let more_paylinks = Memo::new(move |_| if is_current() { more_of(paylinks) } else { 0 });
    let pages = pages();
    let entries = Memo::new(move |_| {
        let text = typed.with(|text| text.trim().to_owned());
        // Omit entries that the role may not open.
        let allowed = |(.., scope): &(_, _, Scope)| session.is_allowed(*scope);
        let acts = action_pages().into_iter().filter(allowed);
        let acts = acts.map(|(words, to, _)| entry(words, text::act(), to));
        let below = subpages().into_iter().filter(allowed);
        let below = below.map(|(words, to, _)| entry(words, text::page(), to));
        let sandbox = session.record().filter(|record| record.sandbox);
        let sandbox = sandbox.map(|_| entry(text::sandbox(), text::page(), "/sandbox"));
        if text.is_empty() {
            return [recent(), pages.clone()].concat();
        }
        let lower = text.to_lowercase();
        let mut all: Vec<Entry> = Vec::new();
        // Known at once: an answer must not put another result under the Enter of somebody who goes to a page.
        let named = pages.iter().cloned().chain(below);
        let named = named.chain(sandbox).chain(acts);
        all.extend(named.filter(|entry| entry.words.to_lowercase().contains(&lower)));
        // Ignore results of an earlier text.
        if asked.get() == text && !records.busy.get() {
            records.read(|found| all.extend(found.iter().filter_map(of_found)));
        }
        let search = String::from(js_sys::encode_uri_component(&text));
        if asked.get() == text && !paylinks.busy.get() {
            paylinks.read(|page| {
                all.extend(page.items.iter().map(of_paylink));
                if more_paylinks.get() > 0 {
                    let words = text::all_paylinks(&count_text(page.total));
                    let to = format!("/paylinks?search={search}");
                    all.push(entry(words, text::page(), to));
                }
            });
        }
        if asked.get() == text && !customers.busy.get() {
            customers.read(|page| {
                all.extend(page.items.iter().map(of_customer));
                if more_customers.get() > 0 {
                    let words = text::all_customers(&count_text(page.total));
                    let to = format!("/customers?search={search}");
                    all.push(entry(words, text::page(), to));
                }
            });
        }
        let mut distinct: Vec<Entry> = Vec::new();
        for one in all {
            match distinct.iter_mut().find(|other| other.to == one.to) {
                Some(known) => known.complete(one),
                None => distinct.push(one),
            }
        }
        distinct
    });
    let choose = move |chosen: Entry| {
        remember(&chosen);
        close.run(());
        location.go(&chosen.to, false);
    };
    // The result whose actions are shown instead of the results.
    let acting: RwSignal<Option<Entry>> = RwSignal::new(None);
    let act_at = RwSignal::new(0_usize);
    let payment = load_payment(acting);
    let actions = Memo::new(move |_| {
        let entry = acting.get();
        entry.map(|entry| actions_on(session, &entry, payment))
    });
    let toasts = Toasts::from_context();
    let perform = move |action: Action| {
        if let Some(entry) = acting.get_untracked() {
            remember(&entry);
        }
        close.run(());
        match action.act {
            Act::Go(to) => location.go(&to, false),
            Act::Copy(copied, what) => spawn_local(async move {
                copy(toasts, &copied, what).await;
            }),
        }
    };
    let chosen = move || entries.with_untracked(|all| all.get(at.get_untracked()).cloned());
    // Whether the caret is at the end of the text, where the right arrow moves nothing.
    let is_at_end = move || {
        let field = field.get_untracked();
        let caret = field.and_then(|field| field.selection_end().ok().flatten());
        let length = typed.with_untracked(|text| text.encode_utf16().count());
        caret.is_none_or(|caret| caret as usize >= length)
    };
    let keydown = move |event: web_sys::KeyboardEvent| {
        let shown = actions.get_untracked();
        let last = match &shown {
            Some(actions) => actions.len(),
            None => entries.with_untracked(Vec::len),
        };
        let last = last.saturating_sub(1);
        let active = if shown.is_some() { act_at } else { at };
        match (event.key().as_str(), shown) {
            ("ArrowDown", _) => active.update(|at| *at = (*at + 1).min(last)),
            ("ArrowUp", _) => active.update(|at| *at = at.saturating_sub(1)),
            ("ArrowRight", None) if is_at_end() => {
                act_at.set(0);
                acting.set(chosen());
            }
            ("ArrowLeft", Some(_)) => acting.set(None),
            ("Escape", Some(_)) => {
                acting.set(None);
                // The dialog would close.
                event.stop_propagation();
            }
            ("Enter", Some(actions)) => {
                if let Some(action) = actions.get(act_at.get_untracked()).cloned() {
                    perform(action);
                }
            }
            ("Enter", None) => {
                if let Some(chosen) = chosen() {
                    choose(chosen);
                }
            }
            _ => return,
        }
        event.prevent_default();
    };
    // The entries of all customers and of all links are no results.
    let results = move || {
        let more = [more_customers.get(), more_paylinks.get()];
        let entries_of_all = more.iter().filter(|more| **more > 0).count();
        entries.with(Vec::len) + more.iter().sum::<u64>() as usize - entries_of_all
    };
    let rows = move || {
        entries
            .get()
            .into_iter()
            .enumerate()
            .map(|(index, one)| {
                let (words, kind) = (one.words.clone(), one.kind);
                let worth = one.amount.as_ref();
                let worth = worth.map(|(worth, currency)| amount(worth, currency));
                let status = one.status.as_deref().map(|word| status_badge(word, None));
                view! {
                    <li
                        id=format!("palette-{index}") role="option" class="palette-row"
                        aria-selected=move || (at.get() == index).to_string()
                        on:pointermove=move |_| { if at.get_untracked() != index { at.set(index); } }
                        on:click=move |_| choose(one.clone())
                    ><span class="palette-words">{words}</span>{worth}{status}<span class="quiet">{kind}</span></li>
                }
            })
            .collect_view()
    };
    let action_row = move |(index, action): (usize, Action)| {
        let words = action.words;
        view! {
            <li
                id=format!("palette-act-{index}") role="option" class="palette-row"
                aria-selected=move || (act_at.get() == index).to_string()
                on:pointermove=move |_| { if act_at.get_untracked() != index { act_at.set(index); } }
                on:click=move |_| perform(action.clone())
            ><span class="palette-words">{words}</span></li>
        }
    };
    let list = move || match actions.get() {
        Some(actions) => {
            let rows = actions.into_iter().enumerate().map(action_row);
            rows.collect_view().into_any()
        }
        None => rows().into_any(),
    };
    let label = move || match acting.get() {
        Some(entry) => text::actions_for(&entry.words),
        None => text::palette().to_owned(),
    };
    let active = move || match actions.with(|actions| actions.as_ref().map(Vec::len)) {
        Some(count) => (act_at.get() < count).then(|| format!("palette-act-{}", act_at.get())),
        None => (at.get() < entries.with(Vec::len)).then(|| format!("palette-{}", at.get())),
    };
    let note = move || {
        if waits() {
            return text::searching().to_owned();
        }
        let said = || acting.get().map(|entry| text::actions_for(&entry.words));
        failed()
            .or_else(said)
            .unwrap_or_else(|| text::found_of(results()))
    };
    // Before a search, the pages fill the list.
    let keys =
        move || (!waits() && searched().is_some() && results() > 0).then(text::palette_actions);
    view! {
        <div class="palette">
            <input
                node_ref=field class="input" type="text" role="combobox" aria-label=text::palette() aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list"
                aria-activedescendant=active
                placeholder=text::palette_hint() autocomplete="off" spellcheck="false" autofocus
                prop:value=typed
                on:input=move |event| { typed.set(event_target_value(&event)); at.set(0); acting.set(None); }
                on:keydown=keydown
            />
            <ul id="palette-list" role="listbox" aria-label=label>{list}</ul>
            <p class="quiet palette-note" role="status">
                {icon(Icon::Search)}
                <span>{note}</span>
                <span>{keys}</span>
            </p>
        </div>
    }
}
