//! A run of a conversion: sells the available balance at the best price of all venues, unless it costs too much.
//!
//! A venue on a chain is asked by the host. A run that needs its answers ends there, and starts again with them.

use std::time::Duration;

use settlekit_core::account::Account;
use settlekit_core::automation::{Automation, AutomationReason};
use settlekit_core::event::EventAction;
use settlekit_core::paylink::Source;
use settlekit_core::quote::{DepositMethod, Quote, QuoteAsset};
use settlekit_core::value::{AccountKey, AutomationId, Currency, OrderId};

use super::available::{Held, held, surplus};
use super::{pause, wait};
use crate::money::prices;
use crate::money::rounding::{Rounding, multiply_divide};
use crate::resources::event;
use crate::resources::quote::{self, Names, QuoteParameters, Sale};
use crate::store;
use crate::store::automation::{Failures, Rule};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// The pauses after the first, second … conversion in a row that cost too much or had no quote. Providers of nodes charge for each try.
const RETRIES: [Duration; 3] = [
    Duration::from_secs(15 * 60),
    Duration::from_secs(30 * 60),
    Duration::from_secs(60 * 60),
];

/// The most balances that a run tries.
const TRIES_MAX: usize = 8;

/// 100 %.
const BASIS_POINTS: i128 = 10_000;

/// Field names for errors. Nobody reads them: an automation has no request.
const NAMES: Names = Names {
    account: "account",
    buy_amount: "to_currency",
    buy_chain: "to_currency",
    buy_currency: "to_currency",
    buy_token: "to_currency",
    sell_amount: "currency",
    sell_chain: "currency",
    sell_currency: "currency",
    sell_token: "currency",
    listed: &[],
};

/// Decimal places of amounts whose worth is compared: the most that a chain has.
const WORTH_SCALE: u32 = 18;

/// The result for the balance on one chain.
enum Step {
    Converted(OrderId),
    /// The host asks nodes first.
    NeedsAnswers,
    Refused(AutomationReason),
}

/// Converts the balances of an account on all its chains.
pub(super) fn run(
    unit: &mut Unit<'_>,
    (automation, mut rule): (Automation, Rule),
    account: &Account,
    (to, max_cost_bps): (&Currency, i64),
) -> Outcome<()> {
    let organisation = account.org_id;
    let id = (organisation, automation.id);
    let automation = Automation {
        last_run_at: Some(unit.now),
        ..automation
    };
    // One order at a time: several of one price would spoil each other, and take the turns of other merchants. Its end wakes this.
    if rule.order.is_some() {
        store::automation::set_ask_at(unit.database, id, None)?;
        return Ok(wait(unit, organisation, &automation, &rule)?);
    }
    let held = held(unit, account, &rule.currency)?;
    let held = surplus(unit, organisation, &rule.currency, held)?;
    let (mut is_asked, mut is_changed, mut tries) = (false, false, 0);
    for one in held {
        let account = one.account.id;
        if one.amount <= rule.threshold {
            // The refused amount has left the account since.
            is_changed |= pause::take_refusal(&mut rule, account);
            continue;
        }
        if pause::is_paused(unit, &rule, account) || !is_convertible(unit, &one.account, to)? {
            continue;
        }
        if tries == TRIES_MAX {
            break;
        }
        tries += 1;
        let pair = (&rule.currency, to);
        match convert(unit, automation.id, pair, &one, max_cost_bps)? {
            Step::Converted(order) => {
                rule.order = Some(order);
                break;
            }
            Step::NeedsAnswers => {
                is_asked = true;
                break;
            }
            Step::Refused(reason) => {
                let before = pause::take(&mut rule, account);
                is_changed |= before.as_ref().is_none_or(|before| before.reason != reason);
                let refusals = before.as_ref().map_or(0, |before| before.refusals);
                let pause = RETRIES[RETRIES.len().min(refusals + 1) - 1];
                rule.failures.push(Failures {
                    account,
                    in_a_row: before.map_or(0, |before| before.in_a_row),
                    refusals: refusals.saturating_add(1),
                    paused_until: unit.now.plus(pause),
                    reason,
                });
            }
        }
    }
    match is_asked {
        true => store::automation::ask_by(unit.database, id, unit.now)?,
        false => store::automation::set_ask_at(unit.database, id, None)?,
    }
    wait(unit, organisation, &automation, &rule)?;
    if tries == TRIES_MAX {
        store::automation::wake(unit.database, organisation, account.id, unit.now)?;
    }
    if is_changed {
        let shown = pause::shown(unit, automation, &rule);
        event::record(unit, organisation, EventAction::Updated, &shown)?;
    }
    Ok(())
}

