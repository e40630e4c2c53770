//! Creates the order of an accepted quote.

use serde::Serialize;
use serde_json::Value;
use settlekit_core::event::EventAction;
use settlekit_core::quote::{DepositMethod, Quote};
use settlekit_core::trade::{OrderStatus, QuickTrade, TradeSide};
use settlekit_core::value::{Amount, Object, OrderId};

use super::order::{damaged, hold, record};
use crate::store;
use crate::store::order::{Order, Outcomes};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Unit};

/// A record as a JSON object.
fn object<T: Serialize>(record: &T) -> Result<Object, StoreError> {
    match serde_json::to_value(record) {
        Ok(Value::Object(object)) => Ok(object),
        _ => Err(StoreError::Broken("a record is not an object".into())),
    }
}

/// Creates the order of a quote just accepted. Funds on balance are reserved at once.
pub(crate) fn place_order(
    unit: &mut Unit<'_>,
    quote: &Quote,
    reference: Option<String>,
) -> Outcome<QuickTrade> {
    let first = quote
        .sell_assets
        .first()
        .ok_or_else(|| damaged("sold asset"))?;
    let rate = quote.rate.as_ref().ok_or_else(|| damaged("rate"))?;
    let mut deposit = match &quote.deposit_instruction {
        Some(instruction) => object(instruction)?,
        None => Object::new(),
    };
    if quote.sell_assets.len() > 1 {
        let assets = serde_json::to_value(&quote.sell_assets)
            .map_err(|error| StoreError::Broken(error.to_string()))?;
        deposit.insert("sell_assets".into(), assets);
    }
    let id = OrderId::new(unit.now, unit.id_bytes());
    let trade = QuickTrade {
        order_id: Some(id),
        quote_id: Some(quote.id),
        reference,
        account_id: quote.account_id,
        created_at: unit.now,
        side: TradeSide::Buy,
        status: OrderStatus::Open,
        reason: None,
        from_currency: first.symbol.clone(),
        from_amount: Amount::from(first.amount),
        from_chain_id: first.chain_id,
        to_currency: quote.buy_asset.symbol.clone(),
        to_amount: Amount::from(quote.buy_asset.amount),
        to_chain_id: quote.buy_asset.chain_id,
        effective_rate: Amount::from(rate.effective_rate),
        fees: quote.fees.as_ref().map(object).transpose()?,
        deposit_instruction: Some(deposit),
        settlement_instruction: quote
            .settlement_instruction
            .as_ref()
            .map(object)
            .transpose()?,
        properties: quote.properties.clone(),
    };
    let from_balance = quote
        .deposit_instruction
        .as_ref()
        .is_some_and(|instruction| instruction.payment_method == DepositMethod::Balance);
    let held = if from_balance {
        hold(unit, quote, id)?
    } else {
        Vec::new()
    };
    let order = Order {
        id,
        quote: quote.id,
        record: trade,
        held,
        outcomes: Outcomes::default(),
        due_at: Some(unit.now),
    };
    let order = store::order::insert(unit.database, quote.org_id, order)?;
    record(unit, quote.org_id, EventAction::Queued, &order)?;
    Ok(order.record)
}
