//! Creates a virtual account.

use settlekit_core::account::{Account, CreateVirtualAccount};
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::validate::Report;

use super::record_event;
use super::virtual_account::{add_chain, check_destinations, currencies_of, new_chains};
use crate::money::outflow::splits_set_by;
use crate::store;
use crate::store::account::NewAccount;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn create_virtual_account(
    unit: &mut Unit<'_>,
    call: Received<CreateVirtualAccount>,
) -> Outcome<Account> {
    let organisation = call.caller.organisation;
    let body = call.body;
    let deposit_splits = splits_set_by(unit, &call.caller, body.deposit_splits, None)?;
    let mut report = Report::default();
    if !store::account::by_reference(unit.database, organisation, &body.reference)?.is_empty() {
        report.add_error(
            "reference",
            Reason::AlreadyExists,
            "is already used by an account",
        );
    }
    let chains = new_chains(unit, body.chains, &mut report)?;
    if let Some(splits) = &deposit_splits {
        let on = chains.iter().map(|new| new.chain.id);
        check_destinations(unit, organisation, (splits, on.collect()), &mut report)?;
    }
    Refusal::reported(report)?;
    let by = call.caller.name();
    let parent = NewAccount {
        organisation,
        reference: Some(body.reference),
        name: body.name,
        wallet: None,
        currencies: currencies_of(chains.iter().map(|new| &new.currencies)),
        parent: None,
        deposit_splits,
        by: by.clone(),
    };
    let parent = store::account::insert(unit.database, parent, unit.now)?;
    for new in chains {
        add_chain(unit, (&parent, &by), new)?;
    }
    Ok(record_event(unit, parent, EventAction::Created)?)
}
