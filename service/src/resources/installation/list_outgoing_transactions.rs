//! Lists the transactions under way, for operators of the installation.

use settlekit_core::installation::{ListOutgoingTransactions, OutgoingTransactionList};

use super::transactions::{Lowest, show};
use crate::store;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_outgoing_transactions(
    unit: &mut Unit<'_>,
    call: Received<ListOutgoingTransactions>,
) -> Outcome<OutgoingTransactionList> {
    call.caller.need_installation_operator()?;
    let query = call.query;
    let limit = query.limit.unwrap_or_default().get();
    let after = query.after.unwrap_or(0);
    // One more says whether there are more.
    let mut found = store::outgoing_list::page(
        unit.database,
        query.chain_id,
        after,
        limit.saturating_add(1),
    )?;
    let has_more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let next = found.last().map(|last| last.id).filter(|_| has_more);
    let mut lowest = Lowest::new();
    let items = found
        .into_iter()
        .map(|one| show(unit.database, one, &mut lowest))
        .collect::<Result<_, _>>()?;
    Ok(OutgoingTransactionList { items, next })
}
