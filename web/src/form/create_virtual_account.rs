//! A new virtual account: a wallet on each chain under one reference.

use leptos::prelude::*;
use serde_json::json;
use settlekit_core::account::{Account, CreateVirtualAccount};
use settlekit_core::operation::Scope;

use crate::form::update_virtual_account::{ChainChanges, ChainMatrix};
use crate::form::wallet_fields::{NewWallet, WalletFields};
use crate::form::{Field, Form, FormView, PageButtons, TextField, chains};
use crate::session::RequiredConnection;
use crate::shell::load_failure;
use crate::text::{self, money as words};

#[component]
pub(crate) fn CreateVirtualAccountForm(done: Callback<Account>) -> impl IntoView {
    let form = Form::new();
    let chains = chains();
    let ready = chains.ready();
    let ticks = ChainChanges::new();
    let wallet = NewWallet::new();
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        // Each chain has the same wallet: its error is shown once.
        if let Some((name, error)) = wallet.error() {
            return form.show_error(name, error);
        }
        let mut chains = untrack(|| ticks.chains());
        if let Some((name, text)) = wallet.named() {
            let all = chains.as_array_mut().into_iter().flatten();
            all.for_each(|chain| chain[name] = json!(text));
        }
        let body = fields.value("chains", chains).body();
        form.send::<CreateVirtualAccount>(body, move |account| done.run(account));
    });
    view! {
        <FormView form=form scope=Scope::Write needs=RequiredConnection::Chain submit=submit>
            <div class="fields two">
                <TextField form=form name="name" label=text::name() optional=true />
                <TextField form=form name="reference" label=text::reference() hint=words::virtual_reference_hint() />
            </div>
            <Field form=form name="chains" label=words::chains() hint=words::chains_hint()>
                <div id="field-chains">
                    {load_failure(chains)}
                    {move || ready.get().map(|all| view! { <ChainMatrix chains=all held=Vec::new() ticks=ticks /> })}
                </div>
            </Field>
            <div class="fields two"><WalletFields form=form wallet=wallet /></div>
            <PageButtons form=form act=words::create_account() list="/accounts" />
        </FormView>
    }
}
