//! Creates the automation that converts an account's balance.

use settlekit_core::account::Account;
use settlekit_core::automation::{Automation, ConvertBalance};
use settlekit_core::error::Reason;
use settlekit_core::value::{Amount, Currency};

use super::family_rules;
use super::maintain_balance::check_no_automation;
use crate::money::outflow::need_held;
use crate::money::venue::{self, Side};
use crate::resources::account;
use crate::store;
use crate::store::automation::{Action, Rule};
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn convert_balance(
    unit: &mut Unit<'_>,
    call: Received<ConvertBalance>,
) -> Outcome<Automation> {
    let body = call.body;
    let account = account::one(unit, call.caller.organisation, &call.path.account)?;
    if account.deleted_at.is_some() {
        return Err(Refusal::not_found("account"));
    }
    need_held(&account, None)?;
    for (field, currency) in [
        ("currency", &body.currency),
        ("to_currency", &body.to_currency),
    ] {
        if !account.currencies.contains(currency) {
            let message = "is not a currency of the account";
            return Err(Refusal::not_supported(field, message));
        }
    }
    super::check_connected(unit, &account)?;
    check_traded(unit, &account, (&body.currency, &body.to_currency))?;
    let finest = super::decimal_places(unit, &account, &body.currency)?;
    let threshold = body.threshold_amount;
    threshold
        .to_units(finest)
        .map_err(|error| Refusal::amount("threshold_amount", error))?;
    // Those of the parent and of sub-accounts act on the same balances.
    let rules = family_rules(unit, &account)?;
    check_no_automation(&rules, &body.currency)?;
    check_no_cycle(&rules, (&body.currency, &body.to_currency))?;
    let rule = Rule {
        currency: body.currency,
        threshold: Amount::from(threshold),
        action: Action::Convert {
            to: body.to_currency,
            max_cost_bps: body.max_cost_bps,
        },
        order: None,
        failures: Vec::new(),
    };
    super::create(unit, &account, &rule)
}

/// Refuses a pair that no venue trades on any chain of the account.
fn check_traded(
    unit: &mut Unit<'_>,
    account: &Account,
    (sold, bought): (&Currency, &Currency),
) -> Outcome<()> {
    let venues = venue::connected(unit)?;
    for chain in super::chains_of(unit, account)? {
        let mut side = |currency| -> Outcome<Option<u32>> {
            let asset = store::chain::asset(unit.database, chain, currency)?;
            Ok(asset.map(|asset| asset.scale))
        };
        let (Some(sold_scale), Some(bought_scale)) = (side(sold)?, side(bought)?) else {
            continue;
        };
        let sold = Side {
            currency: sold,
            chain,
            scale: sold_scale,
        };
        let bought = Side {
            currency: bought,
            chain,
            scale: bought_scale,
        };
        if venues.is_pair(sold, bought) {
            return Ok(());
        }
    }
    let message = format!("cannot be traded for {sold} on a chain of the account");
    Err(Refusal::not_supported("to_currency", message))
}

/// Refuses conversions that lead back to their currency: each round would cost money.
fn check_no_cycle(rules: &[(i64, Rule)], (sold, bought): (&Currency, &Currency)) -> Outcome<()> {
    let mut reached = vec![bought];
    let mut place = 0;
    while let Some(at) = reached.get(place).copied() {
        if at == sold {
            return Err(Refusal::field(
                "to_currency",
                Reason::Excluded,
                "must not be converted back by other automations of the account",
            ));
        }
        for (_, rule) in rules.iter().filter(|(_, rule)| rule.currency == *at) {
            if let Action::Convert { to, .. } = &rule.action
                && !reached.contains(&to)
            {
                reached.push(to);
            }
        }
        place += 1;
    }
    Ok(())
}
