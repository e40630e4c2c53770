//! Creates an address of an account for a payer.

use settlekit_core::account::{CreatePayInAddress, PayInAddress};
use settlekit_core::event::EventAction;
use settlekit_core::find::FoundKind;

use super::{hold_new_address, on_chain, record_of, with_sub_accounts};
use crate::money::connection;
use crate::money::outflow::need_receiver;
use crate::resources::customer;
use crate::store;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn create_pay_in_address(
    unit: &mut Unit<'_>,
    call: Received<CreatePayInAddress>,
) -> Outcome<PayInAddress> {
    let organisation = call.caller.organisation;
    let body = call.body;
    let known = with_sub_accounts(unit, organisation, &call.path.account)?;
    if known.iter().all(|account| account.deleted_at.is_some()) {
        return Err(Refusal::not_found("account"));
    }
    let account = on_chain(unit, organisation, &call.path.account, body.chain_id)?
        .filter(|account| account.enabled)
        .ok_or_else(|| {
            Refusal::not_supported(
                "chain_id",
                "is not a chain that the account takes payments on",
            )
        })?;
    need_receiver(&account, "chain_id")?;
    if let Some(id) = body.customer_id {
        customer::named(unit, organisation, id)?;
    }
    let connection = connection::connected(unit, body.chain_id, Some("chain_id"))?;
    let lists: Vec<_> = std::iter::once(account.id)
        .chain(account.parent_id)
        .collect();
    let new = connection.new_pay_in_address(unit, &account)?;
    hold_new_address(unit, &account, (body.chain_id, &new), None)?;
    let made = PayInAddress {
        address: new.address,
        chain_id: body.chain_id,
        account_id: account.id,
        currencies: account.currencies.clone(),
        customer_id: body.customer_id,
        reference: body.reference,
        created_at: unit.now,
    };
    let made = store::pay_in_address::insert(unit.database, organisation, made, &lists)?;
    let (id, reference) = (made.account_id, made.reference.as_deref());
    let found = (FoundKind::Account, id);
    store::find::index_text(unit.database, organisation, found, reference)?;
    record_of(unit, (organisation, id), EventAction::Updated, &made)?;
    Ok(made)
}
