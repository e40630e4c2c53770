//! The tables that a statement reads and writes, by its words.

/// A set of tables, one bit per table seen.
pub(in crate::store) type Tables = u128;

/// Tables with a bit; the last bit is shared by all further tables.
pub(super) const PLACES: usize = Tables::BITS as usize;

/// Words of a query whose answer depends on more than rows, or which locks rows.
const UNSTEADY: [&str; 6] = [
    "UPDATE",
    "nextval",
    "setval",
    "to_regclass",
    "now",
    "random",
];

/// The target of a statement.
pub(super) enum Target<'a> {
    /// Nothing: a query.
    None,
    Table(&'a str),
    Unknown,
}

pub(super) fn target(sql: &str) -> Target<'_> {
    let mut words = sql.split([' ', '\n']).filter(|word| !word.is_empty());
    let table = match (words.next(), words.next()) {
        (Some("SELECT"), _) => return Target::None,
        (Some("INSERT"), Some("INTO")) | (Some("DELETE"), Some("FROM")) => words.next(),
        (Some("UPDATE"), table) => table,
        _ => None,
    };
    table.map_or(Target::Unknown, Target::Table)
}

/// Whether a query's answer depends on the rows of tables alone, and it locks none.
pub(super) fn is_steady(sql: &str) -> bool {
    let mut words = sql.split(|letter| !is_part(letter));
    let is_steady = |word: &str| !word.starts_with("pg_") && !UNSTEADY.contains(&word);
    words.clone().any(|word| word == "FROM") && words.all(is_steady)
}

fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

pub(super) fn bit(place: usize) -> Tables {
    1 << place.min(PLACES - 1)
}

pub(super) fn places(mut tables: Tables) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = tables.checked_ilog2()? as usize;
        tables ^= bit(place);
        Some(place)
    })
}

/// Whether a statement contains a table's name as a word.
pub(super) fn names(sql: &str, table: &str) -> bool {
    sql.match_indices(table).any(|(at, _)| {
        !sql[..at].ends_with(is_part) && !sql[at + table.len()..].starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_named_by_its_whole_name_alone() {
        assert!(names("SELECT 1 FROM sums WHERE sums.id = 1", "sums"));
        assert!(names("UPDATE t SET n = (SELECT held FROM sums)", "sums"));
        assert!(!names("SELECT 1 FROM sums_by_day, my_sums", "sums"));
    }

    #[test]
    fn a_query_is_steady_unless_it_locks_or_asks_for_more_than_rows() {
        assert!(is_steady("SELECT name FROM updates WHERE known = 1"));
        for sql in [
            "SELECT name FROM t FOR UPDATE",
            "SELECT nextval('t_id_seq') FROM generate_series(1, 2)",
            "SELECT pg_backend_pid() FROM t",
            "SELECT 1",
        ] {
            assert!(!is_steady(sql), "{sql}");
        }
    }
}
