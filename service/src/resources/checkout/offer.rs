//! The offer of a paylink to its payers: its state, and the payment options.

use settlekit_core::account::{Account, AccountType};
use settlekit_core::checkout::CheckoutOption;
use settlekit_core::error::Reason;
use settlekit_core::paylink::{Paylink, PaylinkState};
use settlekit_core::payment::Payment;
use settlekit_core::plan::Plan;
use settlekit_core::value::{Amount, Currency, OrganisationId, PaylinkId};

use crate::chains::authorization;
use crate::money::connection;
use crate::money::prices;
use crate::resources::account::fee;
use crate::resources::paylink;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// A paylink with all data that the payment options depend on.
pub(crate) struct Offer {
    pub(crate) organisation: OrganisationId,
    pub(crate) paylink: Paylink,
    pub(crate) plan: Plan,
    suspended: bool,
    /// The payer pays the service fee.
    payer_pays: bool,
    /// The pending payments of an invoice's paylink.
    pub(super) begun: Vec<Payment>,
    /// Money is under way for an expired payment of the invoice, or a payer has authorized one.
    money_under_way: bool,
    /// The accounts that may receive the payment.
    pub(super) accounts: Vec<Account>,
}

pub(crate) fn offer(unit: &mut Unit<'_>, id: PaylinkId) -> Outcome<Offer> {
    let unknown = || Refusal::not_found("paylink");
    let (organisation, paylink, settlement) =
        store::paylink::for_payer(unit.database, id)?.ok_or_else(unknown)?;
    let plan = store::plan::LISTING
        .find(unit.database, organisation, paylink.plan_id)?
        .ok_or_else(unknown)?;
    let mut all = store::account::all_accounts(unit.database, organisation)?;
    // A virtual account includes its sub-accounts, also those added after the paylink.
    let virtual_ids: Vec<_> = all
        .iter()
        .filter(|account| account.account_type == AccountType::Virtual)
        .map(|account| account.id)
        .filter(|id| settlement.account_ids.contains(id))
        .collect();
    all.retain(|account| account.enabled && account.may_receive());
    let hidden = paylink::hidden_test_accounts(unit, organisation, &all, &settlement)?;
    all.retain(|account| !hidden.contains(&account.id));
    let mut accounts = all.clone();
    accounts.retain(|account| {
        let below = account
            .parent_id
            .is_some_and(|parent| virtual_ids.contains(&parent));
        let bundled = account.reference.is_some() && account.reference == settlement.account_ref;
        let ids = &settlement.account_ids;
        ids.is_empty() || ids.contains(&account.id) || bundled || below
    });
    // An invoice must be payable even if the accounts of the original paylink are gone. A virtual account receives nothing
    // itself.
    let none_takes = accounts.iter().all(|account| account.chain.is_none());
    if none_takes && paylink.invoice_id.is_some() {
        accounts = all;
    }
    let (begun, mut money_under_way) = match paylink.invoice_id {
        Some(_) => (
            store::payment::under_way_by(unit.database, organisation, id)?,
            store::payment::is_awaited_by(unit.database, organisation, id)?,
        ),
        None => (Vec::new(), false),
    };
    for payment in &begun {
        money_under_way |= authorization::executable(unit, payment)?.is_some();
    }
    let settings = store::organisation::find(unit.database, organisation)?;
    let payer = settings.and_then(|settings| settings.properties?.fee_payer);
    Ok(Offer {
        organisation,
        payer_pays: payer.as_deref() == Some("payer"),
        begun,
        money_under_way,
        paylink,
        plan,
        suspended: store::organisation::is_suspended(unit.database, organisation)?,
        accounts,
    })
}

impl Offer {
    /// Whether money for an invoice is under way.
    fn is_being_paid(&self) -> bool {
        let mut begun = self.begun.iter();
        begun.any(|payment| !payment.paid_amount.is_zero()) || self.money_under_way
    }

    pub(super) fn state(&self, unit: &mut Unit<'_>) -> Result<PaylinkState, StoreError> {
        let state = paylink::state(unit, self.organisation, &self.paylink, &self.plan)?;
        Ok(match state {
            // Payers see a suspended organisation's paylink as disabled.
            PaylinkState::Open if self.suspended => PaylinkState::Disabled,
            PaylinkState::Open if self.is_being_paid() => PaylinkState::Paid,
            state => state,
        })
    }

    /// The payment options, each with its receiving account; the oldest account wins.
    pub(crate) fn options(
        &self,
        unit: &mut Unit<'_>,
    ) -> Result<Vec<(CheckoutOption, Account)>, StoreError> {
        let mut options: Vec<(CheckoutOption, Account)> = Vec::new();
        for account in &self.accounts {
            let Some(chain) = &account.chain else {
                continue;
            };
            if connection::of_chain(unit, chain.id)?.is_none() {
                continue;
            }
            for currency in &account.currencies {
                if options
                    .iter()
                    .any(|(option, _)| option.chain.id == chain.id && option.currency == *currency)
                {
                    continue;
                }
                let Some(asset) = store::chain::asset(unit.database, chain.id, currency)? else {
                    continue;
                };
                let Some(amount) = self.price_in(unit, account, currency, asset.scale)? else {
                    continue;
                };
                let known = store::chain::find(unit.database, chain.id)?;
                options.push((
                    CheckoutOption {
                        chain: chain.clone(),
                        currency: currency.clone(),
                        amount,
                        test_network: known.and_then(|known| known.test_network()),
                    },
                    account.clone(),
                ));
            }
        }
        Ok(options)
    }

    /// The price in a currency with `scale` decimal places, plus the service fee if the payer pays it; `None` without a rate, or
    /// if it is too fine for the asset.
    fn price_in(
        &self,
        unit: &mut Unit<'_>,
        account: &Account,
        currency: &Currency,
        scale: u32,
    ) -> Result<Option<Amount>, StoreError> {
        let price = (self.plan.price, &self.plan.currency);
        let prices = prices::between(unit, price.1, currency)?;
        let Some(price) = paylink::price_in(&prices, price, currency, scale) else {
            return Ok(None);
        };
        if !self.payer_pays {
            return Ok(Some(price));
        }
        let places = scale.min(paylink::CONVERTED_PLACES_MAX.max(price.scale()));
        let Ok(units) = price.to_units(places) else {
            return Ok(None);
        };
        let raised = fee::raised(unit, account, units)?;
        Ok(match raised {
            Some(raised) if raised == units => Some(price),
            Some(raised) => Amount::from_units(raised, places)
                .ok()
                .filter(|raised| raised.to_units(scale).is_ok()),
            None => None,
        })
    }
}

/// Refuses an offer that takes no payments now.
pub(crate) fn check_open(unit: &mut Unit<'_>, offer: &Offer) -> Outcome<()> {
    let message = match offer.state(unit)? {
        PaylinkState::Open => return Ok(()),
        PaylinkState::Expired => "the paylink has expired",
        PaylinkState::SoldOut => "the paylink is sold out",
        PaylinkState::Paid => "the paylink's invoice is paid, or money for it is on its way",
        _ => "the paylink does not accept payments",
    };
    Err(Refusal::because(Reason::PaylinkClosed, message))
}
