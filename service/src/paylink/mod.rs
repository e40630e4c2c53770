//! Payment links.

mod create_paylink;
mod update_paylinks;

pub(crate) use create_paylink::{New, create_paylink, make};
pub(crate) use update_paylinks::update_paylinks;

use settlekit_core::event::{EventAction, EventType};
use settlekit_core::page::Page;
use settlekit_core::paylink::{DeletePaylink, GetPaylink, ListPaylinks, Paylink, PaylinkState};
use settlekit_core::plan::Plan;
use settlekit_core::value::{OrganisationId, Timestamp};

use crate::event;
use crate::refusal::{Outcome, Refusal};
use crate::router::Received;
use crate::store::sql::StoreError;
use crate::store::{self, tally};
use crate::unit::Unit;

/// The count of an organisation's paylinks that are enabled and not deleted.
pub(crate) const ACTIVE: &str = "paylink active";

/// Whether a paylink of this plan takes payments now: the one rule for merchant and payer.
pub(crate) fn state(paylink: &Paylink, plan: &Plan, now: Timestamp) -> PaylinkState {
    if paylink.deleted_at.is_some() {
        PaylinkState::Deleted
    } else if !paylink.enabled {
        PaylinkState::Disabled
    } else if plan.expires_at.is_some_and(|at| at <= now) {
        PaylinkState::Expired
    } else if plan.available_quantity == Some(0) {
        PaylinkState::SoldOut
    } else {
        PaylinkState::Open
    }
}

/// The paylink with its plan and where it stands.
pub(crate) fn whole(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    paylink: Paylink,
) -> Result<Paylink, StoreError> {
    let plan = store::plan::find(unit.database, organisation, paylink.plan_id)?;
    Ok(Paylink {
        state: plan.as_ref().map(|plan| state(&paylink, plan, unit.now)),
        plan,
        ..paylink
    })
}

pub(crate) fn get_paylink(unit: &mut Unit<'_>, call: Received<GetPaylink>) -> Outcome<Paylink> {
    let organisation = call.caller.organisation;
    let paylink = store::paylink::find(unit.database, organisation, call.path.paylink_id)?;
    Ok(whole(
        unit,
        organisation,
        paylink.ok_or_else(|| Refusal::not_found("paylink"))?,
    )?)
}

pub(crate) fn list_paylinks(
    unit: &mut Unit<'_>,
    call: Received<ListPaylinks>,
) -> Outcome<Page<Paylink>> {
    let organisation = call.caller.organisation;
    let mut page = store::paylink::list(unit.database, organisation, &call.query)?;
    let paylinks = std::mem::take(&mut page.items);
    for paylink in paylinks {
        page.items.push(whole(unit, organisation, paylink)?);
    }
    Ok(page)
}

pub(crate) fn delete_paylink(
    unit: &mut Unit<'_>,
    call: Received<DeletePaylink>,
) -> Outcome<String> {
    let organisation = call.caller.organisation;
    let before = store::paylink::find(unit.database, organisation, call.path.paylink_id)?;
    let before = before
        .filter(|paylink| paylink.deleted_at.is_none())
        .ok_or_else(|| Refusal::not_found("paylink"))?;
    if before.enabled {
        tally::add(unit.database, organisation, ACTIVE, -1)?;
    }
    let paylink = Paylink {
        enabled: false,
        deleted_at: Some(unit.now),
        updated_at: unit.now,
        updated_by: Some(call.caller.name()),
        ..before
    };
    store::paylink::update(unit.database, organisation, &paylink)?;
    event::record(
        unit,
        organisation,
        EventType::MerchantContract,
        EventAction::Disabled,
        None,
        &paylink,
    )?;
    Ok(format!("{} was deleted", paylink.id))
}
