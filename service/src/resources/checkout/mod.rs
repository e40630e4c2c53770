//! The public checkout of a paylink.

mod authorization;
mod authorize_payment;
mod hold;
mod start_checkout;
#[cfg(not(target_family = "wasm"))]
mod unsigned_transaction;

pub(crate) use authorize_payment::authorize_payment;
pub(crate) use hold::forget_holds;
pub(crate) use start_checkout::{
    CheckoutChoice, Payer, begin, check_open, pay_from_test_wallet, start_checkout,
};

use settlekit_core::account::{Account, AccountType};
use settlekit_core::call::Call;
use settlekit_core::chain::Asset;
use settlekit_core::checkout::{
    Checkout, CheckoutOption, CheckoutPayment, Collect, GetCheckout, GetCheckoutPayment, Merchant,
    QrCode,
};
use settlekit_core::paylink::{Paylink, PaylinkState};
use settlekit_core::payment::{Payment, PaymentStatus, TransactionStatus};
use settlekit_core::plan::{Plan, PlanType};
use settlekit_core::value::{Amount, Currency, OrganisationId, PaylinkId, PaymentId};

use crate::chains::{authorization as authorizations, depth};
use crate::evm;
use crate::money::connection;
use crate::money::prices;
use crate::resources::account::fee;
use crate::resources::{paylink, subscription};
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
    begun: Vec<Payment>,
    /// Money is under way for an expired payment of the invoice, or a payer has authorized one.
    money_under_way: bool,
    /// The accounts that may receive the payment.
    accounts: Vec<Account>,
}

