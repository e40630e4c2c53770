//! Creates an account: virtual, or on one chain.

use leptos::prelude::*;
use settlekit_core::account::Account;

use crate::form::create_account::CreateAccountForm;
use crate::form::create_virtual_account::CreateVirtualAccountForm;
use crate::shell::Location;
use crate::text::money as words;
use crate::ui::{PageHead, Toasts};

/// URL parameter with the kind of account.
const KIND: &str = "kind";
const SETTLEMENT: &str = "settlement";

#[component]
pub(crate) fn CreateAccount() -> impl IntoView {
    let (location, toasts) = (Location::from_context(), Toasts::from_context());
    let settlement = Memo::new(move |_| location.get(KIND).as_deref() == Some(SETTLEMENT));
    let done = Callback::new(move |account: Account| {
        toasts.say(words::account_made().to_owned());
        location.go(&format!("/accounts/{}", account.id), true);
    });
    let tab = move |wanted: bool, href: &'static str, name: &'static str| {
        view! { <a href=href aria-current=move || (settlement.get() == wanted).then_some("page")>{name}</a> }
    };
    view! {
        <div class="page">
            <PageHead title=words::create_account() above=("/accounts", words::accounts()) />
            <nav class="tabs" aria-label=words::create_account()>
                {tab(false, "/accounts/new", words::virtual_account())}
                {tab(true, "/accounts/new?kind=settlement", words::settlement_account())}
            </nav>
            <section class="panel form-panel"><div class="panel-body">
                {move || if settlement.get() {
                    view! { <p class="lead">{words::settlement_account_why()}</p><CreateAccountForm done=done /> }.into_any()
                } else {
                    view! { <p class="lead">{words::virtual_account_why()}</p><CreateVirtualAccountForm done=done /> }.into_any()
                }}
            </div></section>
        </div>
    }
}
