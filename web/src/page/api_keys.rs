//! API keys: list, create, revoke. A secret is shown once and not stored.

use leptos::prelude::*;
use settlekit_core::api_key::{ApiKey, ListApiKeys, RevokeApiKey};
use settlekit_core::operation::Scope;
use settlekit_core::page::ListQuery;

use crate::api;
use crate::form::create_api_key::CreateApiKeyForm;
use crate::form::{Form, form_failure, path_argument};
use crate::list::{Column, Table, TableSpec, newest_note};
use crate::page::settings::for_owners;
use crate::shell::load;
use crate::text;
use crate::ui::{Confirm, Dialog, Empty, Icon, Toasts, icon, open_while, status_badge};

fn scope_label(scope: &str) -> &str {
    let known = Scope::ALL.iter().find(|known| known.as_str() == scope);
    let offered = known.and_then(|known| text::scope(*known).split(':').next());
    offered.unwrap_or(scope)
}

fn table_spec() -> TableSpec<ApiKey> {
    TableSpec {
        caption: text::api_keys(),
        columns: vec![
            Column::new(text::name(), "title", |key| {
                view! { {key.name.clone()}<small class="mono">{format!("{}…", key.prefix)}</small> }
                    .into_any()
            }),
            Column::new(text::status(), "", |key| {
                let word = key.revoked_at.map_or("Active", |_| "Revoked");
                status_badge(word, None).into_any()
            }),
            Column::new(text::scopes(), "quiet named", |key| {
                let scopes: Vec<_> = key.scopes.iter().map(|scope| scope_label(scope)).collect();
                scopes.join(", ").into_any()
            }),
            Column::time(text::last_used(), "fit named", |key| key.last_used_at),
            Column::time(text::created(), "fit named", |key| Some(key.created_at)),
            Column::new(text::actions(), "end last", |key| {
                let confirming = expect_context::<RwSignal<Option<ApiKey>>>();
                let mine = key.clone();
                key.revoked_at.is_none().then(|| view! {
                        <button data-scope="manage" type="button" class="button small danger" on:click=move |_| confirming.set(Some(mine.clone()))>{text::revoke()}</button>
                    }).into_any()
            }),
        ],
        id: |key| key.id.to_string(),
    }
}

/// Only for users with the scope; the service refuses the list to others.
#[component]
pub(crate) fn ApiKeys() -> impl IntoView {
    for_owners(Icon::Key, || view! { <Keys /> }.into_any())
}

#[component]
fn Keys() -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let keys = load::<ListApiKeys>(|| Some(api::with_query(ListQuery::default())));
    let making = RwSignal::new(false);
    let confirming: RwSignal<Option<ApiKey>> = RwSignal::new(None);
    provide_context(confirming);
    let asking = open_while(confirming, |_| true);
    let revoke = Callback::new(move |()| {
        let Some(key) = confirming.get_untracked() else {
            return;
        };
        form.send::<RevokeApiKey>(path_argument("key_id", key.id), move |_| {
            toasts.say(text::key_revoked().to_owned());
            keys.reload();
        });
    });
    let name = Signal::derive(move || confirming.get().map(|key| key.name).unwrap_or_default());
    let done = Callback::new(move |()| {
        making.set(false);
        keys.reload();
    });
    view! {
        {form_failure(form)}
        <section class="panel">
            <div class="panel-head">
                <h2>{text::api_keys()}</h2>
                <button data-scope="manage" type="button" class="button primary small push" on:click=move |_| making.set(true)>{icon(Icon::Plus)}{text::create_key()}</button>
                <p>{text::api_keys_why()}</p>
            </div>
            <Table spec=table_spec() rows=keys.items() busy=keys.busy retry=keys.retry() empty=ViewFn::from(|| view! {
                <Empty picture=Icon::Key title=text::no_keys() hint=text::no_keys_hint() />
            }) />
            {newest_note(keys)}
        </section>
        <Dialog open=making close=done title=text::create_key()><CreateApiKeyForm done=done /></Dialog>
        <Confirm
            open=asking title=Signal::derive(move || text::revoke_of(&name.get())) name=name
            consequence=text::revoke_why() act=text::revoke() busy=form.busy on_confirm=revoke
        />
    }
}
