//! The organisation at a glance: kept counts and balances, nothing counted anew.

use std::collections::BTreeMap;

use settlekit_core::chain::Asset;
use settlekit_core::event::DeliveryStatus;
use settlekit_core::overview::{DayVolume, GetOverview, Overview, OverviewBalance};
use settlekit_core::payment::PaymentStatus;
use settlekit_core::value::{Amount, ChainId, Currency, Timestamp};

use crate::refusal::Outcome;
use crate::router::Received;
use crate::store::count::{Counted, EVENTS_BY_DELIVERY, PAYMENTS_BY_STATUS};
use crate::store::sql::StoreError;
use crate::store::{self, tally};
use crate::unit::Unit;
use crate::{account, paylink, venue};

/// How many days of volume are shown, today included.
const DAYS: i64 = 30;

fn shown(millionths: i128) -> Result<Amount, StoreError> {
    venue::usd_shown(millionths)
        .ok_or_else(|| StoreError::Broken("a total is too large to be shown".into()))
}

pub(crate) fn get_overview(unit: &mut Unit<'_>, call: Received<GetOverview>) -> Outcome<Overview> {
    let organisation = call.caller.organisation;
    let chains = store::chain::list(unit.database)?;
    let mut sums: BTreeMap<(ChainId, Currency), (i128, i128)> = BTreeMap::new();
    for balance in store::ledger::balances(unit.database, organisation, None)? {
        let sum = sums.entry((balance.chain, balance.currency)).or_default();
        *sum = (
            sum.0.saturating_add(balance.posted),
            sum.1.saturating_add(balance.reserved),
        );
    }
    let mut total: i128 = 0;
    let mut balances = Vec::with_capacity(sums.len());
    for ((chain, currency), (posted, reserved)) in sums {
        let damaged = || StoreError::Damaged("a balance is of an unknown asset".into());
        let detail = chains
            .iter()
            .find(|detail| detail.id == chain)
            .ok_or_else(damaged)?;
        let asset: &Asset = detail
            .assets
            .iter()
            .find(|asset| asset.symbol == currency)
            .ok_or_else(damaged)?;
        let amount = |units| Amount::from_units(units, asset.scale).map_err(|_| damaged());
        let available = posted - reserved;
        let usd = venue::usd_of(available, asset.scale, &currency);
        total = total.saturating_add(usd.unwrap_or(0));
        balances.push(OverviewBalance {
            chain: settlekit_core::chain::Chain {
                id: detail.id,
                name: detail.name.clone(),
                native_currency_symbol: detail.native_currency_symbol.clone(),
            },
            posted: amount(posted)?,
            reserved: amount(reserved)?,
            available: amount(available)?,
            amount_usd: usd.and_then(venue::usd_shown),
            currency,
        });
    }
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
            in_usd: shown(stored.in_usd)?,
            out_usd: shown(stored.out_usd)?,
            count: u64::try_from(stored.movements).unwrap_or(0),
        });
    }
    let mut count = |name: &str| tally::read(unit.database, organisation, name);
    let movements_pending = count(account::UNDER_WAY)?;
    let paylinks_active = count(paylink::ACTIVE)?;
    let mut rows =
        |counted: &Counted, value: &str| counted.total(unit.database, organisation, value);
    let payments_processing = rows(&PAYMENTS_BY_STATUS, PaymentStatus::Processing.as_str())?;
    let deliveries_failed = rows(&EVENTS_BY_DELIVERY, DeliveryStatus::Failed.as_str())?;
    let deliveries_pending = rows(&EVENTS_BY_DELIVERY, DeliveryStatus::Pending.as_str())?;
    let (quotes_open, quote_expires_at) =
        store::quote::open(unit.database, organisation, unit.now)?;
    // Rare, and only then is there a reason to be read.
    let suspended = store::organisation::is_suspended(unit.database, organisation)?
        .then(|| store::organisation::find(unit.database, organisation))
        .transpose()?
        .map(|record| record.and_then(|record| record.properties?.suspension_type));
    Ok(Overview {
        balances,
        total_usd: shown(total)?,
        volume,
        payments_processing,
        movements_pending,
        deliveries_failed,
        deliveries_pending,
        paylinks_active,
        quotes_open,
        quote_expires_at,
        is_suspended: suspended.is_some(),
        suspension_type: suspended.flatten(),
        revision: store::event::latest(unit.database, organisation)?,
    })
}
