//! Lists sub-merchants, each with the worth of its balances.

use std::collections::BTreeMap;

use settlekit_core::page::Page;
use settlekit_core::partner::{ListSubMerchants, SubMerchant};
use settlekit_core::value::OrganisationId;

use crate::money::prices;
use crate::resources::account;
use crate::store;
use crate::store::ledger::Balance;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_sub_merchants(
    unit: &mut Unit<'_>,
    call: Received<ListSubMerchants>,
) -> Outcome<Page<SubMerchant>> {
    let partner = call.caller.organisation;
    let mut page = store::organisation::list_sub_merchants(unit.database, partner, &call.query)?;
    if !prices::is_connected(unit)? {
        return Ok(page);
    }
    let ids: Vec<OrganisationId> = page.items.iter().map(|shop| shop.id).collect();
    let mut held: BTreeMap<OrganisationId, Vec<Balance>> = BTreeMap::new();
    let listed = store::listed_balance::of_sub_merchants(unit.database, partner, &ids)?;
    for (organisation, balance) in listed {
        held.entry(organisation).or_default().push(balance);
    }
    let currencies = held.values().flatten().map(|balance| &balance.currency);
    let prices = prices::of(unit, currencies)?;
    let chains = store::chain::list(unit.database)?;
    for shop in &mut page.items {
        let held = held.get(&shop.id).map_or(&[][..], Vec::as_slice);
        if let Some((posted, reserved)) = account::worth_of(&prices, &chains, held)? {
            shop.balance_usd = prices::usd_shown(posted);
            shop.reserved_usd = prices::usd_shown(reserved);
        }
    }
    Ok(page)
}
