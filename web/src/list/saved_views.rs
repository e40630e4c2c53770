//! Saved views: named filters. Some are built in; others are a member's own, or shared with the organisation, each with a link.

use leptos::html::Details;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use settlekit_core::call::Call;
use settlekit_core::error::Reason;
use settlekit_core::field::Nothing;
use settlekit_core::operation::{Operation, Scope};
use settlekit_core::saved_view::{
    CreateSavedView, CreateSavedViewBody, DeleteSavedView, DeleteSavedViewPath, ListSavedViews,
    NAME_CHARS_MAX, SavedView, UpdateSavedView, UpdateSavedViewBody, UpdateSavedViewPath,
};
use settlekit_core::value::{SavedViewId, UserId};

use crate::address::{base_path, link_target};
use crate::api;
use crate::call_failure::CallFailure;
use crate::local_storage;
use crate::session::Session;
use crate::shell::{Loaded, Location, failure_notice, load, load_failure};
use crate::text;
use crate::ui::{Checkbox, CopyButton, Element, Icon, element, focus, icon};

/// Local storage key of the views that an earlier version kept in the browser, by page.
const KEY: &str = "settlekit.views";

/// Names and URLs of a page's views in the browser.
fn local_views(path: &str) -> Vec<(String, String)> {
    let all = local_storage::object(KEY);
    let views = all.get(path).and_then(Value::as_array);
    let read = |view: &Value| {
        let text = |name: &str| view.get(name)?.as_str().map(str::to_owned);
        Some((text("name")?, text("to")?))
    };
    views.into_iter().flatten().filter_map(read).collect()
}

fn store_locally(path: &str, views: &[(String, String)]) {
    let mut all = local_storage::object(KEY);
    if views.is_empty() {
        all.remove(path);
    } else {
        let views = views
            .iter()
            .map(|(name, to)| json!({ "name": name, "to": to }));
        all.insert(path.to_owned(), views.collect());
    }
    if all.is_empty() {
        local_storage::remove(KEY);
    } else {
        local_storage::set(KEY, &Value::Object(all).to_string());
    }
}

/// Saves the views of the browser at the service. Those that it refuses stay, unless it has the name.
async fn move_local_views(session: Session, path: &str) {
    let mut left = Vec::new();
    for (name, to) in local_views(path) {
        let body = CreateSavedViewBody {
            page: path.to_owned(),
            name: name.chars().take(NAME_CHARS_MAX).collect(),
            query: query_of(&to),
            shared: None,
        };
        let saved = api::call(session, Call::<CreateSavedView>::with_body(body)).await;
        if saved.is_err_and(|failure| failure.reason() != Some(Reason::AlreadyExists)) {
            left.push((name, to));
        }
    }
    store_locally(path, &left);
}

/// The query of a URL of the dashboard.
fn query_of(to: &str) -> String {
    to.split_once('?')
        .map_or_else(String::new, |(_, query)| query.to_owned())
}

fn link_of(view: &SavedView) -> String {
    if view.query.is_empty() {
        return view.page.clone();
    }
    format!("{}?{}", view.page, view.query)
}

