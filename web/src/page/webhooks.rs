//! Where webhooks go, and the key that signs them.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::organisation::{ROTATION_OVERLAP, RotateWebhookKey};
use settlekit_core::value::Timestamp;

use crate::form::Form;
use crate::form::update_organisation::WebhookAddressForm;
use crate::page::organisation::{Pending, organisation};
use crate::part::confirm::Confirm;
use crate::part::copy::Copy;
use crate::part::icon::{Icon, icon};
use crate::part::moment::moment;
use crate::part::notice::{Failed, Notice, Toasts, Tone};
use crate::text;

#[component]
pub(crate) fn Webhooks() -> impl IntoView {
    let (loaded, first) = organisation();
    let (form, toasts) = (Form::new(), Toasts::here());
    let (asked, rotated) = (RwSignal::new(false), RwSignal::new(false));
    // Until when the old key signs too, once it has been rotated here.
    let until: RwSignal<Option<Timestamp>> = RwSignal::new(None);
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
            until.set(Some(organisation.updated_at.plus(ROTATION_OVERLAP)));
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
                    {move || form.trouble.get().map(|trouble| view! { <Failed trouble=trouble /> })}
                    {move || key.get().map_or_else(
                        || view! { <p class="quiet">{text::NO_PUBLIC_KEY}</p> }.into_any(),
                        |pem| view! { <div class="secret"><span class="pem">{pem.clone()}</span><Copy text=pem what=text::PUBLIC_KEY /></div> }.into_any(),
                    )}
                </div>
            </section>
            <section class="panel">
                <div class="panel-head"><h2>{text::ROTATE_STEPS}</h2></div>
                <div class="panel-body">
                    <ol class="steps">
                        <li class:done=rotated><strong>{text::STEP_BEFORE}</strong><p>{text::STEP_BEFORE_WHY}</p></li>
                        <li class:done=rotated>
                            <strong>{text::STEP_ROTATE}</strong><p>{text::STEP_ROTATE_WHY}</p>
                            <button type="button" class="button" disabled=form.busy on:click=move |_| asked.set(true)>{icon(Icon::Turning)}{text::ROTATE}</button>
                        </li>
                        <li>
                            <strong>{text::STEP_PLACE}</strong><p>{text::STEP_PLACE_WHY}</p>
                            <Show when=move || rotated.get()>
                                <Notice tone=Tone::Good title=text::KEY_ROTATED>{text::BOTH_SIGN}" "{move || until.get().map(moment)}</Notice>
                            </Show>
                            <a class="button" href="/events/verify">{icon(Icon::Check)}{text::VERIFY}</a>
                        </li>
                        <li><strong>{text::STEP_WATCH}</strong><p>{text::STEP_WATCH_WHY}</p><a class="button" href="/events?delivery_status=failed">{icon(Icon::Events)}{text::FAILED_DELIVERIES}</a></li>
                    </ol>
                </div>
            </section>
        </Show>
        <Confirm open=asked title=text::ROTATE_ASK consequence=text::ROTATE_WHY act=text::ROTATE busy=form.busy on_confirm=rotate />
    }
}
