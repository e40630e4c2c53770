//! The figures of the dashboard's first page.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use settlekit_core::chain::{Asset, Chain, ChainDetail};
use settlekit_core::event::DeliveryStatus;
use settlekit_core::overview::{
    DayVolume, GetOverview, Overview, OverviewAccount, OverviewBalance,
};
use settlekit_core::paylink::PaylinkState;
use settlekit_core::value::{AccountId, Amount, ChainId, Currency, OrganisationId, Timestamp};

use super::last_total::last_total;
use crate::money::prices;
use crate::resources::account;
use crate::store::filter_counts::{EVENTS, FilterValues, PAYLINKS};
use crate::store::ledger::Balance;
use crate::store::sql::StoreError;
use crate::store::{self, counter};
use crate::unit::{Outcome, Received, Unit};

/// Days of volume, including today.
const DAYS: i64 = 30;

/// Accounts in the list of largest balances.
const ACCOUNTS_MAX: usize = 10;

fn shown(millionths: i128) -> Result<Amount, StoreError> {
    prices::usd_shown(millionths)
        .ok_or_else(|| StoreError::Broken("a total is too large to represent".into()))
}

fn damaged() -> StoreError {
    StoreError::Damaged("a balance is of an unknown asset".into())
}

fn asset_of<'a>(
    chains: &'a [ChainDetail],
    chain: ChainId,
    currency: &Currency,
) -> Result<(&'a ChainDetail, &'a Asset), StoreError> {
    let detail = chains.iter().find(|detail| detail.id == chain);
    let detail = detail.ok_or_else(damaged)?;
    let asset = detail.assets.iter().find(|asset| asset.symbol == *currency);
    Ok((detail, asset.ok_or_else(damaged)?))
}

/// Whether the money of a chain has value. That of test networks counts in no sum.
fn has_value(detail: &ChainDetail) -> bool {
    detail.test_network != Some(true)
}

fn named(detail: &ChainDetail) -> Chain {
    Chain {
        id: detail.id,
        name: detail.name.clone(),
        native_currency_symbol: detail.native_currency_symbol.clone(),
    }
}

/// The accounts with the largest available balance, by value.
fn largest_balances(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    chains: &[ChainDetail],
    held: &[Balance],
) -> Result<Vec<OverviewAccount>, StoreError> {
    let prices = prices::of(unit, held.iter().map(|balance| &balance.currency))?;
    let mut worth: BTreeMap<AccountId, i128> = BTreeMap::new();
    for balance in held {
        let (detail, asset) = asset_of(chains, balance.chain, &balance.currency)?;
        if !has_value(detail) {
            continue;
        }
        let available = balance.posted - balance.reserved;
        let usd = prices.usd_of(available, asset.scale, &balance.currency);
        let usd = usd.unwrap_or(0);
        let sum = worth.entry(balance.account).or_default();
        *sum = sum.saturating_add(usd);
    }
    let mut worth: Vec<_> = worth.into_iter().filter(|(_, usd)| *usd > 0).collect();
    worth.sort_by_key(|(account, usd)| (Reverse(*usd), *account));
    worth.truncate(ACCOUNTS_MAX);
    let named = worth.into_iter().map(|(account_id, usd)| {
        let account = store::account::LISTING.find(unit.database, organisation, account_id)?;
        let account =
            account.ok_or_else(|| StoreError::Damaged("an account is not there".into()))?;
        Ok(OverviewAccount {
            account_id,
            name: account.name,
            reference: account.reference,
            chain: account.chain,
            amount_usd: shown(usd)?,
        })
    });
    named.collect()
}

