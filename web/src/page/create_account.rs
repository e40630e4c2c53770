//! A page for a new account: virtual, or of one chain.

use leptos::prelude::*;
use settlekit_core::account::Account;

use crate::form::create_account::CreateAccountForm;
use crate::form::create_virtual_account::CreateVirtualAccountForm;
use crate::part::PageHead;
use crate::part::notice::Toasts;
use crate::place::Place;
use crate::text::money as words;

/// Which kind of account, in the dashboard's own URL.
const KIND: &str = "kind";
const SETTLEMENT: &str = "settlement";

#[component]
pub(crate) fn CreateAccount() -> impl IntoView {
    let (place, toasts) = (Place::here(), Toasts::here());
    let settlement = Memo::new(move |_| place.get(KIND).as_deref() == Some(SETTLEMENT));
    let done = Callback::new(move |account: Account| {
        toasts.say(words::ACCOUNT_MADE.to_owned());
        place.go(&format!("/accounts/{}", account.id), true);
    });
    let tab = move |wanted: bool, href: &'static str, name: &'static str| {
        view! { <a href=href aria-current=move || (settlement.get() == wanted).then_some("page")>{name}</a> }
    };
    view! {
        <div class="page">
            <PageHead title=words::CREATE_ACCOUNT lead=words::CREATE_ACCOUNT_LEAD />
            <nav class="tabs" aria-label=words::CREATE_ACCOUNT>
                {tab(false, "/accounts/new", words::VIRTUAL_ACCOUNT)}
                {tab(true, "/accounts/new?kind=settlement", words::SETTLEMENT_ACCOUNT)}
            </nav>
            <section class="panel form-panel"><div class="panel-body">
                {move || if settlement.get() {
                    view! { <p class="lead">{words::SETTLEMENT_ACCOUNT_WHY}</p><CreateAccountForm done=done /> }.into_any()
                } else {
                    view! { <p class="lead">{words::VIRTUAL_ACCOUNT_WHY}</p><CreateVirtualAccountForm done=done /> }.into_any()
                }}
            </div></section>
        </div>
    }
}