/// Built-in views of a page: a filter and its value.
fn built_in_views(path: &str) -> &'static [(&'static str, &'static str)] {
    match path {
        "/movements" => &[("status", "Failed"), ("direction", "OUT")],
        "/paylinks" => &[("status", "Open"), ("status", "SoldOut")],
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

/// Changes of saved views, one at a time.
#[derive(Clone, Copy)]
struct Changes {
    session: Session,
    views: Loaded<Vec<SavedView>>,
    busy: RwSignal<bool>,
    failure: RwSignal<Option<CallFailure>>,
    /// The view whose name is being edited.
    renamed: RwSignal<Option<SavedViewId>>,
}

impl Changes {
    fn send<O: Operation>(self, call: Call<O>, done: impl FnOnce() + 'static) {
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        spawn_local(async move {
            let outcome = api::call(self.session, call).await;
            // The page is gone.
            if self.busy.try_set(false).is_some() {
                return;
            }
            match outcome {
                Ok(_) => {
                    self.failure.set(None);
                    self.renamed.set(None);
                    self.views.reload();
                    done();
                }
                Err(failure) => self.failure.set(Some(failure)),
            }
        });
    }

    fn update(
        self,
        saved_view_id: SavedViewId,
        body: UpdateSavedViewBody,
        done: impl FnOnce() + 'static,
    ) {
        let call = Call::<UpdateSavedView> {
            path: UpdateSavedViewPath { saved_view_id },
            query: Nothing {},
            body,
        };
        self.send(call, done);
    }

    fn delete(self, saved_view_id: SavedViewId) {
        let path = DeleteSavedViewPath { saved_view_id };
        self.send(Call::<DeleteSavedView>::at(path), || {
            focus(".menu > summary");
        });
    }
}

/// No change of a view.
const UNCHANGED: UpdateSavedViewBody = UpdateSavedViewBody {
    name: None,
    query: None,
    shared: None,
};

/// The form with the new name of a view.
fn name_form(changes: Changes, view: &SavedView) -> AnyView {
    let typed = RwSignal::new(view.name.clone());
    let id = view.id;
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let body = UpdateSavedViewBody {
            name: Some(typed.get_untracked()),
            ..UNCHANGED
        };
        changes.update(id, body, || {
            focus(".menu > summary");
        });
    };
    view! {
        <li>
            <form class="joined" on:submit=submit>
                <input class="input" id="view-rename" aria-label=text::view_new_name() autocomplete="off" prop:value=typed on:input=move |event| typed.set(event_target_value(&event)) />
                <button class="button" disabled=changes.busy>{text::save()}</button>
            </form>
        </li>
    }
    .into_any()
}

/// A button of a view.
fn act(label: &str, picture: Icon, press: impl Fn() + Send + Sync + 'static) -> Element {
    element("button", "copy")
        .attr("type", "button")
        .attr("aria-label", label.to_owned())
        .attr("title", label.to_owned())
        .child(icon(picture))
        .on_click(move |_| press())
}

/// A view with its link, and what the member may do with it. `me` is the member, if allowed to share.
fn row(changes: Changes, origin: &str, me: Option<UserId>, view: SavedView) -> AnyView {
    if changes.renamed.get() == Some(view.id) {
        return name_form(changes, &view);
    }
    let (id, shared, to) = (view.id, view.shared, link_of(&view));
    let link = format!("{origin}{to}");
    let name = view.name;
    let rename = move || {
        changes.renamed.set(Some(id));
        request_animation_frame(|| {
            focus("#view-rename");
        });
    };
    let share = move || {
        let body = UpdateSavedViewBody {
            shared: Some(!shared),
            ..UNCHANGED
        };
        changes.update(id, body, || {});
    };
    let share_label = match shared {
        true => text::view_unshare_of(&name),
        false => text::view_share_of(&name),
    };
    // Only the author can stop sharing.
    let may_share = me.is_some() && (!shared || view.user_id == me);
    let acts = view.may_change.then(|| {
        let rename = act(&text::view_rename_of(&name), Icon::Edit, rename);
        let share = may_share.then(|| act(&share_label, Icon::People, share));
        let remove = act(&text::view_remove_of(&name), Icon::Bin, move || {
            changes.delete(id);
        });
        view! { {rename}{share}{remove} }
    });
    view! {
        <li class="row">
            <a href=to>{name.clone()}</a>
            <span class="push"></span>
            <CopyButton text=link what=text::view_link_of(&name) />
            {acts}
        </li>
    }
    .into_any()
}

