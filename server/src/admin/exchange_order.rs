//! Commands for orders at exchange accounts.

use serde_json::{Value, json};
use settlekit_service::exchange::{
    ExchangeOrder, ExchangeOrderError, ExchangeOrderStatus, Execution, NewExchangeOrder,
    ORDERS_LISTED, Side,
};

use super::failure::Failure;
use super::opening::open;
use super::output::say;
use crate::config::Store;
use crate::edge;

/// Stores an order for the running servers.
pub(super) fn place(store: &Store, new: &NewExchangeOrder) -> Result<(), Failure> {
    let mut opened = open(store)?;
    let seed = edge::seed().map_err(Failure::of(&store.database))?;
    let database = opened.database.as_mut();
    let stored = opened
        .service
        .order_at_exchange(database, new, edge::now(), seed);
    let id = stored.map_err(|error| failure(store, error))?;
    say(&format!(
        "{id} is stored. A running server sends it; `settlekit exchange orders` shows the outcome."
    ))?;
    Ok(())
}

/// Enters the outcome of an order.
pub(super) fn resolve(store: &Store, id: &str, execution: Execution) -> Result<(), Failure> {
    let mut opened = open(store)?;
    let database = opened.database.as_mut();
    let done = opened
        .service
        .resolve_exchange_order(database, id, execution, edge::now());
    done.map_err(|error| failure(store, error))
}

fn failure(store: &Store, error: ExchangeOrderError) -> Failure {
    match error {
        ExchangeOrderError::Store(error) => Failure::of(&store.database)(error),
        error => error.to_string().into(),
    }
}

pub(super) fn list(store: &Store, json: bool) -> Result<(), Failure> {
    let mut opened = open(store)?;
    let orders = opened.call(|service, database, _, _| service.exchange_orders(database))?;
    if json {
        let orders: Vec<Value> = orders.iter().map(order_json).collect();
        say(&Value::from(orders).to_string())?;
        return Ok(());
    }
    if orders.is_empty() {
        say("no order was placed at an exchange account")?;
    }
    for order in &orders {
        say(&order_line(order))?;
    }
    if i64::try_from(orders.len()) == Ok(ORDERS_LISTED) {
        say("earlier orders are not shown")?;
    }
    Ok(())
}

fn order_json(order: &ExchangeOrder) -> Value {
    let execution = order.execution.map(|execution| {
        json!({
            "volume": execution.volume.to_string(),
            "cost": execution.cost.to_string(),
            "fee": execution.fee.to_string(),
        })
    });
    let covers = order.covers.map(|(organisation, order, part)| {
        json!({ "org_id": organisation, "order_id": order, "part": part + 1 })
    });
    json!({
        "id": order.id,
        "covers": covers,
        "account": order.order.account,
        "market": order.order.market,
        "side": order.order.side.as_str(),
        "volume": order.order.volume.to_string(),
        "price": order.order.price.to_string(),
        "status": order.status.as_str(),
        "exchange_id": order.exchange_id,
        "execution": execution,
        "last_error": order.last_error,
        "created_at": order.created_at,
    })
}

fn order_line(order: &ExchangeOrder) -> String {
    let ordered = &order.order;
    let (first, second) = ordered.market.split_once('/').unwrap_or_default();
    let limit = match ordered.side {
        Side::Buy => "at most",
        Side::Sell => "at least",
    };
    let what = format!(
        "{} {}: {} {} {first} for {limit} {} {second} each",
        order.id,
        ordered.account,
        ordered.side.as_str(),
        ordered.volume,
        ordered.price
    );
    let error = order.last_error.as_deref().unwrap_or("no reason is known");
    let outcome = match (order.status, order.execution) {
        (ExchangeOrderStatus::Closed, Some(execution)) => format!(
            "executed {} {first} for {} {second}, fee {} {second}",
            execution.volume, execution.cost, execution.fee
        ),
        (ExchangeOrderStatus::New, _) => "waits for a server".to_owned(),
        (ExchangeOrderStatus::Refused, _) => format!("refused: {error}"),
        (ExchangeOrderStatus::NotPlaced, _) => {
            format!("not placed, the exchange does not list it: {error}")
        }
        (ExchangeOrderStatus::Unknown, _) => {
            format!("outcome unknown, look for it at the exchange: {error}")
        }
        (ExchangeOrderStatus::Sent | ExchangeOrderStatus::Closed, _) => match &order.last_error {
            Some(error) => format!("sent, outcome not known yet: {error}"),
            None => "sent, outcome not known yet".to_owned(),
        },
    };
    let covers = order.covers.map(|(organisation, order, part)| {
        format!(", for order {order} of {organisation}, part {}", part + 1)
    });
    format!("{what}{}: {outcome}", covers.unwrap_or_default())
}
