//! Saves a view of a list.

use settlekit_core::operation::Scope;
use settlekit_core::saved_view::{CreateSavedView, CreateSavedViewBody, SavedView};
use settlekit_core::value::SavedViewId;

use super::{check, member, record};
use crate::store;
use crate::store::saved_view::StoredView;
use crate::unit::{Outcome, Received, Unit};

pub(crate) fn create_saved_view(
    unit: &mut Unit<'_>,
    call: Received<CreateSavedView>,
) -> Outcome<SavedView> {
    let caller = &call.caller;
    let CreateSavedViewBody {
        page,
        name,
        query,
        shared,
    } = call.body;
    let view = StoredView {
        id: SavedViewId::new(unit.now, unit.id_bytes()),
        user: Some(member(caller)?),
        page,
        name: name.trim().to_owned(),
        query,
        shared: shared.unwrap_or(false),
        created_at: unit.now,
        updated_at: unit.now,
    };
    if view.shared {
        caller.need(Scope::Write)?;
    }
    check(unit, caller, &view)?;
    store::saved_view::insert(unit.database, caller.organisation, &view)?;
    Ok(record(caller, view))
}