/// Menu of the page's views, which are loaded when it is opened.
#[component]
pub(crate) fn SavedViews() -> impl IntoView {
    let (location, session) = (Location::from_context(), Session::from_context());
    let path = StoredValue::new(untrack(|| location.path()));
    let asked = RwSignal::new(false);
    let all = load::<ListSavedViews>(move || asked.get().then(api::plain));
    let views = Memo::new(move |_| {
        all.read(|all| {
            let is_here = |view: &&SavedView| path.with_value(|path| view.page == *path);
            all.iter().filter(is_here).cloned().collect::<Vec<_>>()
        })
    });
    let changes = Changes {
        session,
        views: all,
        busy: RwSignal::new(false),
        failure: RwSignal::new(None),
        renamed: RwSignal::new(None),
    };
    let open = move |_| {
        if asked.get_untracked() {
            return;
        }
        let path = path.get_value();
        if local_views(&path).is_empty() {
            return asked.set(true);
        }
        spawn_local(async move {
            move_local_views(session, &path).await;
            asked.try_set(true);
        });
    };
    let may_share = Memo::new(move |_| session.is_allowed(Scope::Write));
    let (typed, shares) = (RwSignal::new(String::new()), RwSignal::new(false));
    let add = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let name = typed.get_untracked().trim().to_owned();
        if name.is_empty() {
            return;
        }
        let (query, shared) = (
            query_of(&untrack(|| location.view())),
            shares.get_untracked(),
        );
        // Another view of this name is replaced.
        let known = views.with_untracked(|views| {
            let mut views = views.iter().flatten();
            let is_it =
                |view: &&SavedView| view.name == name && view.shared == shared && view.may_change;
            views.find(is_it).map(|view| view.id)
        });
        let done = move || typed.set(String::new());
        match known {
            Some(id) => {
                let body = UpdateSavedViewBody {
                    query: Some(query),
                    ..UNCHANGED
                };
                changes.update(id, body, done);
            }
            None => {
                let body = CreateSavedViewBody {
                    page: path.get_value(),
                    name,
                    query,
                    shared: Some(shared),
                };
                changes.send(Call::<CreateSavedView>::with_body(body), done);
            }
        }
    };
    let given = path.with_value(|path| {
        let views = built_in_views(path).iter();
        views
            .map(|(name, value)| {
                let to = format!("{path}?{name}={value}");
                view! { <li class="row"><a href=to>{text::chip(name, value)}</a></li> }
            })
            .collect_view()
    });
    let origin = window().location().origin().unwrap_or_default() + &base_path();
    let lists = move || {
        let views = views.get()?;
        if views.is_empty() {
            return Some(view! { <p class="quiet">{text::no_views()}</p> }.into_any());
        }
        let user = session.record().map(|record| record.user.id);
        let me = user.filter(|_| may_share.get());
        let (shared, own): (Vec<_>, Vec<_>) = views.into_iter().partition(|view| view.shared);
        let rows = |views: Vec<SavedView>| {
            let views = views.into_iter();
            views
                .map(|view| row(changes, &origin, me, view))
                .collect_view()
        };
        let own = (!own.is_empty()).then(|| view! { <ul class="stack-tight">{rows(own)}</ul> });
        let shared = (!shared.is_empty()).then(|| {
            view! {
                <p class="quiet">{text::views_shared()}</p>
                <ul class="stack-tight" aria-label=text::views_shared()>{rows(shared)}</ul>
            }
        });
        Some(view! { {own}{shared} }.into_any())
    };
    let count = Memo::new(move |_| views.with(|views| views.as_ref().map_or(0, Vec::len)));
    let loading = all.is_loading();
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
            <summary class="button" on:click=open>{icon(Icon::Eye)}{text::views()}<Show when=move || { count.get() > 0 }><span class="count">{move || count.get()}</span></Show></summary>
            <div class="menu-body stack-tight">
                <ul class="stack-tight">{given}</ul>
                <Show when=move || asked.get() && loading.get()><span class="bone b4" aria-busy="true"></span></Show>
                {load_failure(all)}
                {lists}
                {failure_notice(changes.failure.into(), None)}
                <form class="stack-tight" on:submit=add>
                    <div class="joined">
                        <input class="input" aria-label=text::view_name() placeholder=text::view_name() autocomplete="off" prop:value=typed on:input=move |event| typed.set(event_target_value(&event)) />
                        <button class="button" disabled=changes.busy>{text::save()}</button>
                    </div>
                    <Show when=move || may_share.get()><Checkbox label=text::view_share() value=shares /></Show>
                </form>
            </div>
        </details>
    }
}
