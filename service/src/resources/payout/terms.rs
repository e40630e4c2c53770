//! The terms of a payout: amount, account, fees, and whether the balance covers them.

use settlekit_core::account::Account;
use settlekit_core::error::Reason;
use settlekit_core::paylink::Source;
use settlekit_core::payment::PayoutSplit;
use settlekit_core::value::{
    AccountKey, Amount, ChainId, Currency, Object, OrganisationId, PaymentId, UserId,
};

use super::sender::sender_of;
use crate::money::connection::{self, Connection};
use crate::money::outflow::need_held;
use crate::resources::account::book::Money;
use crate::resources::{account, chain};
use crate::store;
use crate::store::destination::Destination;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// The data of a payout, except the money.
pub(crate) struct NewPayout {
    pub(crate) to: Destination,
    /// The merchant's name of a stored destination.
    pub(crate) destination_name: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) metadata: Option<Object>,
    pub(crate) source: Source,
    pub(crate) properties: Option<Object>,
    /// The member who created it.
    pub(crate) created_by: Option<UserId>,
    /// The payment that it refunds.
    pub(crate) refunded: Option<PaymentId>,
}

impl NewPayout {
    /// The payout of a deposit share or an automation.
    pub(crate) fn automatic(to: Destination, properties: Option<Object>) -> Self {
        Self {
            to,
            destination_name: None,
            reference: None,
            metadata: None,
            source: Source::Automation,
            properties,
            created_by: None,
            refunded: None,
        }
    }
}

/// The money of a payout before it is created, with its fees.
pub(super) struct PayoutTerms {
    pub(super) account: Account,
    pub(super) chain: ChainId,
    pub(super) money: Money,
    pub(super) scale: u32,
    pub(super) fee: Money,
    pub(super) fee_scale: u32,
    /// The service fee, in the currency of `money`.
    pub(super) service_fee: i128,
    /// The account's address that sends it; `None` if no address of its extended public key covers it.
    pub(super) sender: Option<String>,
    /// The available balance of the currency; of an extended public key, the most that one address can send.
    pub(super) available: i128,
    /// The balance after the payout; negative if not covered.
    pub(super) left: i128,
    pub(super) covered: bool,
}

/// Resolves the account, computes the fee and checks the cover.
pub(super) fn terms(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: &AccountKey,
    (chain, chain_field): (ChainId, &'static str),
    (amount, currency): (Amount, &Currency),
    to: Option<&str>,
) -> Outcome<PayoutTerms> {
    let known = chain::known(unit, chain)?;
    let connection = connection::connected(unit, chain, Some(chain_field))?;
    let account = account::holder_on_chain(unit, organisation, key, chain)?;
    need_payer(&account, connection, Some("account"))?;
    let asset = chain::asset(unit, chain, currency)?;
    let units = amount
        .to_units(asset.scale)
        .map_err(|error| Refusal::amount("amount", error))?;
    let held = store::ledger::balances(unit.database, organisation, Some(account.id))?;
    let available = |currency: &Currency| {
        held.iter()
            .filter(|balance| balance.currency == *currency)
            .map(|balance| balance.posted - balance.reserved)
            .sum::<i128>()
    };
    let native = known.chain.native_currency_symbol;
    let native_scale = store::chain::asset(unit.database, chain, &native)?
        .ok_or_else(|| StoreError::Damaged("a chain lacks its own asset".into()))?
        .scale;
    // Gas is paid in the native asset if the account has enough, otherwise from the sent currency.
    let gas = connection
        .fee(chain, &native, native_scale)
        .ok_or_else(|| StoreError::Damaged("a chain's own asset has no price".into()))?;
    let spent = if native == *currency { units } else { 0 };
    let (fee, fee_scale) = match connection.fee(chain, currency, asset.scale) {
        Some(fee) if available(&native).saturating_sub(spent) < gas => {
            (Money::new(currency, fee), asset.scale)
        }
        _ => (Money::new(&native, gas), native_scale),
    };
    let same = if fee.currency == *currency {
        fee.units
    } else {
        0
    };
    // Money from the merchant's own wallet never passes the service.
    let service_fee = match account.is_held() {
        true => account::fee::of_payout(unit, &account, units)?,
        false => 0,
    };
    let money = Money::new(currency, units);
    let sender = sender_of(unit, &account, chain, &money, to)?;
    let payable = sender.most.unwrap_or(i128::MAX).min(available(currency));
    let left = [units, same, service_fee]
        .into_iter()
        .fold(payable, i128::saturating_sub);
    let covered = left >= 0 && fee.units <= available(&fee.currency);
    Ok(PayoutTerms {
        sender: sender.address,
        available: payable,
        left,
        chain,
        money,
        scale: asset.scale,
        fee,
        fee_scale,
        service_fee,
        covered,
        account,
    })
}

/// Refuses an account whose payouts can be neither sent nor prepared. Only wallets on real chains sign elsewhere.
pub(super) fn need_payer(
    account: &Account,
    connection: Connection,
    field: Option<&'static str>,
) -> Outcome<()> {
    match connection {
        Connection::Evm(_) if account.own_wallet().is_some() => Ok(()),
        _ => need_held(account, field),
    }
}

/// Refuses an amount that no single address of an extended public key covers.
pub(super) fn not_covered(most: i128, scale: u32, currency: &Currency) -> Outcome<Refusal> {
    Ok(Refusal::field(
        "amount",
        Reason::InsufficientFunds,
        format!(
            "exceeds {} {}, the most that one address of the extended public key has available: a wallet sends from one address at a time, which also pays the network fee",
            shown(most, scale)?,
            currency
        ),
    ))
}

pub(super) fn shown(units: i128, scale: u32) -> Outcome<Amount> {
    Amount::from_units(units, scale).map_err(|_| Refusal::amount_too_large())
}

/// Where the money of a payout goes.
pub(super) fn split_of(terms: &PayoutTerms, amount: Amount, new: &NewPayout) -> PayoutSplit {
    PayoutSplit {
        address: Some(new.to.as_str().to_owned()),
        amount,
        chain_id: Some(terms.chain),
        currency: terms.money.currency.clone(),
        destination_account_id: None,
        reference: new.destination_name.clone(),
    }
}
