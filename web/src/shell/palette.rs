//! Command palette: finds pages, actions and records by text, independent of filters.

use std::str::FromStr;

use leptos::prelude::*;
use serde_json::{Value, json};
use settlekit_core::customer::{ListCustomers, ListCustomersQuery};
use settlekit_core::external_account::{ExternalAccount, ListExternalAccounts};
use settlekit_core::find::{FindRecords, FindRecordsQuery, Found, FoundKind};
use settlekit_core::operation::Scope::{self, Manage, Payout, Read, Write};
use settlekit_core::page::{Limit, ListQuery};
use settlekit_core::value::{
    CustomerId, EventId, InvoiceId, OrderId, PaylinkId, PaymentId, PlanId, QuoteId, SubscriptionId,
};
use wasm_bindgen::JsCast;

use crate::address::strip_base_path;
use crate::api;
use crate::local_storage;
use crate::session::Session;
use crate::shell::load::load;
use crate::shell::navigation::Location;
use crate::text;
use crate::ui::{Dialog, Icon, after_paint, count_text, icon};

/// Number of recent records stored.
const RECENT: usize = 6;
/// Debounce of the search while typing.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(180);
/// Maximum number of customers shown.
const CUSTOMERS_MAX: u32 = 5;
/// Minimum length of a text to search for.
const LETTERS_MIN: usize = 3;

/// Page of the records with an id prefix.
struct IdPage {
    prefix: &'static str,
    page: &'static str,
    kind: &'static str,
    is_id: fn(&str) -> bool,
}

fn id_page<Id: FromStr>(prefix: &'static str, page: &'static str, kind: &'static str) -> IdPage {
    IdPage {
        prefix,
        page,
        kind,
        is_id: |text| text.parse::<Id>().is_ok(),
    }
}

fn id_pages() -> [IdPage; 9] {
    [
        id_page::<PaymentId>(PaymentId::PREFIX, "/payments", text::payment()),
        id_page::<CustomerId>(CustomerId::PREFIX, "/customers", text::customer()),
        id_page::<SubscriptionId>(
            SubscriptionId::PREFIX,
            "/subscriptions",
            text::subscription(),
        ),
        id_page::<InvoiceId>(InvoiceId::PREFIX, "/invoices", text::invoice()),
        id_page::<PlanId>(PlanId::PREFIX, "/plans", text::plan()),
        id_page::<PaylinkId>(PaylinkId::PREFIX, "/paylinks", text::paylink()),
        id_page::<EventId>(EventId::PREFIX, "/events", text::event()),
        id_page::<OrderId>(OrderId::PREFIX, "/trade/orders", text::money::order()),
        id_page::<QuoteId>(QuoteId::PREFIX, "/trade/quotes", text::money::quote()),
    ]
}

/// Page of the record with this id; none if it is not a complete id, or of another kind.
fn page_of_id(id: &str) -> Option<IdPage> {
    let mut all = id_pages().into_iter();
    all.find(|page| id.starts_with(page.prefix) && (page.is_id)(id))
}

/// Path of the record with this id; none if it is not a complete id, or of another kind.
pub(crate) fn address_of(id: &str) -> Option<String> {
    page_of_id(id).map(|IdPage { page, .. }| format!("{page}?open={id}"))
}

/// Actions with their own page, and the required scope.
fn action_pages() -> [(&'static str, &'static str, Scope); 9] {
    use text::money as words;
    [
        (text::create_paylink(), "/paylinks/new", Write),
        (text::create_plan(), "/plans/new", Write),
        (text::create_subscription(), "/subscriptions/new", Write),
        (words::create_account(), "/accounts/new", Write),
        (words::create_payment(), "/payments?new=1", Write),
        (words::create_payout(), "/payouts/new", Payout),
        (words::add_external(), "/external-accounts?new=1", Payout),
        (text::verify(), "/events/verify", Read),
        (text::create_key(), "/settings/api-keys", Manage),
    ]
}

/// Subpages that are not in the navigation, and the required scope.
fn subpages() -> [(&'static str, &'static str, Scope); 13] {
    use text::money as words;
    [
        (words::rfq_desk(), "/trade/rfq", Read),
        (words::quotes(), "/trade/quotes", Read),
        (words::orders(), "/trade/orders", Read),
        (words::markets(), "/trade/markets", Read),
        (words::sub_merchants(), "/sub-merchants", Read),
        (words::rates(), "/trade/markets?view=rates", Read),
        (text::payment_pages(), "/settings/checkout", Read),
        (text::members(), "/settings/members", Read),
        (text::webhooks(), "/settings/webhooks", Read),
        (text::api_keys(), "/settings/api-keys", Manage),
        (text::signing_secret(), "/settings/signing-secret", Manage),
        (text::password(), "/settings/password", Read),
        (text::appearance(), "/settings/appearance", Read),
    ]
}

