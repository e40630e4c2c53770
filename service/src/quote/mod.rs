//! Quotes: a price asked for, held for a while, accepted once, rejected or lapsed.

mod ask;
mod request_quote;
mod route;

pub(crate) use ask::{Ask, Names, Sale, create};
pub(crate) use request_quote::request_quote;
pub(crate) use route::accounts_of;

use settlekit_core::error::Reason;
use settlekit_core::event::{EventAction, EventType};
use settlekit_core::page::Page;
use settlekit_core::quote::{
    AcceptQuote, GetQuote, ListQuotes, MOVES, Quote, QuoteStatus, RejectQuote,
};
use settlekit_core::trade::QuickTrade;
use settlekit_core::value::OrganisationId;

use crate::authenticate::Caller;
use crate::outflow::check_receiver;
use crate::received::Received;
use crate::refusal::{Outcome, Refusal};
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::{due_job, event, store, trade, venue};

/// What is only for organisations that trade over the counter.
pub(crate) fn otc_only(unit: &mut Unit<'_>, organisation: OrganisationId) -> Outcome<()> {
    if store::organisation::is_otc(unit.database, organisation)? {
        Ok(())
    } else {
        Err(Refusal::because(
            Reason::FeatureMissing,
            "the organisation does not trade over the counter",
        ))
    }
}

pub(crate) fn get_quote(unit: &mut Unit<'_>, call: Received<GetQuote>) -> Outcome<Quote> {
    store::quote::find(unit.database, call.caller.organisation, call.path.quote_id)?
        .ok_or_else(|| Refusal::not_found("quote"))
}

pub(crate) fn list_quotes(unit: &mut Unit<'_>, call: Received<ListQuotes>) -> Outcome<Page<Quote>> {
    let organisation = call.caller.organisation;
    otc_only(unit, organisation)?;
    Ok(store::quote::list(
        unit.database,
        organisation,
        &call.query,
    )?)
}

/// Records that something happened to a quote.
pub(crate) fn record(
    unit: &mut Unit<'_>,
    action: EventAction,
    quote: &Quote,
) -> Result<(), StoreError> {
    event::record_about(
        unit,
        quote.org_id,
        (EventType::Transaction, action),
        quote.id.to_string(),
        quote,
    )
}

/// Moves a quote to a status, by the table of moves and no other way, with its event.
fn move_to(unit: &mut Unit<'_>, quote: Quote, status: QuoteStatus) -> Outcome<Quote> {
    if !MOVES.allow(&quote.status, &status) {
        let reason = if quote.status == QuoteStatus::Expired {
            Reason::QuoteExpired
        } else {
            Reason::StateForbids
        };
        return Err(Refusal::because(
            reason,
            format!("the quote is {} already", quote.status),
        ));
    }
    let at = |wanted: QuoteStatus| (status == wanted).then_some(unit.now);
    let quote = Quote {
        accepted_at: at(QuoteStatus::Accepted),
        rejected_at: at(QuoteStatus::Rejected),
        status,
        updated_at: unit.now,
        ..quote
    };
    store::quote::update(unit.database, &quote)?;
    let action = match quote.status {
        QuoteStatus::Rejected => EventAction::Canceled,
        QuoteStatus::Expired => EventAction::Disabled,
        _ => EventAction::Processed,
    };
    record(unit, action, &quote)?;
    Ok(quote)
}

/// Whether the quote can no longer be answered, though nobody has looked at it yet.
fn is_over(unit: &Unit<'_>, quote: &Quote) -> bool {
    quote.status == QuoteStatus::Created
        && quote
            .expires_at
            .is_some_and(|expires_at| expires_at <= unit.now)
}

fn expired() -> Refusal {
    Refusal::because(Reason::QuoteExpired, "the quote is no longer held")
}

pub(crate) fn reject_quote(unit: &mut Unit<'_>, call: Received<RejectQuote>) -> Outcome<Quote> {
    let organisation = call.caller.organisation;
    let quote = store::quote::lock(unit.database, organisation, call.path.quote_id)?
        .ok_or_else(|| Refusal::not_found("quote"))?;
    if is_over(unit, &quote) {
        return Err(expired());
    }
    move_to(unit, quote, QuoteStatus::Rejected)
}

pub(crate) fn accept_quote(
    unit: &mut Unit<'_>,
    call: Received<AcceptQuote>,
) -> Outcome<QuickTrade> {
    let organisation = call.caller.organisation;
    let quote = store::quote::lock(unit.database, organisation, call.path.quote_id)?
        .ok_or_else(|| Refusal::not_found("quote"))?;
    accept(unit, &call.caller, quote, call.body.reference)
}

/// Accepts a quote, locked or made just now: the order is made with it. What goes to an outside wallet is money sent out.
pub(crate) fn accept(
    unit: &mut Unit<'_>,
    caller: &Caller,
    quote: Quote,
    reference: Option<String>,
) -> Outcome<QuickTrade> {
    venue::connected_market(unit)?;
    let settlement = quote.settlement_instruction.as_ref();
    if settlement.is_some_and(|settlement| settlement.address.is_some()) {
        caller.need_to_send_out()?;
    }
    // What arrives on an account that pays out by itself is sent out, too.
    let elsewhere = settlement
        .and_then(|settlement| settlement.account_id)
        .filter(|id| Some(*id) != quote.account_id);
    if let Some(id) = elsewhere
        && let Some(account) = store::account::find(unit.database, quote.org_id, id)?
    {
        check_receiver(unit, caller, &account)?;
    }
    if is_over(unit, &quote) {
        return Err(expired());
    }
    let quote = move_to(unit, quote, QuoteStatus::Accepted)?;
    trade::place(unit, &quote, reference)
}

/// Lets lapse what nobody has answered in time; so many at most.
pub(crate) fn lapse(unit: &mut Unit<'_>, limit: u32) -> Result<(), StoreError> {
    let lapses = |unit: &mut Unit<'_>, organisation, id| match store::quote::lock(
        unit.database,
        organisation,
        id,
    )? {
        Some(quote) if is_over(unit, &quote) => {
            move_to(unit, quote, QuoteStatus::Expired).map(drop)
        }
        _ => Ok(()),
    };
    due_job::run_each(unit, &store::due::QUOTES, limit, lapses).map(drop)
}
