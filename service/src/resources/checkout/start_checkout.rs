//! Starts a payment at the checkout of a paylink.

use serde_json::value::Value;
use settlekit_core::account::Account;
use settlekit_core::call::Call;
use settlekit_core::checkout::{CheckoutOption, CheckoutPayment, StartCheckout};
use settlekit_core::error::Reason;
use settlekit_core::paylink::{Paylink, Source};
use settlekit_core::payment::{Payment, PaymentStatus};
use settlekit_core::validate::Report;
use settlekit_core::value::{Amount, ChainId, Currency, Object};

use super::{Offer, check_open, hold, offer, view};
use crate::money::connection;
use crate::money::prices;
use crate::resources::payment::{PaidBy, PaymentTerms};
use crate::resources::plan::Stock;
use crate::resources::{customer, invoice, payment, plan, subscription};
use crate::store;
use crate::store::paylink_day::PaylinkStep;
use crate::unit::{Outcome, Refusal, Unit};

pub(crate) fn start_checkout(
    unit: &mut Unit<'_>,
    call: Call<StartCheckout>,
) -> Outcome<CheckoutPayment> {
    let offer = offer(unit, call.path.paylink_id)?;
    let body = call.body;
    check_open(unit, &offer)?;
    let mut report = Report::default();
    let asked = [
        (
            "customer_ident",
            offer.paylink.customer_ident_collection,
            &body.customer_ident,
        ),
        (
            "shipping_address",
            offer.paylink.shipping_address_collection,
            &body.shipping_address,
        ),
        (
            "tax_ident",
            offer.paylink.tax_ident_collection,
            &body.tax_ident,
        ),
    ];
    for (name, _, _) in asked
        .iter()
        .filter(|(_, asked, value)| *asked && value.is_none())
    {
        report.add_error(name, Reason::Required, "is required");
    }
    Refusal::reported(report)?;
    let chosen = offer
        .options(unit)?
        .into_iter()
        .find(|(option, _)| option.chain.id == body.chain_id && option.currency == body.currency);
    let Some((option, account)) = chosen else {
        return Err(no_option(unit, &offer, (body.chain_id, &body.currency))?);
    };
    let mut metadata = Object::new();
    for (name, value) in [
        ("customer_ident", body.customer_ident),
        ("shipping_address", body.shipping_address),
        ("tax_ident", body.tax_ident),
    ] {
        if let Some(value) = value {
            metadata.insert(name.to_owned(), Value::String(value));
        }
    }
    let payment = begin(
        unit,
        offer,
        CheckoutChoice {
            option,
            account,
            payer: Payer::Guest {
                name: body.name,
                email: body.email,
            },
            metadata: (!metadata.is_empty()).then_some(metadata),
            paid_by: PaidBy::Deposit,
        },
    )?;
    view(unit, payment)
}

/// Who pays.
pub(crate) enum Payer {
    /// A payer with unverified details.
    Guest {
        name: Option<String>,
        email: Option<String>,
    },
    /// The holder of the wallet that has signed.
    Wallet(String),
}

/// The choice of a payer.
pub(crate) struct CheckoutChoice {
    pub(crate) option: CheckoutOption,
    pub(crate) account: Account,
    pub(crate) payer: Payer,
    pub(crate) metadata: Option<Object>,
    pub(crate) paid_by: PaidBy,
}

/// Creates the payment of an open offer, and holds its stock.
pub(crate) fn begin(unit: &mut Unit<'_>, offer: Offer, begun: CheckoutChoice) -> Outcome<Payment> {
    // An invoice has one payer, whose checkouts replace each other.
    let network = hold::Network::of(unit)
        .filter(|_| offer.plan.available_quantity.is_some() && offer.paylink.invoice_id.is_none());
    let link = (offer.organisation, offer.paylink.id);
    if let Some(network) = &network {
        let stock =
            offer.plan.available_quantity.unwrap_or(0) + offer.plan.held_quantity.unwrap_or(0);
        hold::limit_unpaid_checkouts(unit, link, network, stock)?;
    }
    // A new attempt at an invoice ends the previous one; this blocks no other buyer.
    for payment in offer.begun {
        payment::expire_unpaid_payment(unit, payment)?;
    }
    if !plan::change_stock(unit, offer.organisation, offer.plan.id, Stock::Hold)? {
        return Err(Refusal::because(
            Reason::PaylinkClosed,
            "the paylink is sold out",
        ));
    }
    let customer = match (offer.paylink.invoice_id, begun.payer) {
        // An invoice is paid for its own customer.
        (Some(invoice), _) => invoice::customer(unit, offer.organisation, invoice)?,
        (None, Payer::Guest { name, email }) => {
            customer::new_guest(unit, offer.organisation, name, email)?
        }
        (None, Payer::Wallet(address)) => {
            customer::with_wallet(unit, offer.organisation, &address)?
        }
    };
    let free = subscription::starts_with_trial(unit, &offer.plan);
    let terms = PaymentTerms {
        amount: if free {
            Amount::ZERO
        } else {
            begun.option.amount
        },
        currency: begun.option.currency,
        chain: begun.option.chain.id,
        account: begun.account,
        customer: Some(customer),
        reference: offer.plan.reference.clone(),
        // The payment keeps a snapshot of the offer.
        paylink: Some(Paylink {
            plan: Some(offer.plan),
            ..offer.paylink
        }),
        metadata: begun.metadata,
        source: match begun.paid_by {
            PaidBy::Deposit => Source::Checkout,
            PaidBy::SignedTransfer(_) => Source::X402,
        },
        paid_by: begun.paid_by,
    };
    let payment = payment::start(unit, offer.organisation, terms)?;
    let (today, started) = (unit.now.day_number(), (PaylinkStep::Checkout, 1));
    store::paylink_day::add(unit.database, link, today, started)?;
    if let Some(network) = &network {
        store::checkout_hold::insert(unit.database, link, payment.id, &network.0, unit.now)?;
    }
    match free {
        true => payment::set_payment_status(unit, payment, PaymentStatus::Confirmed, None, None),
        false => Ok(payment),
    }
}

/// Why a currency on a chain is not a payment option.
fn no_option(
    unit: &mut Unit<'_>,
    offer: &Offer,
    (chain, currency): (ChainId, &Currency),
) -> Outcome<Refusal> {
    if store::chain::find(unit.database, chain)?.is_some() {
        connection::connected(unit, chain, Some("chain_id"))?;
    }
    let mut accounts = offer.accounts.iter();
    let is_taken = accounts
        .any(|account| account.chain_id == Some(chain) && account.currencies.contains(currency));
    let priced_in = &offer.plan.currency;
    if is_taken
        && priced_in != currency
        && let Some(no_rate) = prices::no_rate(unit, Some("currency"), &[priced_in, currency])?
    {
        return Ok(no_rate);
    }
    Ok(Refusal::not_supported(
        "currency",
        "is not accepted on this chain",
    ))
}
