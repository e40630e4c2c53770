//! Saved views of members and of the organisation.

use settlekit_core::saved_view::SavedView;
use settlekit_core::value::{OrganisationId, SavedViewId, Timestamp, UserId};

use super::columns::{self, columns};
use super::sql::{Database, StoreError, Value};
use super::statement::{delete, insert, update};

/// A saved view as stored.
#[derive(Debug, Clone)]
pub(crate) struct StoredView {
    pub(crate) id: SavedViewId,
    /// The author; `None` for a shared view whose author was removed.
    pub(crate) user: Option<UserId>,
    pub(crate) page: String,
    pub(crate) name: String,
    pub(crate) query: String,
    pub(crate) shared: bool,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
}

columns! { StoredView { id, user, page, name, query, shared, created_at, updated_at } }

impl StoredView {
    /// The record, for a caller who may change it or not.
    pub(crate) fn into_record(self, may_change: bool) -> SavedView {
        SavedView {
            id: self.id,
            page: self.page,
            name: self.name,
            query: self.query,
            shared: self.shared,
            may_change,
            user_id: self.user,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

/// The columns of [`StoredView`], and the condition of the views that a member sees.
macro_rules! views {
    ($more:literal) => {
        concat!(
            "SELECT id, user_id, page, name, query, shared, created_at, updated_at FROM saved_views \
             WHERE org_id = ?1 AND (shared = 1 OR user_id = ?2)",
            $more
        )
    };
}

/// The views that a member sees: the own ones, and those of the organisation. Their number is limited.
pub(crate) fn visible(
    database: &mut dyn Database,
    organisation: OrganisationId,
    user: UserId,
) -> Result<Vec<StoredView>, StoreError> {
    const VISIBLE: &str = views!(" ORDER BY name, id");
    columns::all(&database.query(VISIBLE, &[organisation.into(), user.into()])?)
}

/// A view that a member sees, locked until the transaction ends.
pub(crate) fn lock(
    database: &mut dyn Database,
    organisation: OrganisationId,
    user: UserId,
    id: SavedViewId,
) -> Result<Option<StoredView>, StoreError> {
    const LOCK: &str = views!(" AND id = ?3 FOR UPDATE");
    let given = [organisation.into(), user.into(), id.into()];
    columns::first(&database.query(LOCK, &given)?)
}

pub(crate) fn insert(
    database: &mut dyn Database,
    organisation: OrganisationId,
    view: &StoredView,
) -> Result<(), StoreError> {
    insert!(database, "saved_views" {
        id: view.id,
        org_id: organisation,
        user_id: view.user,
        page: &view.page,
        name: &view.name,
        query: &view.query,
        shared: view.shared,
        created_at: view.created_at,
        updated_at: view.updated_at,
    })
}

pub(crate) fn update(
    database: &mut dyn Database,
    organisation: OrganisationId,
    view: &StoredView,
) -> Result<(), StoreError> {
    update!(database, "saved_views" [org_id: organisation, id: view.id] {
        name: &view.name,
        query: &view.query,
        shared: view.shared,
        updated_at: view.updated_at,
    })
}

pub(crate) fn delete(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: SavedViewId,
) -> Result<(), StoreError> {
    delete!(database, "saved_views" [org_id: organisation, id: id])
}

/// Deletes the own views of a removed member. Shared ones stay, without an author.
pub(crate) fn forget_member(
    database: &mut dyn Database,
    organisation: OrganisationId,
    user: UserId,
) -> Result<(), StoreError> {
    const DELETE_OWN: &str =
        "DELETE FROM saved_views WHERE org_id = ?1 AND user_id = ?2 AND shared = 0";
    database.execute(DELETE_OWN, &[organisation.into(), user.into()])?;
    update!(database, "saved_views" [org_id: organisation, user_id: user] { user_id: Value::Null })
}
