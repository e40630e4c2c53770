//! A new API key; its secret is shown once, here.

use leptos::prelude::*;
use serde_json::Value;
use settlekit_core::api_key::{ApiKey, CreateApiKey};
use settlekit_core::operation::Scope;

use crate::form::Form;
use crate::form::body::Fields;
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, Field, TextField};
use crate::form::form_view::FormView;
use crate::shell::session_lock::clear_when_covered;
use crate::text;
use crate::ui::copy::CopyButton;
use crate::ui::field::Checkbox;
use crate::ui::notice::{Notice, Tone};

#[component]
pub(crate) fn CreateApiKeyForm(done: Callback<()>) -> impl IntoView {
    let form = Form::new();
    let name = RwSignal::new(String::new());
    let scopes: Vec<(Scope, RwSignal<bool>)> = Scope::ALL
        .iter()
        .map(|scope| {
            (
                *scope,
                RwSignal::new(matches!(scope, Scope::Read | Scope::Write)),
            )
        })
        .collect();
    let made: RwSignal<Option<ApiKey>> = RwSignal::new(None);
    clear_when_covered(made);
    let chosen = scopes.clone();
    let submit = Callback::new(move |()| {
        let scopes: Vec<Value> = chosen
            .iter()
            .filter(|(_, on)| on.get_untracked())
            .map(|(scope, _)| Value::from(scope.as_str()))
            .collect();
        let body = Fields::default()
            .text("name", &name.get_untracked())
            .value("scopes", Value::Array(scopes))
            .body();
        form.send::<CreateApiKey>(body, move |key| made.set(Some(key)));
    });
    let dangers = scopes.clone();
    let dangers = move || {
        let ticked = dangers.iter().filter(|(_, on)| on.get());
        let allows = ticked.filter_map(|(scope, _)| match scope {
            Scope::Payout => Some(text::payout_allows()),
            Scope::Manage => Some(text::manage_allows()),
            _ => None,
        });
        let allows: Vec<_> = allows.map(|why| view! { <p>{why}</p> }).collect();
        (!allows.is_empty()).then(|| {
            view! { <Notice tone=Tone::Warn title=text::key_powerful()>{allows}</Notice> }
        })
    };
    let ticks = scopes
        .into_iter()
        .map(|(scope, on)| view! { <Checkbox label=text::scope(scope) value=on name=scope.as_str() /> })
        .collect_view();
    view! {
        <Show when=move || made.with(Option::is_some) fallback=|| ()>
            {move || made.get().and_then(|key| key.key).map(|secret| view! {
                <div class="stack">
                    <Notice tone=Tone::Warn title=text::key_once()>{text::key_once_why()}</Notice>
                    <div class="secret" id="new-api-key"><span>{secret.clone()}</span><CopyButton text=secret what=text::api_key() /></div>
                    <div class="row"><button type="button" class="button primary" on:click=move |_| done.run(())>{text::key_stored()}</button></div>
                </div>
            })}
        </Show>
        <FormView form=form hidden=Signal::derive(move || made.with(Option::is_some)) submit=submit><Allowed scope=Scope::Manage>
            {form_failure(form)}
            <TextField form=form name="name" label=text::key_name() value=name hint=text::key_name_hint() />
            <Field form=form name="scopes" label=text::scopes()><div class="stack-tight" id="field-scopes" role="group" aria-label=text::scopes()>{ticks}</div></Field>
            <div role="status">{dangers}</div>
            <div class="row">
                <button type="button" class="button" on:click=move |_| done.run(())>{text::cancel()}</button>
                <button data-scope="manage" class="button primary" disabled=form.busy>{text::create_key()}</button>
            </div>
        </Allowed></FormView>
    }
}
