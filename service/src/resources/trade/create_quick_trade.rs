//! Requests and accepts a quote in one step. A dry run is the same step, rolled back: it fails where the step would.

use settlekit_core::event::EventAction;
use settlekit_core::quote::DepositMethod;
use settlekit_core::trade::{CreateQuickTrade, CreateQuickTradeBody, QuickTrade};
use settlekit_core::value::AccountKey;

use crate::resources::quote::{self, Names, QuoteParameters, Sale};
use crate::resources::{event, plan};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::caller::Caller;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn create_quick_trade(
    unit: &mut Unit<'_>,
    call: Received<CreateQuickTrade>,
) -> Outcome<QuickTrade> {
    if call.body.dry_run != Some(true) {
        return trade(unit, &call.caller, call.body);
    }
    let traded = unit.dry_run(|unit| trade(unit, &call.caller, call.body))?;
    Ok(QuickTrade {
        order_id: None,
        quote_id: None,
        ..traded
    })
}

fn trade(unit: &mut Unit<'_>, caller: &Caller, body: CreateQuickTradeBody) -> Outcome<QuickTrade> {
    let names = Names {
        account: if body.account_id.is_some() {
            "account_id"
        } else {
            "account_reference"
        },
        buy_amount: "amount",
        buy_chain: "to_chain_id",
        buy_currency: "to_currency",
        // This operation has no contract fields.
        buy_token: "to_currency",
        sell_amount: "amount",
        sell_chain: "chain_id",
        sell_currency: "currency",
        sell_token: "currency",
        listed: &[],
    };
    let parameters = QuoteParameters {
        names,
        sales: vec![Sale {
            currency: body.currency,
            chain: body.chain_id,
            token: None,
            amount: Some(body.amount),
        }],
        buy_currency: body.to_currency,
        buy_chain: body.to_chain_id,
        buy_token: None,
        buy_amount: None,
        funding: body
            .account_id
            .map(AccountKey::Id)
            .or(body.account_reference.map(AccountKey::Reference)),
        method: DepositMethod::Balance,
        settlement_account: body.settlement_account_id,
        settlement_address: body.settlement_address,
        estimate: false,
        source: plan::source_of(caller),
    };
    let (quote, terms) = quote::create(unit, caller.organisation, &parameters)?;
    let terms = terms.ok_or_else(|| StoreError::Broken("a firm quote has no terms".into()))?;
    let quote = store::quote::insert(unit.database, quote, &terms)?;
    event::record(unit, quote.org_id, EventAction::Created, &quote)?;
    quote::accept(unit, caller, quote, body.reference)
        .map_err(|refusal| refusal.of_funds(names.sell_amount))
}
