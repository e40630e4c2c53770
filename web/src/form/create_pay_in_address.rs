//! A permanent address that takes payments to an account.

use leptos::prelude::*;
use settlekit_core::account::{Account, CreatePayInAddress, PayInAddress};
use settlekit_core::operation::Scope;

use crate::form::{
    DialogButtons, FieldKind, Form, FormView, SelectField, TextField, chain_options, chains,
};
use crate::session::RequiredConnection;
use crate::shell::load_failure;
use crate::text::{self, money as words};

#[component]
pub(crate) fn CreatePayInAddressForm(
    account: Account,
    done: Callback<Option<PayInAddress>>,
) -> impl IntoView {
    let form = Form::new();
    let own = account.chain_id.map(|chain| chain.to_string());
    let chain = form.input(
        "chain_id",
        FieldKind::Number,
        own.clone().unwrap_or_default(),
    );
    let below = account.sub_accounts.iter().flatten();
    let mine: Vec<String> = below
        .filter(|below| below.enabled)
        .filter_map(|below| Some(below.chain_id?.to_string()))
        .chain(own)
        .collect();
    let chains = chains();
    let all = chain_options(chains);
    let options = Signal::derive(move || {
        let mut all = all.get();
        all.retain(|(id, _)| mine.contains(id));
        all
    });
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let arguments = fields.body_at("account", account.id);
        form.send::<CreatePayInAddress>(arguments, move |made| done.run(Some(made)));
    });
    view! {
        <FormView form=form scope=Scope::Write needs=RequiredConnection::Chain submit=submit>
            {load_failure(chains)}
            <SelectField form=form name="chain_id" label=text::chain() value=chain options=options waits=chains.is_loading() />
            <TextField form=form name="customer_id" label=text::customer() hint=words::pay_in_customer_hint() optional=true />
            <TextField form=form name="reference" label=text::reference() hint=words::own_name_hint() optional=true />
            <DialogButtons form=form scope=Scope::Write act=words::create_address() cancel=Callback::new(move |()| done.run(None)) />
        </FormView>
    }
}
