//! Ownership proof of a wallet: a message to sign in the wallet, and the signature.

use leptos::prelude::*;
use settlekit_core::account::{
    Account, CreateOwnershipChallenge, OwnershipChallenge, ProveOwnership,
};
use settlekit_core::operation::Scope;

use crate::form::{Fields, Form, FormView, LongField, path_argument};
use crate::text::money as words;
use crate::ui::CopyButton;

#[component]
pub(crate) fn ProveOwnershipForm(account: Account, proven: Callback<Account>) -> impl IntoView {
    let form = Form::new();
    let id = account.id;
    let challenge: RwSignal<Option<OwnershipChallenge>> = RwSignal::new(None);
    let signature = RwSignal::new(String::new());
    let ask = move || {
        form.send::<CreateOwnershipChallenge>(path_argument("account", id), move |created| {
            challenge.set(Some(created));
        });
    };
    let submit = Callback::new(move |()| {
        if challenge.with_untracked(Option::is_none) {
            return ask();
        }
        let body = Fields::default().any_text("signature", &signature.get_untracked());
        form.send::<ProveOwnership>(body.body_at("account", id), move |account| {
            proven.run(account)
        });
    });
    view! {
        <FormView form=form scope=Scope::Payout submit=submit>
            {move || challenge.get().map(|created| view! {
                <p class="quiet">{words::ownership_sign()}</p>
                <div class="payload" tabindex="0" role="group" aria-label=words::ownership_message()><pre>{created.message.clone()}</pre></div>
                <div class="row"><CopyButton text=created.message what=words::ownership_message() words=words::ownership_copy() /></div>
                <LongField form=form name="signature" label=words::ownership_signature() value=signature hint=words::ownership_signature_hint() />
            })}
            <div class="row" data-scope="payout"><button class="button primary" disabled=form.busy>{move || if challenge.with(Option::is_some) { words::ownership_verify() } else { words::ownership_prove() }}</button></div>
        </FormView>
    }
}