#[derive(Debug, Clone, PartialEq)]
struct Entry {
    words: String,
    kind: &'static str,
    to: String,
}

fn entry(words: impl Into<String>, kind: &'static str, to: impl Into<String>) -> Entry {
    Entry {
        words: words.into(),
        kind,
        to: to.into(),
    }
}

/// Pages of the navigation.
fn pages() -> Vec<Entry> {
    let Ok(links) = document().query_selector_all("#side .nav a") else {
        return Vec::new();
    };
    (0..links.length())
        .filter_map(|at| links.get(at)?.dyn_into::<web_sys::Element>().ok())
        .filter(|link| !link.has_attribute("rel"))
        .filter_map(|link| {
            // The first text node is the name; a count may follow.
            let words = (0..link.child_nodes().length())
                .filter_map(|at| link.child_nodes().get(at))
                .find(|node| node.node_type() == web_sys::Node::TEXT_NODE)?
                .text_content()?;
            Some(entry(
                words,
                text::page(),
                strip_base_path(&link.get_attribute("href")?),
            ))
        })
        .collect()
}

fn recent() -> Vec<Entry> {
    let all: Option<Vec<Value>> =
        local_storage::get(local_storage::RECENT).and_then(|text| serde_json::from_str(&text).ok());
    let read = |one: Value| {
        let text = |name: &str| one.get(name)?.as_str().map(str::to_owned);
        Some(entry(text("words")?, text::recent(), text("to")?))
    };
    all.into_iter().flatten().filter_map(read).collect()
}

fn remember(chosen: &Entry) {
    let mut all = vec![chosen.clone()];
    all.extend(recent().into_iter().filter(|one| one.to != chosen.to));
    all.truncate(RECENT);
    let all: Vec<Value> = all
        .iter()
        .map(|one| json!({ "words": one.words, "to": one.to }))
        .collect();
    local_storage::set(local_storage::RECENT, &Value::Array(all).to_string());
}

/// Whether the service is asked for a text: from the first digit, because ids of accounts are short.
fn is_searched(text: &str) -> bool {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number || text.chars().count() >= LETTERS_MIN
}

/// The record of a complete id, if the service does not search its kind.
fn by_shape(text: &str) -> Option<Entry> {
    let page = page_of_id(text).filter(|page| {
        matches!(
            page.prefix,
            PaylinkId::PREFIX | EventId::PREFIX | QuoteId::PREFIX
        )
    });
    page.map(|IdPage { page, kind, .. }| entry(text, kind, format!("{page}?open={text}")))
}

fn of_found(found: &Found) -> Option<Entry> {
    let id = &found.id;
    let (kind, page) = match found.kind {
        FoundKind::Account => (text::account(), "/accounts/"),
        FoundKind::Customer => (text::customer(), "/customers?open="),
        FoundKind::Invoice => (text::invoice(), "/invoices?open="),
        FoundKind::Payment => (text::payment(), "/payments?open="),
        FoundKind::Movement => {
            let to = format!("/movements?open={id}");
            return Some(entry(text::movement_of(id), text::movement_id(), to));
        }
        FoundKind::Plan => (text::plan(), "/plans?open="),
        FoundKind::Subscription => (text::subscription(), "/subscriptions?open="),
        FoundKind::Order => (text::money::order(), "/trade/orders?open="),
        FoundKind::Other(_) => return None,
    };
    let words = found.title.clone().unwrap_or_else(|| id.clone());
    Some(entry(words, kind, format!("{page}{id}")))
}

/// A payout destination that contains the lower-case text; the service does not search destinations.
fn of_destination(account: &ExternalAccount, lower: &str) -> Option<Entry> {
    let names = [&account.name, &account.reference, &account.address];
    let mut names = names.into_iter().flatten();
    let (id, kind) = (account.id, text::money::external_account());
    let words = names.clone().next().cloned();
    let words = words.unwrap_or_else(|| id.to_string());
    let is_found = names.any(|name| name.to_lowercase().contains(lower));
    is_found.then(|| entry(words, kind, format!("/external-accounts?open={id}")))
}

