//! Permanent addresses: every deposit to one is booked to its account as long as the account exists.

use settlekit_core::account::{ListPayInAddresses, PayInAddress};
use settlekit_core::page::Page;

use super::one;
use crate::store;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn list_pay_in_addresses(
    unit: &mut Unit<'_>,
    call: Received<ListPayInAddresses>,
) -> Outcome<Page<PayInAddress>> {
    let organisation = call.caller.organisation;
    let account = one(unit, organisation, &call.path.account)?;
    Ok(store::pay_in_address::LISTING.page(unit.database, account.id, &call.query)?)
}
