//! Settlement destination of a trade: an account or an external wallet.

use leptos::prelude::*;
use settlekit_core::operation::Scope;

use crate::form::Form;
use crate::form::body::Fields;
use crate::form::field::{SelectField, TextField};
use crate::session::Session;
use crate::text::money as words;
use crate::ui::Options;

/// Option for an external wallet.
const OUTSIDE: &str = "outside";

/// The chosen destination, or the typed one if there are no options.
#[derive(Clone, Copy)]
pub(crate) struct SettlementChoice {
    to: RwSignal<String>,
    address: RwSignal<String>,
    /// Accounts of the trade's owner, if known.
    accounts: Option<Options>,
}

impl SettlementChoice {
    /// No choice: the funding account receives the bought asset.
    pub(crate) fn new(accounts: Option<Options>) -> Self {
        Self {
            to: RwSignal::new(String::new()),
            address: RwSignal::new(String::new()),
            accounts,
        }
    }

    /// Whether the destination is an external wallet. Tracked.
    pub(crate) fn is_outside(self) -> bool {
        match self.accounts {
            Some(_) => self.to.with(|to| to == OUTSIDE),
            None => self.address.with(|address| !address.trim().is_empty()),
        }
    }

    /// Chosen account. Tracked.
    pub(crate) fn account(self) -> Option<String> {
        Some(self.to.get()).filter(|to| !to.is_empty() && to != OUTSIDE)
    }

    pub(crate) fn track(self) {
        self.to.track();
        self.address.track();
    }

    /// Adds the request's fields.
    pub(crate) fn fields(self, fields: Fields) -> Fields {
        untrack(|| {
            let account = self.account().unwrap_or_default();
            let fields = fields.number("settlement_account_id", &account);
            if self.is_outside() {
                fields.any_text("settlement_address", &self.address.get())
            } else {
                fields
            }
        })
    }
}

/// Destination selection and wallet address.
#[component]
pub(crate) fn SettlementFields(
    form: Form,
    settlement: SettlementChoice,
    #[prop(into)] waits: Signal<bool>,
) -> impl IntoView {
    let session = Session::from_context();
    let address = move |label: &'static str, optional: bool| {
        view! { <TextField form=form name="settlement_address" label=label value=settlement.address hint=words::address_hint() optional=optional whole=true /> }
    };
    let Some(accounts) = settlement.accounts else {
        let wallet = untrack(|| session.is_allowed(Scope::Payout))
            .then(|| address(words::outside_wallet(), true));
        return view! {
            <TextField form=form name="settlement_account_id" label=words::settled_to() value=settlement.to kind="number" hint=words::settled_by_number() optional=true whole=true />
            {wallet}
        }
        .into_any();
    };
    let offered = Signal::derive(move || {
        let mut all = accounts.get();
        // Settling to an external wallet sends money out.
        if session.is_allowed(Scope::Payout) {
            all.push((OUTSIDE.to_owned(), words::outside_wallet().to_owned()));
        }
        all
    });
    view! {
        <SelectField form=form name="settlement_account_id" label=words::settled_to() value=settlement.to options=offered waits=waits none=words::same_account() optional=true whole=true />
        <Show when=move || settlement.is_outside()>{address(words::address(), false)}</Show>
    }
    .into_any()
}
