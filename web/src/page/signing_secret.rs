//! The secret that signs requests: read on demand after a fresh proof of identity, hidden again by itself.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::organisation::GetSigningSecret;

use crate::form::Form;
use crate::page::settings::for_owners;
use crate::part::copy::Copy;
use crate::part::icon::{Icon, icon};
use crate::part::lock::give_up;
use crate::part::notice::refusal;
use crate::text;

/// How long the secret stays in view.
const SHOWN: std::time::Duration = std::time::Duration::from_secs(60);

#[component]
pub(crate) fn SigningSecret() -> impl IntoView {
    for_owners(Icon::Eye, || view! { <Secret /> }.into_any())
}

#[component]
fn Secret() -> impl IntoView {
    let form = Form::new();
    let secret: RwSignal<Option<String>> = RwSignal::new(None);
    give_up(secret);
    let reveal = move |_| {
        form.send::<GetSigningSecret>(Arguments::default(), move |record| {
            secret.set(Some(record.signing_secret));
            set_timeout(
                move || {
                    secret.try_set(None);
                },
                SHOWN,
            );
        });
    };
    view! {
        <section class="panel">
            <div class="panel-head"><h2>{text::signing_secret()}</h2><p>{text::signing_secret_why()}</p></div>
            <div class="panel-body stack">
                {refusal(form)}
                {move || match secret.get() {
                    Some(secret) => view! {
                        <div class="secret" id="signing-secret"><span>{secret.clone()}</span><Copy text=secret what=text::signing_secret() /></div>
                        <p class="quiet">{text::hides_itself()}</p>
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
            </div>
        </section>
    }
}
