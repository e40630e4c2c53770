//! A new API key; its secret is shown once, here.

use leptos::prelude::*;
use settlekit_core::api_key::{ApiKey, CreateApiKey};
use settlekit_core::operation::Scope;

use crate::form::example_call::ExampleCalls;
use crate::form::{DialogButtons, Field, Form, FormView, TextField};
use crate::shell::clear_when_covered;
use crate::text;
use crate::ui::{Checkbox, CopyButton, Notice, Tone};

#[component]
pub(crate) fn CreateApiKeyForm(done: Callback<()>) -> impl IntoView {
    let form = Form::new();
    let all = [Scope::Read, Scope::Write, Scope::Payout, Scope::Manage];
    let scopes = all.map(|scope| {
        let first = matches!(scope, Scope::Read | Scope::Write);
        (scope, RwSignal::new(first))
    });
    let made: RwSignal<Option<ApiKey>> = RwSignal::new(None);
    clear_when_covered(made);
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let chosen = scopes.iter().filter(|(_, on)| on.get_untracked());
        let chosen = chosen.map(|(scope, _)| scope.as_str()).collect();
        let body = fields.any_value("scopes", chosen).body();
        form.send::<CreateApiKey>(body, move |key| made.set(Some(key)));
    });
    let dangers = move || {
        let ticked = scopes.iter().filter(|(_, on)| on.get());
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
    let ticks = scopes.map(
        |(scope, on)| view! { <Checkbox label=text::scope(scope) value=on name=scope.as_str() /> },
    );
    view! {
        <Show when=move || made.with(Option::is_some) fallback=|| ()>
            {move || made.get().and_then(|key| key.key).map(|secret| view! {
                <div class="stack">
                    <Notice tone=Tone::Warn title=text::key_once()>{text::key_once_why()}</Notice>
                    <div class="secret" id="new-api-key"><span>{secret.clone()}</span><CopyButton text=secret.clone() what=text::api_key() /></div>
                    <ExampleCalls key=secret />
                    <div class="row"><button type="button" class="button primary" on:click=move |_| done.run(())>{text::key_stored()}</button></div>
                </div>
            })}
        </Show>
        <FormView form=form hidden=Signal::derive(move || made.with(Option::is_some)) scope=Scope::Manage submit=submit>
            <TextField form=form name="name" label=text::name() hint=text::key_name_hint() />
            <Field form=form name="scopes" label=text::scopes()><div class="stack-tight" id="field-scopes" role="group" aria-label=text::scopes()>{ticks}</div></Field>
            <div role="status">{dangers}</div>
            <DialogButtons form=form scope=Scope::Manage act=text::create_key() cancel=done />
        </FormView>
    }
}
