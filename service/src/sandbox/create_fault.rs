//! Makes the next requests of an operation fail.

use settlekit_core::catalogue;
use settlekit_core::error::Reason;
use settlekit_core::sandbox::{CreateFault, Fault};

use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

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
