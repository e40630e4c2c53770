//! Balance automations: notify when a balance is low, pay out the surplus.

use settlekit_core::account::{Account, AccountSummary, AccountType};
use settlekit_core::automation::{MaintainBalance, MaintainedBalance};
use settlekit_core::error::Reason;
use settlekit_core::value::{Amount, Currency, WalletAddress};

use super::family_rules;
use crate::money::outflow::{check_destination, need_held};
use crate::resources::account;
use crate::store;
use crate::store::automation::{Action, Rule};
use crate::store::destination::Destination;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn maintain_balance(
    unit: &mut Unit<'_>,
    call: Received<MaintainBalance>,
) -> Outcome<MaintainedBalance> {
    let organisation = call.caller.organisation;
    let body = call.body;
    let account = account::one(unit, organisation, &call.path.account)?;
    if account.deleted_at.is_some() {
        return Err(Refusal::not_found("account"));
    }
    need_held(&account, None)?;
    let address = Destination::named_by(&call.caller, &body.payout_address)?;
    if !account.currencies.contains(&body.currency) {
        return Err(Refusal::not_supported(
            "currency",
            "is not a currency of the account",
        ));
    }
    super::check_connected(unit, &account)?;
    check_address(unit, &account, &body.currency, &body.payout_address)?;
    let finest = super::decimal_places(unit, &account, &body.currency)?;
    for (field, amount) in [
        ("minimum_threshold_amount", body.minimum_threshold_amount),
        ("payout_threshold_amount", body.payout_threshold_amount),
    ] {
        amount
            .to_units(finest)
            .map_err(|error| Refusal::amount(field, error))?;
    }
    let rules = store::automation::rules(unit.database, organisation, account.id)?;
    check_no_automation(&rules, &body.currency)?;
    let mut conversions = family_rules(unit, &account)?;
    conversions.retain(|(_, rule)| matches!(rule.action, Action::Convert { .. }));
    check_no_automation(&conversions, &body.currency)?;
    let rule = Rule {
        currency: body.currency.clone(),
        threshold: Amount::from(body.payout_threshold_amount),
        action: Action::PayOut {
            minimum: Amount::from(body.minimum_threshold_amount),
            address,
            is_low: false,
        },
        order: None,
        failures: Vec::new(),
    };
    super::create(unit, &account, &rule)?;
    Ok(MaintainedBalance {
        payout_account: outside(&account, &body.payout_address),
        account: AccountSummary::from(&account),
        currency: body.currency,
        minimum_threshold_amount: body.minimum_threshold_amount,
        payout_threshold_amount: body.payout_threshold_amount,
    })
}

/// Refuses a currency that has an automation: both would spend the same money.
pub(super) fn check_no_automation(rules: &[(i64, Rule)], currency: &Currency) -> Outcome<()> {
    let mut rules = rules.iter();
    match rules.find(|(_, rule)| rule.currency == *currency) {
        Some((id, _)) => Err(Refusal::already_exists(
            "currency",
            format!("already has automation {id}: delete it first"),
        )),
        None => Ok(()),
    }
}

/// Checks that the surplus can be sent from each chain of the account to the address and does not return from there, which would
/// repeat until network fees have consumed it.
fn check_address(
    unit: &mut Unit<'_>,
    account: &Account,
    currency: &Currency,
    address: &WalletAddress,
) -> Outcome<()> {
    let below = store::account::chains_of(unit.database, account.org_id, account.id)?;
    let family: Vec<&Account> = below.iter().chain([account]).collect();
    if account::is_address_of_any(unit, &family, address.as_str())? {
        return Err(Refusal::field(
            "payout_address",
            Reason::Excluded,
            "must not be the account itself: the money would come back",
        ));
    }
    let currency = std::slice::from_ref(currency);
    if account::is_cyclic_destination(unit, &family, address.as_str(), currency)? {
        return Err(Refusal::field(
            "payout_address",
            Reason::Excluded,
            "must not belong to an account that pays out to this one: the money would come back",
        ));
    }
    for chain in super::chains_of(unit, account)? {
        let known = store::chain::find(unit.database, chain)?;
        if known.is_some_and(|known| known.family != address.family()) {
            return Err(Refusal::address_malformed(
                "payout_address",
                "is not an address of the account's chains",
            ));
        }
        check_destination(unit, chain, Some("payout_address"), address.as_str())?;
    }
    Ok(())
}

/// The external wallet in the contract's form, an account summary. It has the id of the account that pays it.
fn outside(account: &Account, address: &WalletAddress) -> AccountSummary {
    AccountSummary {
        id: account.id,
        reference: None,
        name: None,
        account_type: AccountType::Other("External".to_owned()),
        address: Some(address.to_string()),
        chain_id: account.chain_id,
        currencies: account.currencies.clone(),
        enabled: true,
    }
}