/// The palette, opened by Ctrl or Cmd with K, or by the button beside the navigation.
#[component]
pub(crate) fn Palette(
    open: RwSignal<bool>,
    /// Contents, given a placeholder until they are loaded.
    inside: fn(fn() -> AnyView) -> AnyView,
) -> impl IntoView {
    let close = Callback::new(move |()| open.set(false));
    let typed = RwSignal::new(String::new());
    provide_context(PaletteState { close, typed });
    // Paint the dialog before building its contents.
    let seen = RwSignal::new(false);
    Effect::new(move |_| {
        if open.get() {
            after_paint(move || {
                seen.try_set(true);
            });
        } else {
            seen.set(false);
            typed.set(String::new());
        }
    });
    view! {
        <Dialog open=open close=close title=text::palette()>
            {move || if seen.get() { untrack(|| inside(shape)) } else { shape() }}
        </Dialog>
    }
}

/// Placeholder; keeps text typed into it.
fn shape() -> AnyView {
    let PaletteState { typed, .. } = expect_context();
    let field = NodeRef::<leptos::html::Input>::new();
    take_focus(field);
    view! {
        <div class="palette" aria-busy="true">
            <input
                node_ref=field class="input" type="text" aria-label=text::palette() placeholder=text::palette_hint() autocomplete="off" spellcheck="false"
                prop:value=typed
                on:input=move |event| typed.set(event_target_value(&event))
            />
            <span class="bone plot"></span>
        </div>
    }
    .into_any()
}

/// Focuses the input once it is loaded.
fn take_focus(field: NodeRef<leptos::html::Input>) {
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            // Fails only for an unfocusable element.
            let _ = field.focus();
        }
    });
}

/// State shared by the palette and its contents.
#[derive(Clone, Copy)]
struct PaletteState {
    close: Callback<()>,
    typed: RwSignal<String>,
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
            query.list.limit = Limit::new(CUSTOMERS_MAX);
            query.search = Some(text);
            api::with_query(query)
        })
    });
    // Payout destinations are few: load them all.
    let destinations = load::<ListExternalAccounts>(move || {
        long_enough().map(|_| api::with_query(ListQuery::default()))
    });
    // Show no results until all searches have answered.
    let waits = move || {
        let text = typed.with(|text| text.trim().to_owned());
        let others = || {
            customers.is_loading().get() || customers.busy.get() || destinations.is_loading().get()
        };
        is_searched(&text)
            && (asked.get() != text
                || records.is_loading().get()
                || records.busy.get()
                || (text.chars().count() >= LETTERS_MIN && others()))
    };
    // A failed search must not look empty.
    let failures = [records.failed(), customers.failed(), destinations.failed()];
    let failed = move || {
        let failure = failures.into_iter().find_map(|failed| failed.get())?;
        searched().map(|_| format!("{}: {}", failure.title(), failure.sentences().0))
    };
    // Customers that are found, but not shown.
    let more = Memo::new(move |_| {
        let is_current = typed.with(|text| *text.trim() == *asked.get()) && !customers.busy.get();
        let more = customers.read(|page| page.total.saturating_sub(page.items.len() as u64));
        more.filter(|_| is_current).unwrap_or(0)
    });
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
        }
        if asked.get() == text && !customers.busy.get() {
            customers.read(|page| {
                all.extend(page.items.iter().map(|item| {
                    let words = item.name.clone().or_else(|| item.email.clone());
                    let words = words.unwrap_or_else(|| item.id.to_string());
                    entry(
                        words,
                        text::customer(),
                        format!("/customers?open={}", item.id),
                    )
                }));
                if more.get() > 0 {
                    let words = text::all_customers(&count_text(page.total));
                    let text = String::from(js_sys::encode_uri_component(&text));
                    all.push(entry(
                        words,
                        text::page(),
                        format!("/customers?search={text}"),
                    ));
                }
            });
        }
        let mut distinct: Vec<Entry> = Vec::new();
        for one in all {
            if !distinct.iter().any(|other| other.to == one.to) {
                distinct.push(one);
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
    let rows = move || {
        entries
            .get()
            .into_iter()
            .enumerate()
            .map(|(index, one)| {
                let (words, kind) = (one.words.clone(), one.kind);
                view! {
                    <li
                        id=format!("palette-{index}") role="option" class="palette-row"
                        aria-selected=move || (at.get() == index).to_string()
                        on:pointermove=move |_| { if at.get_untracked() != index { at.set(index); } }
                        on:click=move |_| choose(one.clone())
                    ><span class="palette-words">{words}</span><span class="quiet">{kind}</span></li>
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
            <p class="quiet palette-note" role="status">{icon(Icon::Search)}{move || {
                if waits() {
                    text::searching().to_owned()
                } else {
                    // The entry of all customers is no result.
                    let more = more.get() as usize;
                    let results = entries.with(Vec::len) + more - usize::from(more > 0);
                    failed().unwrap_or_else(|| text::found_of(results))
                }
            }}</p>
        </div>
    }
}
