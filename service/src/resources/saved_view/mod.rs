//! Saved views of the dashboard's lists: of a member, or of the organisation.

mod create_saved_view;
mod update_saved_view;

pub(crate) use create_saved_view::create_saved_view;
pub(crate) use update_saved_view::update_saved_view;

use settlekit_core::error::Reason;
use settlekit_core::operation::Scope;
use settlekit_core::saved_view::{
    DeleteSavedView, ListSavedViews, OWN_VIEWS_MAX, SHARED_VIEWS_MAX, SavedView,
};
use settlekit_core::validate::Report;
use settlekit_core::value::{SavedViewId, UserId};

use crate::store;
use crate::store::saved_view::StoredView;
use crate::unit::caller::{Caller, Via, session_over};
use crate::unit::{Outcome, Received, Refusal, Unit};

/// The member of a session.
fn member(caller: &Caller) -> Outcome<UserId> {
    match caller.via {
        Via::Session { user, .. } => Ok(user),
        Via::Key { .. } => Err(session_over()),
    }
}

/// Whether a caller may change a view: its author, a shared one only with the scope `write`; or for a shared one a member with the scope
/// `manage`.
fn may_change(caller: &Caller, view: &StoredView) -> bool {
    let is_author = member(caller).is_ok_and(|user| view.user == Some(user));
    let has = |scope| caller.scopes.contains(&scope);
    match view.shared {
        true => has(Scope::Manage) || is_author && has(Scope::Write),
        false => is_author,
    }
}

fn record(caller: &Caller, view: StoredView) -> SavedView {
    let may_change = may_change(caller, &view);
    view.into_record(may_change)
}

/// A view that the caller may change, locked.
fn lock(unit: &mut Unit<'_>, caller: &Caller, id: SavedViewId) -> Outcome<StoredView> {
    let user = member(caller)?;
    let view = store::saved_view::lock(unit.database, caller.organisation, user, id)?
        .ok_or_else(|| Refusal::not_found("saved view"))?;
    if may_change(caller, &view) {
        return Ok(view);
    }
    // Also an author whose role was lowered.
    caller.need(Scope::Write)?;
    Err(Refusal::because(
        Reason::ScopeMissing,
        "only the author and owners may change a shared view",
    ))
}

/// Reports a name that another view of the page has, and a list that is full: of the member's own views, or of the organisation's.
fn check(unit: &mut Unit<'_>, caller: &Caller, view: &StoredView) -> Outcome<()> {
    let user = member(caller)?;
    let all = store::saved_view::visible(unit.database, caller.organisation, user)?;
    let others = all
        .iter()
        .filter(|other| other.shared == view.shared && other.id != view.id);
    let mut report = Report::default();
    let is_taken = others
        .clone()
        .any(|other| other.page == view.page && other.name == view.name);
    if is_taken {
        report.add_error(
            "name",
            Reason::AlreadyExists,
            "is the name of another saved view of this page",
        );
    }
    let (views_max, message) = match view.shared {
        true => (
            SHARED_VIEWS_MAX,
            format!(
                "there are {SHARED_VIEWS_MAX} saved views of the organisation already: delete one first"
            ),
        ),
        false => (
            OWN_VIEWS_MAX,
            format!("there are {OWN_VIEWS_MAX} saved views of your own already: delete one first"),
        ),
    };
    if others.count() >= views_max {
        report.refuse(Reason::StateForbids, message);
    }
    Refusal::reported(report)
}

pub(crate) fn list_saved_views(
    unit: &mut Unit<'_>,
    call: Received<ListSavedViews>,
) -> Outcome<Vec<SavedView>> {
    let caller = &call.caller;
    let user = member(caller)?;
    let all = store::saved_view::visible(unit.database, caller.organisation, user)?;
    Ok(all.into_iter().map(|view| record(caller, view)).collect())
}

pub(crate) fn delete_saved_view(
    unit: &mut Unit<'_>,
    call: Received<DeleteSavedView>,
) -> Outcome<SavedView> {
    let view = lock(unit, &call.caller, call.path.saved_view_id)?;
    store::saved_view::delete(unit.database, call.caller.organisation, view.id)?;
    Ok(record(&call.caller, view))
}
