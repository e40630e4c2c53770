//! Contents of the command palette: finds pages, actions and records by text, independent of filters.

mod entry;

use leptos::prelude::*;
use settlekit_core::account::ListAccounts;
use settlekit_core::customer::{ListCustomers, ListCustomersQuery};
use settlekit_core::external_account::ListExternalAccounts;
use settlekit_core::find::{FindRecords, FindRecordsQuery};
use settlekit_core::operation::Scope;
use settlekit_core::page::{LIMIT_MAX, Limit, ListQuery, Page};
use settlekit_core::paylink::{ListPaylinks, ListPaylinksQuery};
use settlekit_core::plan::ListPlans;

use crate::api;
use crate::remote::Remote;
use crate::session::Session;
use crate::shell::{Loaded, Location, PaletteState, load, take_focus};
use crate::text;
use crate::ui::{Icon, amount, count_text, icon, status_badge};

use entry::{
    Entry, action_pages, by_shape, entry, of_account, of_customer, of_destination, of_found,
    of_paylink, of_plan, pages, recent, remember, subpages,
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
    // The service searches no names of these: load the newest.
    let newest = move || long_enough().map(|_| ListQuery::default());
    let destinations = load(move || newest().map(api::with_query::<ListExternalAccounts>));
    let accounts = load(move || newest().map(api::with_query::<ListAccounts>));
    let plans = load(move || newest().map(api::with_query::<ListPlans>));
    // Show no results until all searches have answered.
    let waits = move || {
        let text = typed.with(|text| text.trim().to_owned());
        let others = || {
            is_waiting(customers)
                || is_waiting(paylinks)
                || is_waiting(destinations)
                || is_waiting(accounts)
                || is_waiting(plans)
        };
        is_searched(&text)
            && (asked.get() != text
                || is_waiting(records)
                || (text.chars().count() >= LETTERS_MIN && others()))
    };
    // A failed search must not look empty.
    let failures = [
        records.failed(),
        customers.failed(),
        paylinks.failed(),
        destinations.failed(),
        accounts.failed(),
        plans.failed(),
    ];
    let failed = move || {
        let failure = failures.into_iter().find_map(|failed| failed.get())?;
        searched().map(|_| format!("{}: {}", failure.title(), failure.sentences().0))
    };
    // Results that are found, but not shown.
    let is_current = move || typed.with(|text| *text.trim() == *asked.get());
    let more_customers = Memo::new(move |_| if is_current() { more_of(customers) } else { 0 });
    let more_paylinks = Memo::new(move |_| if is_current() { more_of(paylinks) } else { 0 });
    // Lists that have further records, which are not searched.
    let unsearched = move || {
        let lists = [
            (more_of(plans), text::plans()),
            (more_of(accounts), text::money::accounts()),
            (more_of(destinations), text::money::external_accounts()),
        ];
        let names = lists.into_iter().filter(|(more, _)| *more > 0);
        let names: Vec<&str> = names.map(|(_, name)| name).collect();
        let is_said = !names.is_empty() && long_enough().is_some();
        is_said.then(|| text::newest_searched(&count_text(LIMIT_MAX.into()), &names.join(", ")))
    };
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
        let mut all: Vec<Entry> = by_shape(&text).into_iter().collect();
        // Ignore results of an earlier text.
        if asked.get() == text && !records.busy.get() {
            records.read(|found| all.extend(found.iter().filter_map(of_found)));
        }
        let named = pages.iter().cloned().chain(below);
        let named = named.chain(sandbox).chain(acts);
        all.extend(named.filter(|entry| entry.words.to_lowercase().contains(&lower)));
        if text.chars().count() >= LETTERS_MIN {
            destinations.read(|page| {
                let items = page.items.iter();
                all.extend(items.filter_map(|one| of_destination(one, &lower)));
            });
            accounts.read(|page| {
                let items = page.items.iter();
                all.extend(items.filter_map(|one| of_account(one, &lower)));
            });
            plans.read(|page| {
                let items = page.items.iter();
                all.extend(items.filter_map(|one| of_plan(one, &lower)));
            });
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
    let keydown = move |event: web_sys::KeyboardEvent| {
        let last = entries.with_untracked(Vec::len).saturating_sub(1);
        match event.key().as_str() {
            "ArrowDown" => at.update(|at| *at = (*at + 1).min(last)),
            "ArrowUp" => at.update(|at| *at = at.saturating_sub(1)),
            "Enter" => {
                let chosen = entries.with_untracked(|all| all.get(at.get_untracked()).cloned());
                if let Some(chosen) = chosen {
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
    view! {
        <div class="palette">
            <input
                node_ref=field class="input" type="text" role="combobox" aria-label=text::palette() aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list"
                aria-activedescendant=move || (at.get() < entries.with(Vec::len)).then(|| format!("palette-{}", at.get()))
                placeholder=text::palette_hint() autocomplete="off" spellcheck="false" autofocus
                prop:value=typed
                on:input=move |event| { typed.set(event_target_value(&event)); at.set(0); }
                on:keydown=keydown
            />
            <ul id="palette-list" role="listbox" aria-label=text::palette()>{rows}</ul>
            <p class="quiet palette-note" role="status">
                {icon(Icon::Search)}
                <span>{move || if waits() { text::searching().to_owned() } else { failed().unwrap_or_else(|| text::found_of(results())) }}</span>
                {move || if waits() { None } else { unsearched().map(|note| view! { <span>{note}</span> }) }}
            </p>
        </div>
    }
}