pub(crate) fn get_overview(unit: &mut Unit<'_>, call: Received<GetOverview>) -> Outcome<Overview> {
    let organisation = call.caller.organisation;
    let chains = store::chain::list(unit.database)?;
    let mut sums: BTreeMap<(ChainId, Currency), (i128, i128)> = BTreeMap::new();
    let mut held = store::ledger::balances(unit.database, organisation, None)?;
    let watched = store::account::only_watched(unit.database, organisation)?;
    held.retain(|balance| !watched.contains(&balance.account));
    let accounts = largest_balances(unit, organisation, &chains, &held)?;
    for balance in held {
        let sum = sums.entry((balance.chain, balance.currency)).or_default();
        *sum = (
            sum.0.saturating_add(balance.posted),
            sum.1.saturating_add(balance.reserved),
        );
    }
    let prices = prices::of(unit, sums.keys().map(|(_, currency)| currency))?;
    // Without prices a total would be a wrong zero.
    let has_prices = prices::is_connected(unit)?;
    let is_whole = |part: fn((i128, i128)) -> i128| {
        let mut sums = sums.iter();
        !sums.any(|((chain, currency), sum)| {
            let mut chains = chains.iter().filter(|detail| has_value(detail));
            part(*sum) != 0
                && prices.is_unavailable(currency)
                && chains.any(|detail| detail.id == *chain)
        })
    };
    let is_reserved_whole = is_whole(|(_, reserved)| reserved);
    let is_whole = is_whole(|(posted, reserved)| posted - reserved);
    let in_usd = |millionths| has_prices.then(|| shown(millionths)).transpose();
    let (mut total, mut total_reserved) = (0_i128, 0_i128);
    let mut balances = Vec::with_capacity(sums.len());
    let mut all_available = Vec::with_capacity(sums.len());
    for ((chain, currency), (posted, reserved)) in sums {
        let (detail, asset) = asset_of(&chains, chain, &currency)?;
        let amount = |units| Amount::from_units(units, asset.scale).map_err(|_| damaged());
        let available = posted - reserved;
        let has_value = has_value(detail);
        let usd = prices.usd_of(available, asset.scale, &currency);
        let usd = usd.filter(|_| has_value);
        total = total.saturating_add(usd.unwrap_or(0));
        if has_value {
            let usd = prices.usd_of(reserved, asset.scale, &currency);
            total_reserved = total_reserved.saturating_add(usd.unwrap_or(0));
            all_available.push((currency.clone(), asset.scale, available));
        }
        balances.push(OverviewBalance {
            chain: named(detail),
            posted: amount(posted)?,
            reserved: amount(reserved)?,
            available: amount(available)?,
            amount_usd: usd.and_then(prices::usd_shown),
            currency,
        });
    }
    let last = match is_whole {
        true => None,
        false => last_total(unit, &prices, &all_available)?,
    };
    let today = unit.now.day_number();
    let stored: BTreeMap<i64, _> =
        store::volume::since(unit.database, organisation, today - DAYS + 1)?
            .into_iter()
            .collect();
    let mut volume = Vec::new();
    for day in today - DAYS + 1..=today {
        let stored = stored.get(&day).copied().unwrap_or_default();
        volume.push(DayVolume {
            date: Timestamp::from_day_number(day).day(),
            in_usd: in_usd(stored.in_usd)?,
            out_usd: in_usd(stored.out_usd)?,
            count: u64::try_from(stored.movements).unwrap_or(0),
        });
    }
    let movements_pending = counter::read(unit.database, organisation, account::UNDER_WAY)?;
    let open = PaylinkState::Open;
    let open = FilterValues::status(Some(open.as_str()));
    let paylinks_active = PAYLINKS.total(unit.database, organisation, open)?;
    let payouts_awaiting_approval = store::payout::awaiting_approval(unit.database, organisation)?;
    let payments_processing = store::payment::count_processing(unit.database, organisation)?;
    let mut deliveries = |status| {
        let values = FilterValues::status(Some(status));
        EVENTS.total(unit.database, organisation, values)
    };
    let deliveries_failed = deliveries(DeliveryStatus::Failed.as_str())?;
    let deliveries_pending = deliveries(DeliveryStatus::Pending.as_str())?;
    let (quotes_open, quote_expires_at) =
        store::quote::open(unit.database, organisation, unit.now)?;
    let since = Timestamp::from_day_number(today - DAYS + 1);
    let (movements_failed, failed_account_id) =
        store::movement::failed_since(unit.database, organisation, since)?;
    let record = store::organisation::find(unit.database, organisation)?;
    let properties = record.and_then(|record| record.properties);
    let properties = properties.unwrap_or_default();
    Ok(Overview {
        balances,
        // Without one of its prices it would be too low.
        total_usd: if is_whole { in_usd(total)? } else { None },
        reserved_usd: match is_reserved_whole {
            true => in_usd(total_reserved)?,
            false => None,
        },
        last_total_usd: last.map(|(usd, _)| shown(usd)).transpose()?,
        last_total_at: last.map(|(_, at)| at),
        accounts,
        volume,
        payments_processing,
        payouts_awaiting_approval,
        movements_pending,
        movements_failed,
        failed_account_id,
        deliveries_failed,
        deliveries_pending,
        paylinks_active,
        quotes_open,
        quote_expires_at,
        is_suspended: properties.is_suspended == Some(true),
        suspension_type: properties.suspension_type,
        kyc_status: properties
            .kyc
            .and_then(|kyc| kyc.review_status().map(str::to_owned)),
        kyb_status: properties
            .kyb
            .and_then(|kyb| kyb.review_status().map(str::to_owned)),
        revision: store::event::latest_seq(unit.database, organisation)?,
        now: unit.now,
    })
}
