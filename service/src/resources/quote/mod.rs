//! Quotes: requested, valid for a while, then accepted, rejected or expired.

mod accept_quote;
mod new_quote;
mod parameters;
mod request_quote;
mod route;

pub(crate) use accept_quote::{accept, accept_quote, place};
#[cfg(not(target_family = "wasm"))]
pub(crate) use new_quote::RATE_SCALE;
pub(crate) use new_quote::create;
pub(crate) use parameters::{Names, QuoteParameters, Sale};
pub(crate) use request_quote::request_quote;
pub(crate) use route::accounts_of;

use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::page::Page;
use settlekit_core::quote::{GetQuote, ListQuotes, Quote, QuoteStatus, RejectQuote, TRANSITIONS};
use settlekit_core::value::OrganisationId;

use crate::resources::event;
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit, due_job};

/// Refuses organisations without OTC trading.
pub(crate) fn otc_only(unit: &mut Unit<'_>, organisation: OrganisationId) -> Outcome<()> {
    if store::organisation::is_otc(unit.database, organisation)? {
        Ok(())
    } else {
        Err(Refusal::because(
            Reason::FeatureMissing,
            "OTC trading is not enabled for the organisation",
        ))
    }
}

pub(crate) fn get_quote(unit: &mut Unit<'_>, call: Received<GetQuote>) -> Outcome<Quote> {
    store::quote::LISTING
        .find(unit.database, call.caller.organisation, call.path.quote_id)?
        .ok_or_else(|| Refusal::not_found("quote"))
}

pub(crate) fn list_quotes(unit: &mut Unit<'_>, call: Received<ListQuotes>) -> Outcome<Page<Quote>> {
    let organisation = call.caller.organisation;
    otc_only(unit, organisation)?;
    Ok(store::quote::LISTING.page(unit.database, organisation, &call.query)?)
}

/// Changes a quote's status, if the state machine allows it, with its event.
fn move_to(unit: &mut Unit<'_>, quote: Quote, status: QuoteStatus) -> Outcome<Quote> {
    if !TRANSITIONS.allows(&quote.status, &status) {
        let reason = if quote.status == QuoteStatus::Expired {
            Reason::QuoteExpired
        } else {
            Reason::StateForbids
        };
        return Err(Refusal::because(
            reason,
            format!("the quote is already {}", quote.status),
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
    event::record(unit, quote.org_id, action, &quote)?;
    Ok(quote)
}

/// Whether the quote has expired but is not marked so yet.
fn is_over(unit: &Unit<'_>, quote: &Quote) -> bool {
    quote.status == QuoteStatus::Created && quote.expires_at.is_some_and(|at| at <= unit.now)
}

fn expired() -> Refusal {
    Refusal::because(Reason::QuoteExpired, "the quote has expired")
}

pub(crate) fn reject_quote(unit: &mut Unit<'_>, call: Received<RejectQuote>) -> Outcome<Quote> {
    let organisation = call.caller.organisation;
    let quote = store::quote::LISTING
        .lock(unit.database, organisation, call.path.quote_id)?
        .ok_or_else(|| Refusal::not_found("quote"))?;
    if is_over(unit, &quote) {
        return Err(expired());
    }
    move_to(unit, quote, QuoteStatus::Rejected)
}

/// Expires unanswered quotes, at most `limit`.
pub(crate) fn expire_due(unit: &mut Unit<'_>, limit: u32) -> Result<(), StoreError> {
    let job = |unit: &mut Unit<'_>, organisation, id| match store::quote::LISTING.lock(
        unit.database,
        organisation,
        id,
    )? {
        Some(quote) if is_over(unit, &quote) => {
            move_to(unit, quote, QuoteStatus::Expired).map(drop)
        }
        _ => Ok(()),
    };
    due_job::run_each(unit, &store::due::QUOTES, limit, job).map(drop)
}
