//! A payload as a collapsible tree or as text. Text that is not JSON is shown unchanged.

use std::cell::Cell;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;

use crate::text;
use crate::ui::amount::count_text;
use crate::ui::copy::{CopyButton, copy};
use crate::ui::difference::field_path;
use crate::ui::focus::target_of;
use crate::ui::toast::Toasts;

/// Depth that is expanded initially.
const OPEN_DEPTH: usize = 2;
/// Minimum size in bytes for a search field.
const SEARCH_MIN: usize = 200;
/// Maximum number of fields shown initially.
const FIELDS_MAX: usize = 400;
/// Maximum number of characters shown initially.
const CHARS_MAX: usize = 20_000;

fn leaf(value: &Value) -> AnyView {
    let (class, shown) = match value {
        Value::String(text) => ("text", format!("\"{text}\"")),
        Value::Number(number) => ("number", number.to_string()),
        other => ("word", other.to_string()),
    };
    view! { <span class=class>{shown}</span> }.into_any()
}

/// A field and its children; none if it does not match or `left` is used up. `wanted` is in lower case.
fn node(
    name: Option<&str>,
    path: &str,
    value: &Value,
    depth: usize,
    wanted: &str,
    left: &Cell<usize>,
) -> Option<AnyView> {
    if left.get() == 0 {
        return None;
    }
    let named = name.is_some_and(|name| name.to_lowercase().contains(wanted));
    // A match on an object's name shows the whole object.
    let below = if named { "" } else { wanted };
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), value))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(index, value)| (index.to_string(), value))
            .collect(),
        _ => Vec::new(),
    };
    if children.is_empty() {
        let found = named || value.to_string().to_lowercase().contains(wanted);
        let label = name.map(|name| view! {
            <button type="button" class="name" data-path=path.to_owned() title=text::copy_of(path) aria-label=text::copy_of(path)>{name.to_owned()}":"</button>
        });
        if found {
            left.set(left.get() - 1);
        }
        return found.then(|| view! { <div class="leaf">{label}" "{leaf(value)}</div> }.into_any());
    }
    let summary = match value {
        Value::Array(items) => text::items_of(items.len()),
        _ => text::fields_of(children.len()),
    };
    let children: Vec<AnyView> = children
        .iter()
        .filter_map(|(name, value)| {
            let path = field_path(path, name);
            node(Some(name), &path, value, depth + 1, below, left)
        })
        .collect();
    let label = name.map(|name| view! { <span class="name">{name.to_owned()}": "</span> });
    let open = depth < OPEN_DEPTH || !wanted.is_empty();
    (!children.is_empty()).then(|| view! { <details open=open><summary>{label}<span class="name">{summary}</span></summary>{children}</details> }.into_any())
}

fn copy_path(toasts: Toasts, event: &web_sys::MouseEvent) {
    if let Some(path) = target_of(event).and_then(|pressed| pressed.get_attribute("data-path")) {
        spawn_local(async move {
            copy(toasts, &path, &path).await;
        });
    }
}

/// A payload with a switch between tree and text.
#[component]
pub(crate) fn Payload(#[prop(into)] source: String, #[prop(into)] what: String) -> impl IntoView {
    let parsed: Option<Value> = serde_json::from_str(&source).ok();
    let pretty = parsed
        .as_ref()
        .and_then(|value| serde_json::to_string_pretty(value).ok())
        .unwrap_or_else(|| source.clone());
    let structured = RwSignal::new(parsed.is_some());
    let can_fold = parsed.is_some();
    let can_search = can_fold && source.len() >= SEARCH_MIN;
    let typed = RwSignal::new(String::new());
    let whole = RwSignal::new(false);
    let size = source.len();
    let rest = move || view! { <button type="button" class="button small" on:click=move |_| whole.set(true)>{text::show_all_of(&count_text(size as u64))}</button> };
    let toasts = Toasts::from_context();
    let label = what.clone();
    let shown = {
        let pretty = pretty.clone();
        move || match (&parsed, structured.get()) {
            (Some(value), true) => {
                let wanted = typed.with(|typed| typed.trim().to_lowercase());
                let left = Cell::new(if whole.get() { usize::MAX } else { FIELDS_MAX });
                let found = node(None, "", value, 0, &wanted, &left).unwrap_or_else(|| {
                    view! { <p class="quiet">{text::not_in_payload()}</p> }.into_any()
                });
                let rest = (left.get() == 0).then(rest);
                view! { <div class="payload tree" tabindex="0" role="group" aria-label=label.clone() on:click=move |event| copy_path(toasts, &event)>{found}</div>{rest} }.into_any()
            }
            _ => {
                let end = pretty
                    .char_indices()
                    .nth(CHARS_MAX)
                    .map(|(at, _)| at)
                    .filter(|_| !whole.get());
                let shown =
                    end.map_or_else(|| pretty.clone(), |end| format!("{}…", &pretty[..end]));
                view! { <div class="payload" tabindex="0" role="group" aria-label=label.clone()><pre>{shown}</pre></div>{end.is_some().then(rest)} }.into_any()
            }
        }
    };
    view! {
        <div class="stack-tight">
            <div class="row">
                <h3 class="section-title">{what.clone()}</h3>
                <Show when=move || can_fold>
                    <div class="segments push">
                        <button type="button" aria-pressed=move || structured.get().to_string() on:click=move |_| structured.set(true)>{text::tree()}</button>
                        <button type="button" aria-pressed=move || (!structured.get()).to_string() on:click=move |_| structured.set(false)>{text::raw()}</button>
                    </div>
                </Show>
                <CopyButton text=pretty what=what />
            </div>
            <Show when=move || can_search && structured.get()>
                <input class="input payload-search" type="search" aria-label=text::search_payload() placeholder=text::search_payload() autocomplete="off" spellcheck="false" prop:value=typed on:input=move |event| typed.set(event_target_value(&event)) />
            </Show>
            {shown}
        </div>
    }
}
