//! Operations of sandbox mode.

use std::time::Duration;

use settlekit_core::catalogue::{self, Description};
use settlekit_core::error::Reason;
use settlekit_core::payment::{CryptoTransaction, Payment, PaymentMethod, TransactionStatus};
use settlekit_core::sandbox::{
    AdvanceClock, Clock, CreateDeposit, CreateFault, Deposit, FailPayout, Fault, RefuseOrder,
    ReorganiseChain, SetPrice, SimulatedPrice,
};
use settlekit_core::trade::QuickTrade;
use settlekit_core::value::{OrganisationId, Timestamp};

use crate::chains::simulated;
use crate::money::prices;
use crate::resources::{account, chain, payout, trade};
use crate::store::setting;
use crate::store::sql::{Database, StoreError};
use crate::unit::caller::Caller;
use crate::unit::{Outcome, Received, Refusal, Unit};
use crate::{due, store};

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

pub(crate) fn create_fault(unit: &mut Unit<'_>, call: Received<CreateFault>) -> Outcome<Fault> {
    let body = call.body;
    if body
        .operation
        .as_deref()
        .is_some_and(|id| catalogue::find(id).is_none_or(|found| found.sandbox))
    {
        return Err(Refusal::field(
            "operation",
            Reason::UnknownValue,
            "is not an operation that can fail",
        ));
    }
    let fault = Fault {
        operation: body.operation,
        reason: body.reason,
        after_commit: body.after_commit.unwrap_or(false),
        calls: body.calls.unwrap_or(1),
    };
    store::fault::insert(
        unit.database,
        call.caller.organisation,
        fault.operation.as_deref(),
        &fault.reason,
        fault.after_commit,
        fault.calls,
    )?;
    Ok(fault)
}

pub(crate) fn create_deposit(
    unit: &mut Unit<'_>,
    call: Received<CreateDeposit>,
) -> Outcome<Deposit> {
    let organisation = call.caller.organisation;
    let body = call.body;
    chain::known(unit, body.chain_id)?;
    let account = account::one_on_chain(unit, organisation, &body.account, body.chain_id)?;
    if !account.currencies.contains(&body.currency) {
        return Err(Refusal::not_supported(
            "currency",
            "is not supported by the account",
        ));
    }
    let units = chain::units_taken(unit, body.chain_id, &body.currency, body.amount)?;
    let simulation = unit.need_simulation()?;
    let address = account
        .address
        .ok_or_else(|| Refusal::state_forbids("the account has no address"))?;
    let sent = simulated::send(
        simulation,
        unit,
        body.chain_id,
        (None, &address),
        &body.currency,
        units,
    )?;
    Ok(Deposit {
        account_id: account.id,
        chain_id: body.chain_id,
        currency: body.currency,
        amount: body.amount,
        transaction_hash: sent.hash,
        created_at: unit.now,
    })
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

pub(crate) fn reorganise_chain(
    unit: &mut Unit<'_>,
    call: Received<ReorganiseChain>,
) -> Outcome<CryptoTransaction> {
    let organisation = call.caller.organisation;
    // Hashes of the simulated chain are hex in lower case.
    let hash = call.body.transaction_hash.to_ascii_lowercase();
    let returns = call.body.returns.unwrap_or(false);
    let find = |unit: &mut Unit<'_>| {
        store::transaction::lock_simulated(unit.database, organisation, &hash)
    };
    let seen = find(unit)?.ok_or_else(|| {
        Refusal::reference_unknown(
            "transaction_hash",
            "is not a transaction of the simulated chain",
        )
    })?;
    // A merchant that only watches the receiver must not undo another merchant's transfer.
    let payouts = store::payout::by_hash(unit.database, &hash)?;
    if payouts.iter().any(|(sender, _)| *sender != organisation)
        || store::transaction::is_received_by_another(unit.database, organisation, &hash)?
    {
        return Err(Refusal::state_forbids(
            "another organisation sends or receives the transaction",
        ));
    }
    let forbids = match seen.status {
        TransactionStatus::Success => {
            Some("the transaction has too many confirmations to be reverted")
        }
        TransactionStatus::Failed => Some("the transaction has already failed"),
        _ if returns && seen.confirmations == 0 => Some("the transaction is not in a block yet"),
        _ => None,
    };
    if let Some(message) = forbids {
        return Err(Refusal::state_forbids(message));
    }
    let simulation = unit.need_simulation()?;
    if !simulated::reorganise(simulation, unit, (seen.chain, &hash), returns)? {
        return Err(Refusal::state_forbids(
            "the transaction is in no block of the simulated chain that can be reverted",
        ));
    }
    let seen = find(unit)?
        .ok_or_else(|| StoreError::Damaged("a chain transaction is not there".into()))?;
    let asset = store::chain::asset(unit.database, seen.chain, &seen.currency)?
        .ok_or_else(|| StoreError::Damaged("a currency is not there".into()))?;
    Ok(seen.record(&asset)?)
}

pub(crate) fn set_price(unit: &mut Unit<'_>, call: Received<SetPrice>) -> Outcome<SimulatedPrice> {
    let simulation = unit.need_simulation()?;
    let (currency, usd) = (call.body.currency, call.body.usd);
    prices::set(unit, simulation, (&currency, usd))?
        .ok_or_else(|| Refusal::not_supported("currency", "has no simulated price"))?;
    Ok(SimulatedPrice { currency, usd })
}
