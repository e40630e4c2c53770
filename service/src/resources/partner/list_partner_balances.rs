//! The balances of a partner's sub-merchants.

use settlekit_core::partner::{Balance, Balances, ListPartnerBalances};

use crate::resources::account;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_partner_balances(
    unit: &mut Unit<'_>,
    call: Received<ListPartnerBalances>,
) -> Outcome<Balances> {
    let balances = account::balances_of(unit, call.caller.organisation, &call.path.account_ref)?;
    let balances = balances.into_iter().map(|balance| Balance {
        account_id: balance.shown.account_id,
        currency: balance.shown.currency,
        token_address: balance.token_address,
        chain: balance.shown.chain,
        amount: balance.amount,
        amount_usd: balance.shown.amount_usd,
    });
    Ok(Balances {
        balances: balances.collect(),
    })
}
