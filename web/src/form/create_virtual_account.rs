//! A new virtual account: a wallet on each chain under one reference.

use leptos::prelude::*;
use settlekit_core::account::{Account, CreateVirtualAccount};
use settlekit_core::operation::Scope;

use crate::form::Form;
use crate::form::body::Fields;
use crate::form::failure::form_failure;
use crate::form::field::{Allowed, Field, TextField};
use crate::form::form_view::FormView;
use crate::form::options::chains;
use crate::form::update_virtual_account::{ChainMatrix, Ticks};
use crate::session::Needs;
use crate::shell::failure::load_failure;
use crate::shell::unsaved_changes::cancel_link;
use crate::text;
use crate::text::money as words;

#[component]
pub(crate) fn CreateVirtualAccountForm(done: Callback<Account>) -> impl IntoView {
    let form = Form::new();
    let (reference, name) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let chains = chains();
    let ready = chains.ready();
    let ticks = Ticks::new();
    let submit = Callback::new(move |()| {
        let body = Fields::default()
            .text("reference", &reference.get_untracked())
            .text("name", &name.get_untracked())
            .value("chains", untrack(|| ticks.chains()))
            .body();
        form.send::<CreateVirtualAccount>(body, move |account| done.run(account));
    });
    view! {
        <FormView form=form submit=submit><Allowed scope=Scope::Write needs=Needs::Chain>
            {form_failure(form)}
            <div class="fields two">
                <TextField form=form name="name" label=words::account_name() value=name optional=true />
                <TextField form=form name="reference" label=text::reference() value=reference hint=words::virtual_reference_hint() />
            </div>
            <Field form=form name="chains" label=words::chains() hint=words::chains_hint()>
                <div id="field-chains">
                    {load_failure(chains)}
                    {move || ready.get().map(|all| view! { <ChainMatrix chains=all held=Vec::new() ticks=ticks /> })}
                </div>
            </Field>
            <div class="row">
                <button data-scope="write" class="button primary" disabled=form.busy>{words::create_account()}</button>
                {cancel_link("/accounts")}
            </div>
        </Allowed></FormView>
    }
}
