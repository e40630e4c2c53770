//! Renames a saved view, changes its filters, or shares it.

use settlekit_core::error::Reason;
use settlekit_core::operation::Scope;
use settlekit_core::saved_view::{SavedView, UpdateSavedView, UpdateSavedViewBody};

use super::{check, lock, member, record};
use crate::store;
use crate::store::saved_view::StoredView;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn update_saved_view(
    unit: &mut Unit<'_>,
    call: Received<UpdateSavedView>,
) -> Outcome<SavedView> {
    let caller = &call.caller;
    let before = lock(unit, caller, call.path.saved_view_id)?;
    let UpdateSavedViewBody {
        name,
        query,
        shared,
    } = call.body;
    let view = StoredView {
        name: name.map_or(before.name, |name| name.trim().to_owned()),
        query: query.unwrap_or(before.query),
        shared: shared.unwrap_or(before.shared),
        updated_at: unit.now,
        ..before
    };
    if view.shared {
        caller.need(Scope::Write)?;
    } else if view.user != Some(member(caller)?) {
        // Nobody else would see it.
        return Err(Refusal::field(
            "shared",
            Reason::StateForbids,
            "can be ended by the author only: delete the view instead",
        ));
    }
    check(unit, caller, &view)?;
    store::saved_view::update(unit.database, caller.organisation, &view)?;
    Ok(record(caller, view))
}
