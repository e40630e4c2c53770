//! Saved views: named filters. Some are built in; a user's own are stored in this browser, each with a link to share.

use leptos::html::Details;
use leptos::prelude::*;
use serde_json::{Value, json};

use crate::address::{base_path, link_target};
use crate::local_storage;
use crate::shell::Location;
use crate::text;
use crate::ui::{CopyButton, Icon, focus, icon};

/// Local storage key of the views, by page.
const KEY: &str = "settlekit.views";

/// Names and URLs of a page's saved views.
fn views_of(path: &str) -> Vec<(String, String)> {
    let all = local_storage::object(KEY);
    let views = all.get(path).and_then(Value::as_array);
    let read = |view: &Value| {
        let text = |name: &str| view.get(name)?.as_str().map(str::to_owned);
        Some((text("name")?, text("to")?))
    };
    views.into_iter().flatten().filter_map(read).collect()
}

/// Built-in views of a page: a filter and its value.
fn built_in_views(path: &str) -> &'static [(&'static str, &'static str)] {
    match path {
        "/movements" => &[("status", "Failed"), ("direction", "OUT")],
        "/payments" => &[("status", "Processing"), ("status", "Failed")],
        "/events" => &[
            ("delivery_status", "failed"),
            ("delivery_status", "pending"),
        ],
        "/subscriptions" => &[("status", "Active"), ("status", "Paused")],
        "/invoices" => &[("payment_status", "Pending"), ("payment_status", "Failed")],
        "/customers" => &[("visit_type", "repeat"), ("visit_type", "first-time")],
        _ => &[],
    }
}

fn store(path: &str, views: &[(String, String)]) {
    let mut all = local_storage::object(KEY);
    let views = views
        .iter()
        .map(|(name, to)| json!({ "name": name, "to": to }));
    all.insert(path.to_owned(), views.collect());
    local_storage::set(KEY, &Value::Object(all).to_string());
}

/// Menu of the page's views.
#[component]
pub(crate) fn SavedViews() -> impl IntoView {
    let location = Location::from_context();
    let path = untrack(|| location.path());
    let views = RwSignal::new(views_of(&path));
    let typed = RwSignal::new(String::new());
    // Another tab may have changed them.
    let now = move || views_of(&untrack(|| location.path()));
    let store = move |next: Vec<(String, String)>| {
        store(&untrack(|| location.path()), &next);
        views.set(next);
    };
    let add = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let name = typed.get_untracked().trim().to_owned();
        if name.is_empty() {
            return;
        }
        let mut next = now();
        next.retain(|(other, _)| *other != name);
        next.push((name, untrack(|| location.view())));
        store(next);
        typed.set(String::new());
    };
    let given = built_in_views(&path)
        .iter()
        .map(|(name, value)| {
            let to = format!("{path}?{name}={value}");
            view! { <li class="row"><a href=to>{text::chip(name, value)}</a></li> }
        })
        .collect_view();
    let origin = window().location().origin().unwrap_or_default() + &base_path();
    let row = move |(name, to): (String, String)| {
        let gone = name.clone();
        let remove = move |_| {
            let mut next = now();
            next.retain(|(other, _)| *other != gone);
            store(next);
        };
        view! {
            <li class="row">
                <a href=to.clone()>{name.clone()}</a>
                <span class="push"></span>
                <CopyButton text=format!("{origin}{to}") what=text::view_link_of(&name) />
                <button type="button" class="copy" aria-label=text::view_remove_of(&name) title=text::view_remove_of(&name) on:click=remove>{icon(Icon::Bin)}</button>
            </li>
        }
    };
    let menu = NodeRef::<Details>::new();
    let shut = move || {
        if let Some(menu) = menu.get_untracked() {
            menu.set_open(false);
        }
    };
    // Choosing a view closes the menu.
    let chosen = move |event: web_sys::MouseEvent| {
        if link_target(&event).is_some() {
            shut();
        }
    };
    let escape = move |event: web_sys::KeyboardEvent| {
        if event.key() == "Escape" {
            shut();
            focus(".menu > summary");
        }
    };
    view! {
        <details class="menu" node_ref=menu on:click=chosen on:keydown=escape>
            <summary class="button">{icon(Icon::Eye)}{text::views()}<Show when=move || !views.with(Vec::is_empty)><span class="count">{move || views.with(Vec::len)}</span></Show></summary>
            <div class="menu-body stack-tight">
                <ul class="stack-tight">{given}</ul>
                {move || {
                    let views = views.get();
                    if views.is_empty() {
                        view! { <p class="quiet">{text::no_views()}</p> }.into_any()
                    } else {
                        view! { <ul class="stack-tight">{views.into_iter().map(row.clone()).collect_view()}</ul> }.into_any()
                    }
                }}
                <form class="joined" on:submit=add>
                    <input class="input" aria-label=text::view_name() placeholder=text::view_name() autocomplete="off" prop:value=typed on:input=move |event| typed.set(event_target_value(&event)) />
                    <button class="button">{text::save()}</button>
                </form>
            </div>
        </details>
    }
}
