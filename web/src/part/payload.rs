//! A payload to look into: folded by its structure, or as text. What is no JSON is shown as it is.

use leptos::prelude::*;
use serde_json::Value;

use crate::part::copy::Copy;
use crate::text;

/// How deep a payload is unfolded at first.
const OPEN_DEPTH: usize = 2;

fn leaf(value: &Value) -> AnyView {
    let (class, shown) = match value {
        Value::String(text) => ("text", format!("\"{text}\"")),
        Value::Number(number) => ("number", number.to_string()),
        other => ("word", other.to_string()),
    };
    view! { <span class=class>{shown}</span> }.into_any()
}

fn node(name: Option<String>, value: &Value, depth: usize) -> AnyView {
    let label = name.map(|name| view! { <span class="name">{name}": "</span> });
    let (children, summary): (Vec<(String, &Value)>, String) = match value {
        Value::Object(fields) if !fields.is_empty() => (
            fields
                .iter()
                .map(|(name, value)| (name.clone(), value))
                .collect(),
            text::fields_of(fields.len()),
        ),
        Value::Array(items) if !items.is_empty() => (
            items
                .iter()
                .enumerate()
                .map(|(index, value)| (index.to_string(), value))
                .collect(),
            text::items_of(items.len()),
        ),
        _ => return view! { <div class="leaf">{label}{leaf(value)}</div> }.into_any(),
    };
    let children = children
        .into_iter()
        .map(|(name, value)| node(Some(name), value, depth + 1))
        .collect_view();
    view! { <details open=depth < OPEN_DEPTH><summary>{label}<span class="name">{summary}</span></summary>{children}</details> }.into_any()
}

/// A payload with a switch between its structure and its text.
#[component]
pub(crate) fn Payload(#[prop(into)] source: String, #[prop(into)] what: String) -> impl IntoView {
    let parsed: Option<Value> = serde_json::from_str(&source).ok();
    let pretty = parsed
        .as_ref()
        .and_then(|value| serde_json::to_string_pretty(value).ok())
        .unwrap_or_else(|| source.clone());
    let structured = RwSignal::new(parsed.is_some());
    let can_fold = parsed.is_some();
    let label = what.clone();
    let shown = {
        let pretty = pretty.clone();
        move || {
            match (&parsed, structured.get()) {
            (Some(value), true) => view! { <div class="payload tree" tabindex="0" role="group" aria-label=label.clone()>{node(None, value, 0)}</div> }.into_any(),
            _ => view! { <div class="payload" tabindex="0" role="group" aria-label=label.clone()><pre>{pretty.clone()}</pre></div> }.into_any(),
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
                <Copy text=pretty what=what />
            </div>
            {shown}
        </div>
    }
}
