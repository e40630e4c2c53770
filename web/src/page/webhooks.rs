//! Where webhooks go, and the key that signs them.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::organisation::RotateWebhookKey;

use crate::form::Form;
use crate::form::update_organisation::WebhookAddressForm;
use crate::page::organisation::{Pending, organisation};
use crate::part::confirm::Confirm;
use crate::part::copy::Copy;
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Failed, Notice, Toasts, Tone};
use crate::text;

#[component]
pub(crate) fn Webhooks() -> impl IntoView {
    let (loaded, first) = organisation();
    let (form, toasts) = (Form::new(), Toasts::here());
    let (asked, rotated) = (RwSignal::new(false), RwSignal::new(false));
    let key = Memo::new(move |_| {
        loaded.state.with(|state| {
            state
                .ready()
                .and_then(|organisation| organisation.webhook_public_key.clone())
        })
    });
    let rotate = Callback::new(move |()| {
        asked.set(false);
        form.send::<RotateWebhookKey>(Arguments::default(), move |organisation| {
            loaded.put(organisation);
            rotated.set(true);
            toasts.say(text::KEY_ROTATED.to_owned());
        });
    });
    let saved = Callback::new(move |organisation| loaded.put(organisation));
    view! {
        <Pending loaded=loaded />
        {move || first.get().map(|organisation| view! { <WebhookAddressForm organisation=organisation saved=saved /> })}
        <Show when=move || first.with(Option::is_some)>
            <section class="panel">
                <div class="panel-head"><h2>{text::PUBLIC_KEY}</h2><p>{text::PUBLIC_KEY_WHY}</p></div>
                <div class="panel-body stack">
                    <Show when=move || rotated.get()><Notice tone=Tone::Good title=text::KEY_ROTATED>{text::KEY_ROTATED_WHY}</Notice></Show>
                    {move || form.trouble.get().map(|trouble| view! { <Failed trouble=trouble /> })}
                    {move || key.get().map_or_else(
                        || view! { <p class="quiet">{text::NO_PUBLIC_KEY}</p> }.into_any(),
                        |pem| view! { <div class="secret"><span class="pem">{pem.clone()}</span><Copy text=pem what=text::PUBLIC_KEY /></div> }.into_any(),
                    )}
                </div>
                <div class="panel-foot"><button type="button" class="button" disabled=form.busy on:click=move |_| asked.set(true)>{icon(Icon::Turning)}{text::ROTATE}</button></div>
            </section>
        </Show>
        <Confirm open=asked title=text::ROTATE_ASK consequence=text::ROTATE_WHY act=text::ROTATE busy=form.busy on_confirm=rotate />
    }
}
