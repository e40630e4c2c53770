//! Statements that write a row, from its columns with their values. The text is built once per place in the code.

/// Inserts a row: `insert!(database, "plans" { id: plan.id, … })`.
///
/// `..plan` adds the columns that every table of records has: `id`, `org_id`, `record`, `created_at` and `updated_at`.
macro_rules! insert {
    ($database:expr, $table:literal { $($column:ident: $value:expr,)* ..$record:expr }) => {
        $crate::store::statement::insert!($database, $table {
            id: $record.id,
            org_id: $record.org_id,
            $($column: $value,)*
            record: &$crate::store::write_record(&$record)?,
            created_at: $record.created_at,
            updated_at: $record.updated_at,
        })
    };
    ($database:expr, $table:literal { $($column:ident: $value:expr),* $(,)? }) => {
        $database
            .execute(
                $crate::store::statement::insert_into!($table { $($column),* }),
                &[$($value.into()),*],
            )
            .map(drop)
    };
}
pub(super) use insert;

/// As [`insert`], for a table that assigns the `id`, which it returns.
macro_rules! insert_numbered {
    ($database:expr, $table:literal { $($column:ident: $value:expr),* $(,)? }) => {
        $database.insert(
            $crate::store::statement::insert_into!($table { $($column),* }),
            &[$($value.into()),*],
        )
    };
}
pub(super) use insert_numbered;

/// The text of an INSERT.
macro_rules! insert_into {
    ($table:literal { $($column:ident),* }) => {{
        static SQL: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
            $crate::store::statement::insert_text($table, &[$(stringify!($column)),*])
        });
        SQL.as_str()
    }};
}
pub(super) use insert_into;

/// Updates the rows with a key: `update!(database, "plans" [org_id: organisation, id: id] { status: status })`.
///
/// `..plan` is for a table of records: it gives the key, `org_id` and `id`, and adds the columns `record` and `updated_at`.
macro_rules! update {
    ($database:expr, $table:literal { $($column:ident: $value:expr,)* ..$record:expr }) => {
        $crate::store::statement::update!($database, $table [org_id: $record.org_id, id: $record.id] {
            $($column: $value,)*
            record: &$crate::store::write_record($record)?,
            updated_at: $record.updated_at,
        })
    };
    ($database:expr, $table:literal [$($key:ident: $of:expr),*] { $($column:ident: $value:expr),* $(,)? }) => {{
        static SQL: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
            $crate::store::statement::update_text($table, &[$(stringify!($key)),*], &[$(stringify!($column)),*])
        });
        $database
            .execute(
                SQL.as_str(),
                &[$($of.into(),)* $($value.into()),*],
            )
            .map(drop)
    }};
}
pub(super) use update;

/// Deletes the rows with a key: `delete!(database, "users" [org_id: organisation, id: id])`.
macro_rules! delete {
    ($database:expr, $table:literal [$($key:ident: $of:expr),*]) => {{
        static SQL: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
            $crate::store::statement::delete_text($table, &[$(stringify!($key)),*])
        });
        $database.execute(SQL.as_str(), &[$($of.into()),*]).map(drop)
    }};
}
pub(super) use delete;

pub(super) fn insert_text(table: &str, columns: &[&str]) -> String {
    let places: Vec<String> = (1..=columns.len())
        .map(|place| format!("?{place}"))
        .collect();
    let (columns, places) = (columns.join(", "), places.join(", "));
    format!("INSERT INTO {table} ({columns}) VALUES ({places})")
}

pub(super) fn update_text(table: &str, key: &[&str], columns: &[&str]) -> String {
    let set = equal(columns, key.len() + 1).join(", ");
    let given = equal(key, 1).join(" AND ");
    format!("UPDATE {table} SET {set} WHERE {given}")
}

pub(super) fn delete_text(table: &str, key: &[&str]) -> String {
    format!("DELETE FROM {table} WHERE {}", equal(key, 1).join(" AND "))
}

/// `column = ?n` for each column, counted from a number.
fn equal(columns: &[&str], from: usize) -> Vec<String> {
    let columns = columns.iter().zip(from..);
    columns
        .map(|(column, place)| format!("{column} = ?{place}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_numbers_its_values_in_their_order() {
        assert_eq!(
            insert_text("plans", &["id", "org_id", "seq"]),
            "INSERT INTO plans (id, org_id, seq) VALUES (?1, ?2, ?3)"
        );
        assert_eq!(
            update_text("plans", &["org_id", "id"], &["record", "updated_at"]),
            "UPDATE plans SET record = ?3, updated_at = ?4 WHERE org_id = ?1 AND id = ?2"
        );
        assert_eq!(
            delete_text("users", &["org_id", "id"]),
            "DELETE FROM users WHERE org_id = ?1 AND id = ?2"
        );
    }
}
