//! A run of a conversion: sells the available balance at the best price of all venues, unless it costs too much.
//!
//! A venue on a chain is asked by the host. A run that needs its answers ends there, and starts again with them.

use std::time::Duration;

use settlekit_core::account::Account;
use settlekit_core::automation::{Automation, AutomationReason};
use settlekit_core::event::EventAction;
use settlekit_core::paylink::Source;
use settlekit_core::quote::{DepositMethod, Quote, QuoteAsset};
use settlekit_core::value::{AccountKey, AutomationId, Currency, OrganisationId, QuoteId};

use super::available::{Held, held, surplus};
use super::{pause, wait};
use crate::money::connection;
use crate::money::prices;
use crate::money::rounding::{Rounding, multiply_divide};
use crate::resources::event;
use crate::resources::quote::{self, Names, QuoteParameters, Sale};
use crate::store;
use crate::store::automation::{Failures, Rule};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// The pause after a conversion that cost too much or had no quote.
const RETRY_AFTER: Duration = Duration::from_secs(15 * 60);

/// The whole of an amount.
const BASIS_POINTS: i128 = 10_000;

/// Nobody reads these: an automation has no request.
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
    Converted,
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
    let automation = Automation {
        last_run_at: Some(unit.now),
        ..automation
    };
    let held = held(unit, account, &rule.currency)?;
    let held = surplus(unit, organisation, &rule.currency, held)?;
    let (mut is_asked, mut is_changed) = (false, false);
    for one in held {
        let account = one.account.id;
        if one.amount <= rule.threshold {
            // What was refused was taken elsewhere since.
            is_changed |= pause::take_refusal(&mut rule, account);
            continue;
        }
        if pause::is_paused(unit, &rule, account) {
            continue;
        }
        match convert(
            unit,
            automation.id,
            &rule.currency,
            &one,
            (to, max_cost_bps),
        )? {
            Step::Converted => {}
            Step::NeedsAnswers => is_asked = true,
            Step::Refused(reason) => {
                let before = pause::take(&mut rule, account);
                is_changed |= before.as_ref().is_none_or(|before| before.reason != reason);
                rule.failures.push(Failures {
                    account,
                    in_a_row: before.map_or(0, |before| before.in_a_row),
                    paused_until: unit.now.plus(RETRY_AFTER),
                    reason,
                });
            }
        }
    }
    let ask_at = is_asked.then_some(unit.now);
    store::automation::set_ask_at(unit.database, (organisation, automation.id), ask_at)?;
    wait(unit, organisation, &automation, &rule)?;
    if is_changed {
        let shown = pause::shown(unit, automation, &rule);
        event::record(unit, organisation, EventAction::Updated, &shown)?;
    }
    Ok(())
}

fn convert(
    unit: &mut Unit<'_>,
    id: AutomationId,
    sold: &Currency,
    held: &Held,
    (to, max_cost_bps): (&Currency, i64),
) -> Result<Step, StoreError> {
    let Some(chain) = held.account.chain_id else {
        return Ok(Step::Converted);
    };
    if connection::of_chain(unit, chain)?.is_none() {
        return Ok(Step::Refused(AutomationReason::NoQuote));
    }
    let asked = unit.asked.len();
    match unit.attempt(|unit| place(unit, id, (sold, to), held, max_cost_bps))? {
        Ok(None) => Ok(Step::Converted),
        Ok(Some(reason)) => Ok(Step::Refused(reason)),
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
) -> Outcome<Option<AutomationReason>> {
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
        None => return Ok(Some(AutomationReason::NoQuote)),
        Some(cost) if cost > i128::from(max_cost_bps) => {
            return Ok(Some(AutomationReason::CostTooHigh));
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
    quote::place(unit, quote, None)?;
    Ok(None)
}

/// What a quote costs by the price sources, in basis points of the sold amount, rounded up; `None` without a price.
fn cost(unit: &mut Unit<'_>, quote: &Quote) -> Result<Option<i128>, StoreError> {
    let Some(sold) = quote.sell_assets.first() else {
        return Ok(None);
    };
    let (sold, bought) = (sold, &quote.buy_asset);
    let prices = prices::of(unit, [&sold.symbol, &bought.symbol])?;
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

/// Notes how the order of a quote ended, if an automation made it.
pub(crate) fn conversion_ended(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    quote: QuoteId,
    is_settled: bool,
) -> Result<(), StoreError> {
    let Some(quote) = store::quote::LISTING.find(unit.database, organisation, quote)? else {
        return Ok(());
    };
    let id = pause::automation_of(quote.properties.as_ref());
    let Some((id, account)) = id.zip(quote.account_id) else {
        return Ok(());
    };
    match is_settled {
        true => pause::succeeded(unit, (organisation, id), account),
        false => pause::failed(
            unit,
            (organisation, id),
            account,
            AutomationReason::VenueRefused,
        ),
    }
}
