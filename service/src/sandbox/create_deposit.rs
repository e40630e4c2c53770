//! Makes a transfer of the test wallet.

use settlekit_core::sandbox::{CreateDeposit, Deposit};

use crate::chains::simulated;
use crate::resources::{account, chain};
use crate::unit::{Outcome, Received, Refusal, Unit};

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
