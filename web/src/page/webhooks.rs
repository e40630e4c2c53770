//! Webhook URL and signing key.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::organisation::RotateWebhookKey;
use settlekit_core::sandbox::INBOX_URL;

use crate::form::create_test_event::CreateTestEventForm;
use crate::form::resume_webhooks::ResumeWebhooks;
use crate::form::update_organisation::WebhookAddressForm;
use crate::form::{Fields, Form, form_failure};
use crate::page::organisation::{Pending, organisation};
use crate::session::Session;
use crate::text::{self, inbox};
use crate::ui::{
    Confirm, CopyButton, Icon, Notice, Panel, Toasts, Tone, icon, service_now, timestamp,
};

#[component]
pub(crate) fn Webhooks() -> impl IntoView {
    let (loaded, first) = organisation();
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let session = Session::from_context();
    let is_sandbox = Memo::new(move |_| session.record().is_some_and(|record| record.sandbox));
    let confirming = RwSignal::new(false);
    let leaked = RwSignal::new(false);
    let key = Memo::new(move |_| loaded.read(|one| one.webhook_public_key.clone()).flatten());
    // End of the overlap with the previous key.
    let until = Memo::new(move |_| {
        let until = loaded.read(|one| one.webhook_key_overlap_until).flatten()?;
        (until > service_now()).then_some(until)
    });
    let rotated = Memo::new(move |_| until.with(Option::is_some));
    let name = Signal::derive(move || loaded.read(|one| one.name.clone()).unwrap_or_default());
    let send = move |arguments: Arguments| {
        form.send::<RotateWebhookKey>(arguments, move |organisation| {
            loaded.put(organisation);
            toasts.say(text::key_rotated().to_owned());
        });
    };
    let rotate = Callback::new(move |()| send(Arguments::default()));
    let cut_off = Callback::new(move |()| {
        send(Fields::default().value("revoke_old", true.into()).body());
    });
    let saved = Callback::new(move |organisation| loaded.put(organisation));
    view! {
        <Pending loaded=loaded />
        <ResumeWebhooks organisation=loaded.ready().into() resumed=saved />
        {move || first.get().map(|organisation| view! { <WebhookAddressForm organisation=organisation saved=saved /> })}
        <Show when=move || is_sandbox.get() && first.with(Option::is_some)>
            <Panel title=inbox::title() why=inbox::inbox_why() class="panel-body stack">
                <div class="secret" id="inbox-url"><span>{INBOX_URL}</span><CopyButton text=INBOX_URL what=inbox::inbox_url() /></div>
                <div class="row"><a class="button" href="/inbox">{icon(Icon::Inbox)}{inbox::open_inbox()}</a></div>
            </Panel>
        </Show>
        <Show when=move || first.with(Option::is_some)>
            <Panel title=inbox::test_event() why=inbox::test_event_why() class="panel-body stack"><CreateTestEventForm /></Panel>
            <Panel title=text::public_key() why=text::public_key_why() class="panel-body stack">
                {form_failure(form)}
                {move || key.get().map_or_else(
                    || view! { <p class="quiet">{text::no_public_key()}</p> }.into_any(),
                    |pem| view! { <div class="secret"><span class="pem">{pem.clone()}</span><CopyButton text=pem what=text::public_key() /></div> }.into_any(),
                )}
            </Panel>
            <Panel title=text::rotate()>
                <ol class="steps">
                    <li class:done=rotated><strong>{text::step_before()}</strong><p>{text::step_before_why()}</p></li>
                    <li class:done=rotated>
                        <strong>{text::step_rotate()}</strong><p>{text::step_rotate_why()}</p>
                        <button data-scope="manage" type="button" class="button" disabled=form.busy on:click=move |_| confirming.set(true)>{icon(Icon::Turning)}{text::rotate()}</button>
                        " "<button data-scope="manage" type="button" class="button danger" disabled=form.busy on:click=move |_| leaked.set(true)>{text::key_leaked()}</button>
                    </li>
                    <li>
                        <strong>{text::step_place()}</strong><p>{text::step_place_why()}</p>
                        <Show when=move || rotated.get()>
                            <Notice tone=Tone::Good title=text::key_rotated()>{text::both_sign()}" "{move || until.get().map(timestamp)}</Notice>
                        </Show>
                        <a class="button" href="/events/verify">{icon(Icon::Check)}{text::verify()}</a>
                    </li>
                    <li><strong>{text::step_watch()}</strong><p>{text::step_watch_why()}</p><a class="button" href="/events?delivery_status=failed">{icon(Icon::Events)}{text::deliveries_failed()}</a></li>
                </ol>
            </Panel>
        </Show>
        <Confirm
            open=confirming title=text::rotate_ask() consequence=text::rotate_why()
            name=name act=text::rotate() busy=form.busy on_confirm=rotate
        />
        <Confirm
            open=leaked title=text::key_leaked_ask() consequence=text::key_leaked_why()
            name=name act=text::key_leaked() busy=form.busy on_confirm=cut_off
        />
    }
}
