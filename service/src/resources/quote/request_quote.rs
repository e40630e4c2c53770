//! Requests a quote, or an estimate.

use settlekit_core::event::EventAction;
use settlekit_core::quote::{DepositMethod, Quote, RequestQuote};
use settlekit_core::value::AccountKey;

use super::new_quote::create;
use super::parameters::{Names, QuoteParameters, Sale};
use crate::resources::{event, plan};
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

const NAMES: Names = Names {
    account: "account_id",
    buy_amount: "buy_amount",
    buy_chain: "buy_chain_id",
    buy_currency: "buy_currency",
    buy_token: "buy_token_address",
    sell_amount: "sell_amount",
    sell_chain: "sell_chain_ids",
    sell_currency: "sell_currency",
    sell_token: "sell_token_addresses",
    listed: &[
        "sell_amount",
        "sell_chain_ids",
        "sell_currency",
        "sell_token_addresses",
    ],
};

pub(crate) fn request_quote(unit: &mut Unit<'_>, call: Received<RequestQuote>) -> Outcome<Quote> {
    let query = call.query;
    let place = |index: usize| Sale {
        currency: query.sell_currency[index].clone(),
        chain: query
            .sell_chain_ids
            .as_ref()
            .and_then(|chains| *chains.get(index)?),
        token: query
            .sell_token_addresses
            .as_ref()
            .and_then(|tokens| tokens.get(index)?.clone()),
        amount: query
            .sell_amount
            .as_ref()
            .and_then(|amounts| amounts.get(index).copied()),
    };
    let method = query
        .deposit_method
        .clone()
        .unwrap_or(DepositMethod::Deposit);
    if !matches!(method, DepositMethod::Deposit | DepositMethod::Balance) {
        return Err(Refusal::not_supported(
            "deposit_method",
            "must be Deposit or Balance",
        ));
    }
    let parameters = QuoteParameters {
        names: NAMES,
        sales: (0..query.sell_currency.len()).map(place).collect(),
        buy_currency: query.buy_currency.clone(),
        buy_chain: query.buy_chain_id,
        buy_token: query.buy_token_address.clone(),
        buy_amount: query.buy_amount,
        funding: query.account_id.map(AccountKey::Id),
        method,
        settlement_account: query.settlement_account_id,
        settlement_address: query.settlement_address.clone(),
        estimate: query.estimate == Some(true),
        source: plan::source_of(&call.caller),
    };
    let (quote, terms) = create(unit, call.caller.organisation, &parameters)?;
    let Some(terms) = terms else {
        return Ok(quote);
    };
    let quote = store::quote::insert(unit.database, quote, &terms)?;
    event::record(unit, quote.org_id, EventAction::Created, &quote)?;
    Ok(quote)
}
