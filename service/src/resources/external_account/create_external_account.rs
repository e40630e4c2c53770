//! Creates a payout destination.

use settlekit_core::event::EventAction;
use settlekit_core::external_account::{
    CreateExternalAccount, CreateExternalAccountBody, ExternalAccount,
};

use crate::money::connection;
use crate::money::outflow::check_destination;
use crate::resources::{chain, event};
use crate::secret::context;
use crate::store;
use crate::store::external_account::Secret;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn create_external_account(
    unit: &mut Unit<'_>,
    call: Received<CreateExternalAccount>,
) -> Outcome<ExternalAccount> {
    let organisation = call.caller.organisation;
    let body = call.body;
    check_chain(unit, &body)?;
    if let Some(reference) = &body.reference
        && store::external_account::is_taken(unit.database, organisation, reference)?
    {
        return Err(Refusal::already_exists(
            "reference",
            "is already used by a payout destination",
        ));
    }
    let reference = body.reference.clone();
    let build = |id, created_at| ExternalAccount {
        id,
        reference: body.reference,
        name: body.name,
        r#type: body.r#type,
        address: body.address.map(|address| address.to_string()),
        chain_id: body.chain_id,
        currencies: body.currencies,
        enabled: true,
        payment_rail: body.payment_rail,
        bank_name: body.bank_name,
        country: body.country,
        beneficiary_type: body.beneficiary_type,
        account_holder_name_hint: body.account_holder_name.as_deref().map(beginning_of),
        account_number_hint: body.account_number.as_deref().map(end_of),
        created_at,
    };
    let account = store::external_account::insert(
        unit.database,
        organisation,
        reference.as_deref(),
        unit.now,
        build,
    )?;
    if let (Some(holder), Some(number)) = (body.account_holder_name, body.account_number) {
        let plain = Secret { holder, number };
        let plain = serde_json::to_vec(&plain)
            .map_err(|error| crate::StoreError::Broken(error.to_string()))?;
        let context = context::external_account(organisation, account.id);
        let sealed = unit.seal(&context, &plain)?;
        store::external_account::keep_secret(unit.database, organisation, account.id, &sealed)?;
    }
    event::record(unit, organisation, EventAction::Created, &account)?;
    Ok(account)
}

/// Checks that a wallet and its currencies exist on its chain.
fn check_chain(unit: &mut Unit<'_>, body: &CreateExternalAccountBody) -> Outcome<()> {
    let (Some(chain_id), Some(address)) = (body.chain_id, &body.address) else {
        return Ok(());
    };
    let known = chain::known(unit, chain_id)?;
    connection::connected(unit, chain_id, Some("chain_id"))?;
    chain::check_address(&known, "address", address)?;
    check_destination(unit, chain_id, Some("address"), address.as_str())?;
    chain::check_currencies(unit, &known, &body.currencies)
}

/// The first letter of a name, as a hint that does not identify the holder.
fn beginning_of(name: &str) -> String {
    format!("{}…", name.chars().take(1).collect::<String>())
}

/// The last four characters of a number, as on a bank statement; of a short one only the last.
fn end_of(number: &str) -> String {
    let shown = if number.len() >= 8 { 4 } else { 1 };
    let hidden = number.chars().count().saturating_sub(shown);
    format!("…{}", number.chars().skip(hidden).collect::<String>())
}