/// Whether an account takes the bought currency. An account on a chain without a venue says that it has no quote.
fn is_convertible(
    unit: &mut Unit<'_>,
    account: &Account,
    bought: &Currency,
) -> Result<bool, StoreError> {
    let (Some(chain), true) = (account.chain_id, account.enabled) else {
        return Ok(false);
    };
    let has_asset = store::chain::asset(unit.database, chain, bought)?.is_some();
    Ok(has_asset && account.currencies.contains(bought))
}

fn convert(
    unit: &mut Unit<'_>,
    id: AutomationId,
    pair: (&Currency, &Currency),
    held: &Held,
    max_cost_bps: i64,
) -> Result<Step, StoreError> {
    let asked = unit.asked.len();
    match unit.attempt(|unit| place(unit, id, pair, held, max_cost_bps))? {
        Ok(Ok(order)) => Ok(Step::Converted(order)),
        Ok(Err(reason)) => Ok(Step::Refused(reason)),
        Err(Refusal::Store(error)) => Err(error),
        Err(_) if unit.asked.len() > asked => Ok(Step::NeedsAnswers),
        Err(_) => Ok(Step::Refused(AutomationReason::NoQuote)),
    }
}

/// Places an order at the best price; returns why not.
fn place(
    unit: &mut Unit<'_>,
    id: AutomationId,
    (sold, to): (&Currency, &Currency),
    held: &Held,
    max_cost_bps: i64,
) -> Outcome<Result<OrderId, AutomationReason>> {
    let account = &held.account;
    let parameters = QuoteParameters {
        names: NAMES,
        sales: vec![Sale {
            currency: sold.clone(),
            chain: account.chain_id,
            token: None,
            amount: Some(held.amount),
        }],
        buy_currency: to.clone(),
        buy_chain: account.chain_id,
        buy_token: None,
        buy_amount: None,
        funding: Some(AccountKey::Id(account.id)),
        method: DepositMethod::Balance,
        settlement_account: Some(account.id),
        settlement_address: None,
        estimate: false,
        source: Source::Automation,
    };
    let (quote, terms) = quote::create(unit, account.org_id, &parameters)?;
    let terms = terms.ok_or_else(|| StoreError::Broken("a firm quote has no terms".into()))?;
    match cost(unit, &quote)? {
        None => return Ok(Err(AutomationReason::NoQuote)),
        Some(cost) if cost > i128::from(max_cost_bps) => {
            return Ok(Err(AutomationReason::CostTooHigh));
        }
        Some(_) => {}
    }
    let mut properties = quote.properties.clone().unwrap_or_default();
    properties.extend(pause::properties(id));
    let quote = Quote {
        properties: Some(properties),
        ..quote
    };
    let quote = store::quote::insert(unit.database, quote, &terms)?;
    event::record(unit, quote.org_id, EventAction::Created, &quote)?;
    let order = quote::place(unit, quote, None)?.order_id;
    let order = order.ok_or_else(|| StoreError::Broken("an order has no id".into()))?;
    Ok(Ok(order))
}

/// The cost of a quote by the price sources, in basis points of the sold amount, rounded up; `None` without a price. The
/// network fee's currency needs a price, too, for the venue's check that the fee is not worth more than the sold amount.
fn cost(unit: &mut Unit<'_>, quote: &Quote) -> Result<Option<i128>, StoreError> {
    let Some(sold) = quote.sell_assets.first() else {
        return Ok(None);
    };
    let (sold, bought) = (sold, &quote.buy_asset);
    let properties = quote.properties.as_ref();
    let fee = properties.and_then(|properties| properties.get("network_fee_currency"));
    let fee: Option<Currency> = fee.and_then(|fee| fee.as_str()?.parse().ok());
    let prices = prices::of(unit, [&sold.symbol, &bought.symbol].into_iter().chain(&fee))?;
    if fee.is_some_and(|fee| prices.price(&fee).is_none()) {
        return Ok(None);
    }
    let worth = |asset: &QuoteAsset| {
        let units = asset.amount.to_units(WORTH_SCALE).ok()?;
        prices.usd_of(units, WORTH_SCALE, &asset.symbol)
    };
    let costs = worth(sold).zip(worth(bought)).and_then(|(given, taken)| {
        let lost = given.saturating_sub(taken).max(0);
        multiply_divide(lost, BASIS_POINTS, given, Rounding::Up)
    });
    Ok(costs)
}