pub(crate) fn offer(unit: &mut Unit<'_>, id: PaylinkId) -> Outcome<Offer> {
    let unknown = || Refusal::not_found("paylink");
    let (organisation, paylink, settlement) =
        store::paylink::for_payer(unit.database, id)?.ok_or_else(unknown)?;
    let plan = store::plan::LISTING
        .find(unit.database, organisation, paylink.plan_id)?
        .ok_or_else(unknown)?;
    let mut all = store::account::all(unit.database, organisation)?;
    // A virtual account includes its sub-accounts, also those added after the paylink.
    let virtual_ids: Vec<_> = all
        .iter()
        .filter(|account| account.account_type == AccountType::Virtual)
        .map(|account| account.id)
        .filter(|id| settlement.account_ids.contains(id))
        .collect();
    all.retain(|account| account.enabled && account.may_receive());
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
        money_under_way |= authorizations::executable(unit, payment)?.is_some();
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

    fn state(&self, unit: &mut Unit<'_>) -> Result<PaylinkState, StoreError> {
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

pub(crate) fn get_checkout(unit: &mut Unit<'_>, call: Call<GetCheckout>) -> Outcome<Checkout> {
    let offer = offer(unit, call.path.paylink_id)?;
    let organisation = store::organisation::find(unit.database, offer.organisation)?;
    let organisation = organisation.ok_or_else(|| Refusal::not_found("paylink"))?;
    let options = offer
        .options(unit)?
        .into_iter()
        .map(|(option, _)| option)
        .collect();
    let state = offer.state(unit)?;
    let recurring = offer.plan.r#type == PlanType::Recurring;
    Ok(Checkout {
        state,
        recurring_interval: Some(offer.plan.recurring_interval.clone()).filter(|_| recurring),
        recurring_interval_count: offer.plan.recurring_interval_count.filter(|_| recurring),
        trial_period: offer
            .plan
            .trial_period
            .clone()
            .filter(|_| subscription::starts_with_trial(unit, &offer.plan)),
        paylink_id: offer.paylink.id,
        name: offer.plan.name,
        description: offer.plan.description,
        image_url: offer.plan.image_url,
        amount: offer.plan.price,
        currency: offer.plan.currency,
        merchant: Merchant {
            name: organisation.name,
            logo_url: organisation.logo_url,
        },
        options,
        collect: Collect {
            customer_ident: offer.paylink.customer_ident_collection,
            shipping_address: offer.paylink.shipping_address_collection,
            tax_ident: offer.paylink.tax_ident_collection,
        },
        after_completion: offer.paylink.after_completion,
        expires_at: offer.plan.expires_at,
        sandbox: unit.options().mode.is_sandbox(),
    })
}

/// A payment by id for its payer; only payments with their own address are public.
fn payment_of(unit: &mut Unit<'_>, id: PaymentId) -> Outcome<Payment> {
    let unknown = || Refusal::not_found("payment");
    let organisation = store::payment::owner(unit.database, id)?.ok_or_else(unknown)?;
    store::payment::LISTING
        .find(unit.database, organisation, id)?
        .filter(|payment| payment.deposit_address.is_some())
        .ok_or_else(unknown)
}

pub(crate) fn get_checkout_payment(
    unit: &mut Unit<'_>,
    call: Call<GetCheckoutPayment>,
) -> Outcome<CheckoutPayment> {
    let payment = payment_of(unit, call.path.payment_id)?;
    view(unit, payment)
}

/// The currency of a payment on its chain, and the amount due in its smallest unit.
fn due_units(unit: &mut Unit<'_>, payment: &Payment) -> Outcome<(Asset, i128)> {
    let damaged = || StoreError::Damaged("a payment lacks its chain or currency".into());
    let chain = payment.chain_id.ok_or_else(damaged)?;
    let asset = store::chain::asset(unit.database, chain, &payment.currency)?;
    let asset = asset.ok_or_else(damaged)?;
    let units = |amount: Amount| amount.to_units(asset.scale).map_err(|_| damaged());
    let rest = units(payment.amount)?.saturating_sub(units(payment.paid_amount)?);
    Ok((asset, rest))
}

/// A payment for its payer.
fn view(unit: &mut Unit<'_>, payment: Payment) -> Outcome<CheckoutPayment> {
    let damaged = || StoreError::Damaged("a payment lacks its chain or address".into());
    let chain_id = payment.chain_id.ok_or_else(damaged)?;
    let known = store::chain::find(unit.database, chain_id)?.ok_or_else(damaged)?;
    let asset =
        store::chain::asset(unit.database, chain_id, &payment.currency)?.ok_or_else(damaged)?;
    let address = payment.deposit_address.clone().ok_or_else(damaged)?;
    let units = |amount: Amount| amount.to_units(asset.scale).map_err(|_| damaged());
    // After a partial payment, the URI asks for the rest.
    let due = units(payment.amount)?;
    let rest = due.saturating_sub(units(payment.paid_amount)?);
    let asked = if rest > 0 { rest } else { due };
    let token = asset.token_address.as_deref();
    let payment_uri = evm::link(known.chain.id, token, &address, asked);
    let asked = Amount::from_units(asked, asset.scale).map_err(|_| damaged())?;
    // What the payer has signed may still pay: a transaction would pay twice.
    #[cfg(not(target_family = "wasm"))]
    let unsigned_transaction = match authorizations::executable(unit, &payment)? {
        Some(_) => None,
        None => unsigned_transaction::of(unit, &payment, &asset, (&address, rest))?,
    };
    // A service in wasm is a sandbox.
    #[cfg(target_family = "wasm")]
    let unsigned_transaction = None;
    let authorization = authorization::request(unit, &payment, &asset, rest)?;
    let authorization_status = authorization::status(unit, &payment)?;
    let seen = store::transaction::of_payment(unit.database, payment.org_id, payment.id)?;
    let latest = seen
        .iter()
        .rfind(|seen| seen.status != TransactionStatus::Failed);
    let confirmations = match latest {
        Some(seen) => depth::confirmations(unit, seen)?,
        None => 0,
    };
    Ok(CheckoutPayment {
        payment_id: payment.id,
        paylink_id: payment.payment_link.as_ref().map(|paylink| paylink.id),
        status: payment.status,
        reason: payment.reason,
        amount: payment.amount,
        currency: payment.currency,
        chain: known.chain.clone(),
        qr: QrCode::of(&payment_uri).ok_or_else(damaged)?,
        address_qr: QrCode::of(&address).ok_or_else(damaged)?,
        amount_qr: QrCode::of(&asked.to_string()).ok_or_else(damaged)?,
        unsigned_transaction,
        authorization,
        authorization_status,
        payment_uri,
        address_url: known.address_url(&address),
        address,
        paid_amount: payment.paid_amount,
        refunded_amount: payment.refunded_amount,
        confirmed_at: payment
            .timeline
            .iter()
            .flatten()
            .find_map(|entry| (entry.status == PaymentStatus::Confirmed).then_some(entry.at)),
        confirmations,
        confirmations_required: known.confirmations_required,
        transaction_url: latest.and_then(|seen| known.transaction_url(&seen.hash)),
        block_number: latest.and_then(|seen| seen.block),
        test_network: known.test_network(),
        public_rpc_url: known.public_rpc_url,
        explorer_url: known.explorer_url,
        expires_at: payment.expires_at.ok_or_else(damaged)?,
        transaction_hash: latest.map(|seen| seen.hash.clone()),
        after_completion: payment
            .payment_link
            .and_then(|paylink| paylink.after_completion),
        server_time: unit.now,
        sandbox: unit.options().mode.is_sandbox(),
    })
}
