//! Entries of the palette: pages, actions, recent records, and found records with amount and status.

use leptos::prelude::*;
use serde_json::{Value, json};
use settlekit_core::customer::CustomerItem;
use settlekit_core::find::{Found, FoundKind};
use settlekit_core::operation::Scope::{self, Manage, Payout, Read, Write};
use settlekit_core::paylink::{Paylink, PaylinkState};
use settlekit_core::value::Amount;
use wasm_bindgen::JsCast;

use crate::address::strip_base_path;
use crate::local_storage;
use crate::record::paylink;
use crate::text;

/// Number of recent records stored.
const RECENT: usize = 6;

/// Actions with their own page, and the required scope.
pub(super) fn action_pages() -> [(&'static str, &'static str, Scope); 9] {
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
pub(super) fn subpages() -> [(&'static str, &'static str, Scope); 13] {
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
pub(super) struct Entry {
    pub(super) words: String,
    pub(super) kind: &'static str,
    pub(super) to: String,
    /// Amount and currency.
    pub(super) amount: Option<(Amount, String)>,
    /// Status on the wire.
    pub(super) status: Option<String>,
    /// Id of the record; none of a page or an action.
    pub(super) id: Option<String>,
}

impl Entry {
    fn with_amount(mut self, amount: Option<Amount>, currency: &str) -> Self {
        self.amount = amount.map(|amount| (amount, currency.to_owned()));
        self
    }

    fn with_status(mut self, word: Option<&str>) -> Self {
        self.status = word.map(str::to_owned);
        self
    }

    fn of_record(mut self, id: impl ToString) -> Self {
        self.id = Some(id.to_string());
        self
    }

    /// Takes what it lacks from another entry of the same record.
    pub(super) fn complete(&mut self, other: Self) {
        self.amount = self.amount.take().or(other.amount);
        self.status = self.status.take().or(other.status);
        self.id = self.id.take().or(other.id);
    }
}

pub(super) fn entry(words: impl Into<String>, kind: &'static str, to: impl Into<String>) -> Entry {
    Entry {
        words: words.into(),
        kind,
        to: to.into(),
        amount: None,
        status: None,
        id: None,
    }
}

/// Pages of the navigation.
pub(super) fn pages() -> Vec<Entry> {
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

pub(super) fn recent() -> Vec<Entry> {
    let all: Option<Vec<Value>> =
        local_storage::get(local_storage::RECENT).and_then(|text| serde_json::from_str(&text).ok());
    let read = |one: Value| {
        let text = |name: &str| one.get(name)?.as_str().map(str::to_owned);
        Some(entry(text("words")?, text::recent(), text("to")?))
    };
    all.into_iter().flatten().filter_map(read).collect()
}

pub(super) fn remember(chosen: &Entry) {
    let mut all = vec![chosen.clone()];
    all.extend(recent().into_iter().filter(|one| one.to != chosen.to));
    all.truncate(RECENT);
    let all: Vec<Value> = all
        .iter()
        .map(|one| json!({ "words": one.words, "to": one.to }))
        .collect();
    local_storage::set(local_storage::RECENT, &Value::Array(all).to_string());
}

pub(super) fn of_found(found: &Found) -> Option<Entry> {
    use text::money as words;
    let id = &found.id;
    let (kind, page) = match found.kind {
        FoundKind::Account => (text::account(), "/accounts/"),
        FoundKind::Customer => (text::customer(), "/customers?open="),
        FoundKind::Event => (text::event(), "/events?open="),
        FoundKind::ExternalAccount => (words::external_account(), "/external-accounts?open="),
        FoundKind::Invoice => (text::invoice(), "/invoices?open="),
        FoundKind::Movement => (text::movement_id(), "/movements?open="),
        FoundKind::Order => (words::order(), "/trade/orders?open="),
        FoundKind::Paylink => (text::paylink(), "/paylinks?open="),
        FoundKind::Payment => (text::payment(), "/payments?open="),
        FoundKind::Plan => (text::plan(), "/plans?open="),
        FoundKind::Quote => (words::quote(), "/trade/quotes?open="),
        FoundKind::Subscription => (text::subscription(), "/subscriptions?open="),
        FoundKind::Other(_) => return None,
    };
    let words = match (&found.title, &found.kind) {
        (Some(title), _) => match &found.chain {
            Some(chain) => format!("{title} · {}", chain.name),
            None => title.clone(),
        },
        (None, FoundKind::Movement) => text::movement_of(id),
        (None, _) => id.clone(),
    };
    let currency = found
        .currency
        .as_ref()
        .map_or("", |currency| currency.as_str());
    let entry = entry(words, kind, format!("{page}{id}"))
        .with_amount(found.amount, currency)
        .with_status(found.status.as_deref())
        .of_record(id);
    Some(entry)
}

pub(super) fn of_paylink(found: &Paylink) -> Entry {
    let to = format!("/paylinks?open={}", found.id);
    let entry = entry(paylink::display_name(found), text::paylink(), to)
        .with_status(found.state.as_ref().map(PaylinkState::as_str))
        .of_record(found.id);
    match &found.plan {
        Some(plan) => entry.with_amount(Some(plan.price), plan.currency.as_str()),
        None => entry,
    }
}

/// A customer, with what they spent.
pub(super) fn of_customer(found: &CustomerItem) -> Entry {
    let words = found.name.clone().or_else(|| found.email.clone());
    let words = words.unwrap_or_else(|| found.id.to_string());
    let to = format!("/customers?open={}", found.id);
    entry(words, text::customer(), to)
        .with_amount(found.spent_usd, "USD")
        .with_status(found.is_deleted.then_some("Deleted"))
        .of_record(found.id)
}
