//! Where what is bought goes to: an account of one's own, or an outside wallet.

use leptos::prelude::*;
use settlekit_core::operation::Scope;

use crate::form::{Fields, Form};
use crate::part::field::{Options, SelectField, TextField};
use crate::session::Session;
use crate::text::money as words;

/// The wallet that is not on record.
const OUTSIDE: &str = "outside";

/// What the reader chose.
#[derive(Clone, Copy)]
pub(crate) struct Settlement {
    to: RwSignal<String>,
    address: RwSignal<String>,
}

impl Settlement {
    /// Nothing is chosen: what funds the trade gets what is bought.
    pub(crate) fn new() -> Self {
        Self {
            to: RwSignal::new(String::new()),
            address: RwSignal::new(String::new()),
        }
    }

    /// Whether it leaves the organisation. Tracked.
    pub(crate) fn is_outside(self) -> bool {
        self.to.with(|to| to == OUTSIDE)
    }

    /// The account of one's own. Tracked.
    pub(crate) fn account(self) -> Option<String> {
        let own = (!self.is_outside()).then(|| self.to.get());
        own.filter(|to| !to.is_empty())
    }

    /// Has whoever tracks this look again when anything of it is another. Tracked.
    pub(crate) fn track(self) {
        self.to.track();
        self.address.track();
    }

    /// What is asked for with it.
    pub(crate) fn fields(self, fields: Fields) -> Fields {
        untrack(|| match self.account() {
            Some(account) => fields.number("settlement_account_id", &account),
            None if self.is_outside() => fields.any_text("settlement_address", &self.address.get()),
            None => fields,
        })
    }
}

/// The choice, and the address of a wallet.
#[component]
pub(crate) fn SettlementFields(
    form: Form,
    settlement: Settlement,
    /// The accounts of one's own.
    accounts: Options,
    #[prop(into)] waits: Signal<bool>,
) -> impl IntoView {
    let session = Session::here();
    let offered = Signal::derive(move || {
        let mut all = accounts.get();
        // What goes to an outside wallet is money sent out.
        if session.may(Scope::Payout) {
            all.push((OUTSIDE.to_owned(), words::outside_wallet().to_owned()));
        }
        all
    });
    view! {
        <SelectField form=form name="settlement_account_id" label=words::settled_to() value=settlement.to options=offered waits=waits none=words::same_account() optional=true whole=true />
        <Show when=move || settlement.is_outside()>
            <TextField form=form name="settlement_address" label=words::address() value=settlement.address hint=words::address_hint() whole=true />
        </Show>
    }
}
