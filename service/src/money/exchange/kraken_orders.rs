//! Kraken's requests for orders: `AddOrder`, and `ClosedOrders` and `OpenOrders` for one order by the client's id.

use std::collections::BTreeMap;

use serde::Deserialize;
use settlekit_core::value::{Amount, Timestamp};

use super::access::Access;
use super::kraken::{SignedRequest, asset_name, is_id, parse_result, without_zeros};
use super::{ExchangeError, Execution, Side};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange_order::StoredOrder;

/// Places an order that trades at once at its price or better; what cannot be traded so is canceled, and the exchange refuses it after
/// the deadline. The fee is in the second currency.
pub(super) fn add_order(
    access: Access<'_>,
    order: &StoredOrder,
    deadline: Timestamp,
) -> SignedRequest {
    let (pair, volume, price) = (
        pair(&order.market),
        order.volume.to_string(),
        order.price.to_string(),
    );
    let deadline = deadline.to_string();
    let fields = [
        ("ordertype", "limit"),
        ("timeinforce", "IOC"),
        ("oflags", "fciq"),
        ("pair", &pair),
        ("type", order.side.as_str()),
        ("volume", &volume),
        ("price", &price),
        ("cl_ord_id", &order.id),
        ("deadline", &deadline),
    ];
    access.sign(0, "/0/private/AddOrder", &fields)
}

/// Asks for an order by the client's id: among the closed ones, then among the open ones.
pub(super) fn find_order(access: Access<'_>, id: &str) -> Vec<SignedRequest> {
    let fields = [("cl_ord_id", id)];
    let paths = ["/0/private/ClosedOrders", "/0/private/OpenOrders"];
    let requests = (0..).zip(paths);
    requests
        .map(|(place, path)| access.sign(place, path, &fields))
        .collect()
}

/// The exchange's names of a market's currencies.
pub(super) fn named(market: &str) -> Vec<&str> {
    market.split('/').map(asset_name).collect()
}

/// The exchange's name of a market.
pub(super) fn pair(market: &str) -> String {
    named(market).concat()
}

#[derive(Deserialize)]
struct Added {
    txid: Vec<String>,
}

/// The exchange's id of an order that it took.
pub(super) fn parse_added(answer: &WebAnswer) -> Result<String, ExchangeError> {
    let added: Added = parse_result(answer)?;
    match <[String; 1]>::try_from(added.txid) {
        Ok([id]) if is_id(&id) => Ok(id),
        _ => Err(ExchangeError::Malformed),
    }
}

#[derive(Deserialize)]
struct KrakenOrder {
    status: String,
    /// The client's id. A list that is not narrowed to it would name others.
    cl_ord_id: String,
    vol: String,
    vol_exec: String,
    cost: String,
    fee: String,
}

#[derive(Deserialize)]
struct Closed {
    closed: BTreeMap<String, KrakenOrder>,
}

#[derive(Deserialize)]
struct Open {
    open: BTreeMap<String, KrakenOrder>,
}

/// An order as the exchange lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ListedOrder {
    /// Closed, with the exchange's id.
    Closed(String, Execution),
    /// Open, with the exchange's id.
    Open(String),
}

/// An order in the answers about the closed and about the open ones; `None` if neither lists it.
pub(super) fn parse_listed(
    (closed, open): (&WebAnswer, &WebAnswer),
    order: &StoredOrder,
) -> Result<Option<ListedOrder>, ExchangeError> {
    // Asked in this order: an order that was open at first is closed at most later.
    let closed: Closed = parse_result(closed)?;
    if let Some((exchange_id, listed)) = single_order(closed.closed, &order.id)? {
        return read_closed(exchange_id, &listed, order).map(Some);
    }
    let open: Open = parse_result(open)?;
    let found = single_order(open.open, &order.id)?;
    Ok(found.map(|(exchange_id, _)| ListedOrder::Open(exchange_id)))
}

/// The only order of a list, with the id that was asked for.
fn single_order(
    listed: BTreeMap<String, KrakenOrder>,
    id: &str,
) -> Result<Option<(String, KrakenOrder)>, ExchangeError> {
    let mut listed = listed.into_iter();
    let first = listed.next();
    let is_right =
        |(exchange_id, order): &(String, KrakenOrder)| order.cl_ord_id == id && is_id(exchange_id);
    match first {
        None => Ok(None),
        Some(order) if is_right(&order) && listed.next().is_none() => Ok(Some(order)),
        Some(_) => Err(ExchangeError::Malformed),
    }
}

fn read_closed(
    exchange_id: String,
    listed: &KrakenOrder,
    order: &StoredOrder,
) -> Result<ListedOrder, ExchangeError> {
    let amount = |text: &str| match text.parse::<Amount>() {
        Ok(amount) if !amount.is_negative() => without_zeros(amount),
        _ => Err(ExchangeError::Malformed),
    };
    let execution = Execution {
        volume: amount(&listed.vol_exec)?,
        cost: amount(&listed.cost)?,
        fee: amount(&listed.fee)?,
    };
    let is_final = matches!(listed.status.as_str(), "closed" | "canceled" | "expired");
    let has_id = order
        .exchange_id
        .as_ref()
        .is_none_or(|known| *known == exchange_id);
    let is_ours = has_id && amount(&listed.vol)? == order.volume;
    if is_final && is_ours && is_within_limits(&execution, order) {
        Ok(ListedOrder::Closed(exchange_id, execution))
    } else {
        Err(ExchangeError::Malformed)
    }
}

/// Whether an execution is of at most the volume, and at the limit or better. The exchange rounds its cost: by less than a thousandth.
pub(super) fn is_within_limits(execution: &Execution, order: &StoredOrder) -> bool {
    let compared = || {
        let units = |amount: Amount| amount.to_units(amount.scale()).ok();
        let raise = |units: i128, by: u32| units.checked_mul(10_i128.checked_pow(by)?);
        let limit = units(execution.volume)?.checked_mul(units(order.price)?)?;
        let (limit_scale, scale) = (
            execution.volume.scale() + order.price.scale(),
            execution.cost.scale(),
        );
        let common = limit_scale.max(scale);
        let cost = raise(units(execution.cost)?, common - scale)?;
        Some((raise(limit, common - limit_scale)?, cost))
    };
    let Some((limit, cost)) = compared() else {
        return false;
    };
    let tolerance = limit / 1_000;
    let is_at_limit = match order.side {
        Side::Buy => cost <= limit + tolerance,
        Side::Sell => cost >= limit - tolerance,
    };
    execution.volume <= order.volume
        && execution.volume.is_zero() == execution.cost.is_zero()
        && is_at_limit
}
