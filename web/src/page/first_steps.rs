//! First steps of an organisation, until its first payment.

use leptos::prelude::*;
use settlekit_core::account::ListAccounts;
use settlekit_core::page::{Limit, ListQuery};
use settlekit_core::sandbox::INBOX_URL;

use crate::api;
use crate::page::organisation::organisation;
use crate::session::Session;
use crate::shell::{Live, load};
use crate::text;
use crate::ui::Panel;

#[component]
pub(crate) fn FirstSteps() -> impl IntoView {
    let (live, session) = (Live::from_context(), Session::from_context());
    let accounts = load::<ListAccounts>(|| {
        Some(api::with_query(ListQuery {
            limit: Limit::new(1),
            ..ListQuery::default()
        }))
    });
    let (organisation, _) = organisation();
    let has_account = Memo::new(move |_| accounts.read(|page| page.total > 0) == Some(true));
    let has_link =
        Memo::new(move |_| live.read(|overview| overview.paylinks_active > 0) == Some(true));
    let has_endpoint = Memo::new(move |_| {
        // The inbox that a sandbox begins with is not a server of the merchant.
        let has_own = organisation.read(|organisation| {
            let url = organisation.webhook_url.as_deref();
            url.is_some_and(|url| url != INBOX_URL)
        });
        has_own == Some(true)
    });
    let never = Memo::new(|_| false);
    let is_sandbox = untrack(|| session.record().is_some_and(|record| record.sandbox));
    let pay = if is_sandbox {
        text::step_payment_sandbox()
    } else {
        text::step_payment_why()
    };
    let account = ("/accounts/new", "write", text::money::create_account());
    let link = ("/paylinks/new", "write", text::create_paylink());
    let server = ("/settings/webhooks", "manage", text::set_endpoint());
    let links = ("/paylinks", "read", text::paylinks());
    view! {
        <Panel title=text::first_steps() why=text::first_steps_why()>
            <ol class="steps">
                {step(has_account, text::step_account(), text::step_account_why(), account)}
                {step(has_link, text::step_link(), text::step_link_why(), link)}
                {step(has_endpoint, text::step_server(), text::step_server_why(), server)}
                {step(never, text::step_payment(), pay, links)}
            </ol>
        </Panel>
    }
}

/// A step with its page: path, required scope and label.
fn step(
    is_done: Memo<bool>,
    title: &'static str,
    why: &'static str,
    (href, scope, label): (&'static str, &'static str, &'static str),
) -> AnyView {
    let done = move || {
        is_done
            .get()
            .then(|| view! { <span class="hidden-text">" "{text::step_done()}</span> })
    };
    view! {
        <li class:done=is_done>
            <strong>{title}{done}</strong>
            <p>{why}</p>
            <a class="button" data-scope=scope href=href hidden=move || is_done.get()>{label}</a>
        </li>
    }
    .into_any()
}
