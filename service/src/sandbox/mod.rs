//! Operations of sandbox mode.

mod create_deposit;
mod create_fault;
mod reorganise_chain;

pub(crate) use create_deposit::create_deposit;
pub(crate) use create_fault::create_fault;
pub(crate) use reorganise_chain::reorganise_chain;

use std::time::Duration;

use settlekit_core::catalogue::Description;
use settlekit_core::error::Reason;
use settlekit_core::page::Page;
use settlekit_core::payment::{Payment, PaymentMethod};
use settlekit_core::sandbox::{
    AdvanceClock, Clock, EmptiedInbox, EmptyInbox, FailPayout, InboxMessage, ListInbox,
    RefuseOrder, SetPrice, SimulatedPrice,
};
use settlekit_core::trade::QuickTrade;
use settlekit_core::value::{OrganisationId, Timestamp};

use crate::due;
use crate::money::prices;
use crate::resources::{payout, trade};
use crate::store::sql::{Database, StoreError};
use crate::store::{self, setting};
use crate::unit::caller::Caller;
use crate::unit::{Outcome, Received, Refusal, Unit};

/// The setting for the lead of the clock over the host's, in microseconds.
const CLOCK_AHEAD: &str = "clock ahead";

fn ahead(database: &mut dyn Database) -> Result<Duration, StoreError> {
    let micros = setting::read(database, CLOCK_AHEAD)?
        .and_then(|value| value.parse().ok())
        .unwrap_or(0);
    Ok(Duration::from_micros(micros))
}

/// The sandbox's time.
pub(crate) fn now(database: &mut dyn Database, host: Timestamp) -> Result<Timestamp, StoreError> {
    Ok(host.plus(ahead(database)?))
}

pub(crate) fn advance_clock(unit: &mut Unit<'_>, call: Received<AdvanceClock>) -> Outcome<Clock> {
    let by = Duration::from_secs(u64::try_from(call.body.advance_seconds).unwrap_or(0));
    let total = ahead(unit.database)?.saturating_add(by);
    setting::write(unit.database, CLOCK_AHEAD, &total.as_micros().to_string())?;
    // Members who test what a month brings stay signed in.
    store::session::extend_all(unit.database, unit.now, by)?;
    // Run due work now, so that the caller sees its effects at once.
    due::advance(unit, unit.now.plus(by))?;
    Ok(Clock {
        now: unit.now,
        ahead_seconds: i64::try_from(total.as_secs()).unwrap_or(i64::MAX),
    })
}

/// An injected fault.
pub(crate) struct InjectedFault {
    reason: Reason,
    /// The fault occurs after the commit: the work is done.
    pub(crate) after_commit: bool,
    pub(crate) organisation: OrganisationId,
    pub(crate) id: i64,
}

impl InjectedFault {
    pub(crate) fn refusal(&self) -> Refusal {
        Refusal::because(self.reason, "the sandbox was asked for this error")
    }
}

/// The injected fault for a call of the organisation, if any.
pub(crate) fn fault(
    unit: &mut Unit<'_>,
    operation: &Description,
    caller: Option<&Caller>,
) -> Result<Option<InjectedFault>, StoreError> {
    let Some(caller) = caller.filter(|_| unit.options().mode.is_sandbox() && !operation.sandbox)
    else {
        return Ok(None);
    };
    let organisation = caller.organisation;
    let waiting = store::fault::meeting(unit.database, organisation, operation.id)?;
    Ok(waiting.and_then(|waiting| {
        Some(InjectedFault {
            reason: Reason::from_wire(&waiting.reason)?,
            after_commit: waiting.after_commit,
            organisation,
            id: waiting.id,
        })
    }))
}

pub(crate) fn fail_payout(unit: &mut Unit<'_>, call: Received<FailPayout>) -> Outcome<Payment> {
    let id = call.body.payment_id;
    let payment = store::payment::LISTING
        .lock(unit.database, call.caller.organisation, id)?
        .filter(|payment| payment.payment_method == PaymentMethod::Payout)
        .ok_or_else(|| Refusal::reference_unknown("payment_id", "is not a known payout"))?;
    payout::fail_on_chain(unit.need_simulation()?, unit, payment)
}

pub(crate) fn refuse_order(
    unit: &mut Unit<'_>,
    call: Received<RefuseOrder>,
) -> Outcome<QuickTrade> {
    let simulation = unit.need_simulation()?;
    let organisation = call.caller.organisation;
    let order = store::order::ORDERS
        .lock(unit.database, organisation, call.body.order_id)?
        .ok_or_else(|| Refusal::reference_unknown("order_id", "is not a known order"))?;
    trade::refuse(simulation, unit, organisation, order)
}

pub(crate) fn set_price(unit: &mut Unit<'_>, call: Received<SetPrice>) -> Outcome<SimulatedPrice> {
    let simulation = unit.need_simulation()?;
    let (currency, usd) = (call.body.currency, call.body.usd);
    prices::set(unit, simulation, (&currency, usd))?
        .ok_or_else(|| Refusal::not_supported("currency", "has no simulated price"))?;
    Ok(SimulatedPrice { currency, usd })
}

pub(crate) fn list_inbox(
    unit: &mut Unit<'_>,
    call: Received<ListInbox>,
) -> Outcome<Page<InboxMessage>> {
    let page = store::inbox::page(unit.database, call.caller.organisation, &call.query)?;
    Ok(page)
}

pub(crate) fn empty_inbox(
    unit: &mut Unit<'_>,
    call: Received<EmptyInbox>,
) -> Outcome<EmptiedInbox> {
    let deleted = store::inbox::delete_all(unit.database, call.caller.organisation)?;
    Ok(EmptiedInbox { deleted })
}
