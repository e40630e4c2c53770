//! Signing secret: shown on demand after a step-up, and hidden again automatically.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::organisation::{
    GetSigningSecret, RotateSigningSecret, SigningSecret as Record,
};
use settlekit_core::value::Timestamp;

use crate::form::{Fields, Form, form_failure};
use crate::page::settings::for_owners;
use crate::shell::clear_when_covered;
use crate::text;
use crate::ui::{Confirm, CopyButton, Icon, Toasts, icon, timestamp};

/// Time until the secret is hidden.
const SHOWN: std::time::Duration = std::time::Duration::from_secs(60);

#[component]
pub(crate) fn SigningSecret() -> impl IntoView {
    for_owners(Icon::Eye, || view! { <Secret /> }.into_any())
}

#[component]
fn Secret() -> impl IntoView {
    let form = Form::new();
    let secret: RwSignal<Option<String>> = RwSignal::new(None);
    clear_when_covered(secret);
    let until: RwSignal<Option<Timestamp>> = RwSignal::new(None);
    let (rotating, leaked) = (RwSignal::new(false), RwSignal::new(false));
    let toasts = Toasts::from_context();
    let show = move |record: Record| {
        secret.set(Some(record.signing_secret));
        until.set(record.signing_secret_overlap_until);
        set_timeout(
            move || {
                secret.try_set(None);
            },
            SHOWN,
        );
    };
    let reveal = move |_| form.send::<GetSigningSecret>(Arguments::default(), show);
    let rotate = move |revoke_old: bool| {
        let arguments = Fields::default().value("revoke_old", revoke_old.into());
        form.send::<RotateSigningSecret>(arguments.body(), move |record| {
            toasts.say(text::secret_rotated().to_owned());
            show(record);
        });
    };
    let replace = Callback::new(move |()| rotate(false));
    let cut_off = Callback::new(move |()| rotate(true));
    view! {
        <section class="panel">
            <div class="panel-head"><h2>{text::signing_secret()}</h2><p>{text::signing_secret_why()}</p></div>
            <div class="panel-body stack">
                {form_failure(form)}
                {move || match secret.get() {
                    Some(secret) => view! {
                        <div class="secret" id="signing-secret"><span>{secret.clone()}</span><CopyButton text=secret what=text::signing_secret() /></div>
                        <p class="quiet">{text::hides_itself()}</p>
                        {move || until.get().map(|at| view! { <p class="quiet">{text::both_verify()}" "{timestamp(at)}</p> })}
                    }.into_any(),
                    None => view! { <div class="secret"><span aria-label=text::hidden()>"••••••••••••••••••••••••••••••••"</span></div> }.into_any(),
                }}
            </div>
            <div class="panel-foot">
                {move || if secret.with(Option::is_some) {
                    view! { <button type="button" class="button" on:click=move |_| secret.set(None)>{text::hide()}</button> }.into_any()
                } else {
                    view! { <button data-scope="manage" type="button" class="button" disabled=form.busy on:click=reveal>{icon(Icon::Eye)}{text::reveal()}</button> }.into_any()
                }}
                <button data-scope="manage" type="button" class="button" disabled=form.busy on:click=move |_| rotating.set(true)>{icon(Icon::Turning)}{text::rotate_secret()}</button>
                <button data-scope="manage" type="button" class="button danger" disabled=form.busy on:click=move |_| leaked.set(true)>{text::secret_leaked()}</button>
            </div>
        </section>
        <Confirm
            open=rotating title=text::rotate_secret_ask() consequence=text::rotate_secret_why()
            act=text::rotate_secret() busy=form.busy on_confirm=replace
        />
        <Confirm
            open=leaked title=text::secret_leaked_ask() consequence=text::secret_leaked_why()
            act=text::secret_leaked() busy=form.busy on_confirm=cut_off
        />
    }
}
