//! A manual invoice of a subscription. Reports whether the invoice already existed for that date.

use leptos::prelude::*;
use settlekit_core::invoice::{CreateInvoice, Invoice};
use settlekit_core::operation::Scope;
use settlekit_core::value::SubscriptionId;

use crate::form::{DialogButtons, Form, FormView, TextField, TimestampField, form_failure};
use crate::list::link_to;
use crate::session::RequiredConnection;
use crate::shell::Live;
use crate::text;
use crate::ui::{Icon, Notice, Tone, icon};

#[component]
pub(crate) fn CreateInvoiceForm(
    id: SubscriptionId,
    /// The subscription's newest invoices.
    known: Signal<Vec<Invoice>>,
) -> impl IntoView {
    let (form, live) = (Form::new(), Live::from_context());
    // The returned invoice, and whether it already existed.
    let made: RwSignal<Option<(Invoice, bool)>> = RwSignal::new(None);
    let submit = Callback::new(move |()| {
        made.set(None);
        let Some(fields) = form.fields() else { return };
        let before = known.get_untracked();
        form.send::<CreateInvoice>(fields.body_at("subscription_id", id), move |invoice| {
            // Already listed, or older than a listed one: a new invoice is the newest.
            let there = before
                .iter()
                .any(|other| other.id == invoice.id || other.created_at > invoice.created_at);
            made.set(Some((invoice, there)));
            live.refresh();
        });
    });
    let outcome = move || {
        made.get().map(|(invoice, there)| {
            let href = format!("/invoices?open={}", invoice.id);
            let way = link_to(href, Icon::Invoice, text::open_invoice());
            if there {
                view! { <Notice tone=Tone::Warn title=text::invoice_there()><p>{text::invoice_there_why()}</p>{way}</Notice> }.into_any()
            } else {
                view! { <Notice tone=Tone::Good title=text::invoice_made()>{way}</Notice> }.into_any()
            }
        })
    };
    view! {
        <details class="more">
            <summary>{icon(Icon::Right)}{text::create_invoice()}</summary>
            <FormView form=form scope=Scope::Write needs=RequiredConnection::Chain shows_failure=true submit=submit>
                {outcome}
                {form_failure(form)}
                <div class="fields two">
                    <TimestampField form=form name="due_date" label=text::due() hint=text::due_hint() />
                    <TextField form=form name="title" label=text::title_word() hint=text::title_hint() optional=true />
                </div>
                <DialogButtons form=form scope=Scope::Write act=text::create_invoice() />
            </FormView>
        </details>
    }
}
