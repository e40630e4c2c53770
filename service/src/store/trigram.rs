//! The trigram index of customers' searchable text.
//!
//! A text that contains a search text contains all its trigrams, so the customers of the rarest trigrams are the candidates. Two
//! line feeds end each text, so that every letter starts a trigram and a search for one or two letters is a prefix scan. Removed
//! trigrams stay in the index, so every candidate's text must be compared.

use std::collections::{BTreeMap, BTreeSet};

use super::first;
use super::sql::{Database, StoreError, Value};

/// Customers per block: one index row holds the customers of a block with a trigram.
const BLOCK: i64 = 256;

/// Rows per INSERT.
const ROWS: usize = 40;

/// Blocks sampled to estimate the frequency of a trigram.
const SAMPLE: i64 = 16;

/// Most trigrams of a search text to estimate, and most of the rarest to intersect.
const TRIGRAMS_MAX: usize = 16;
const INTERSECTED_MAX: usize = 3;

/// The cost of comparing a customer's text, in index entries.
const COMPARISON_COST: i64 = 64;

/// If a trigram is expected in more than one of this many customers, a scan is cheaper.
const RARE: i64 = 8;

/// Most rows to read for one or two letters.
const SHORT_MAX: usize = 4096;

/// The trigrams of a text.
fn trigrams(text: &str) -> BTreeSet<String> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .windows(3)
        .map(|trigram| trigram.iter().collect())
        .collect()
}

/// The trigrams of a customer's text, as indexed.
fn indexed_trigrams(text: &str) -> BTreeSet<String> {
    trigrams(&format!("{text}\n\n"))
}

/// A customer's new searchable text, and the indexed one.
pub(super) struct Text<'a> {
    pub(super) seq: i64,
    pub(super) text: &'a str,
    pub(super) before: Option<&'a str>,
}

/// Adds the trigrams of changed texts.
pub(super) fn index_texts(
    database: &mut dyn Database,
    owner: Value<'_>,
    texts: &[Text<'_>],
) -> Result<(), StoreError> {
    let mut rows: BTreeMap<(String, i64), String> = BTreeMap::new();
    for Text { seq, text, before } in texts {
        let before = before.map(indexed_trigrams).unwrap_or_default();
        let place = format!("{:02x}", seq % BLOCK);
        for trigram in indexed_trigrams(text).difference(&before) {
            let row = rows.entry((trigram.clone(), seq / BLOCK)).or_default();
            row.push_str(&place);
        }
    }
    let rows: Vec<_> = rows.into_iter().collect();
    for rows in rows.chunks(ROWS) {
        let mut given: Vec<Value<'_>> = vec![owner];
        let mut places = Vec::with_capacity(rows.len());
        for ((trigram, block), row) in rows {
            let at = given.len();
            places.push(format!("(?1, ?{}, ?{}, ?{})", at + 1, at + 2, at + 3));
            given.extend::<[Value<'_>; 3]>([trigram.into(), (*block).into(), row.into()]);
        }
        let write = format!(
            "INSERT INTO customer_trigrams (org_id, trigram, block, places) VALUES {} ON CONFLICT (org_id, trigram, block) \
             DO UPDATE SET places = customer_trigrams.places || excluded.places",
            places.join(", ")
        );
        database.execute(&write, &given)?;
    }
    Ok(())
}

/// The candidates for a text by `seq`, in order; `None` where a scan is cheaper. Customers not in the index are not considered.
pub(super) fn having(
    database: &mut dyn Database,
    owner: Value<'_>,
    text: &str,
    last: i64,
) -> Result<Option<Vec<i64>>, StoreError> {
    let trigrams = trigrams(text);
    if trigrams.is_empty() {
        return beginning(database, owner, text);
    }
    let mut rare = Vec::new();
    for trigram in trigrams.iter().take(TRIGRAMS_MAX) {
        rare.push((expected(database, owner, trigram, last)?, trigram));
    }
    rare.sort_unstable();
    let mut found: Option<Vec<i64>> = None;
    for (expected, trigram) in rare.into_iter().take(INTERSECTED_MAX) {
        match &found {
            None if expected > last / RARE => return Ok(None),
            Some(found) if expected > found.len() as i64 * COMPARISON_COST => break,
            _ => {}
        }
        let with = with(database, owner, trigram)?;
        found = Some(match found {
            None => with,
            Some(mut found) => {
                found.retain(|seq| with.binary_search(seq).is_ok());
                found
            }
        });
    }
    Ok(found)
}

/// Estimates how many customers have a trigram, from the latest blocks that contain it.
fn expected(
    database: &mut dyn Database,
    owner: Value<'_>,
    trigram: &str,
    last: i64,
) -> Result<i64, StoreError> {
    const LATEST: &str = "SELECT COUNT(*), COALESCE(SUM(LENGTH(places)), 0), COALESCE(MIN(block), 0) FROM (SELECT block, places \
         FROM customer_trigrams WHERE org_id = ?1 AND trigram = ?2 ORDER BY block DESC LIMIT ?3) latest";
    let given = [owner, trigram.into(), SAMPLE.into()];
    let Some(row) = first(database.query(LATEST, &given)?) else {
        return Ok(0);
    };
    let (blocks, places, earliest) = (row.int(0)?, row.int(1)? / 2, row.int(2)?);
    if blocks < SAMPLE {
        return Ok(places);
    }
    let all = last / BLOCK + 1;
    Ok(places * all / (all - earliest).max(1))
}

/// The customers with a trigram, in order.
fn with(
    database: &mut dyn Database,
    owner: Value<'_>,
    trigram: &str,
) -> Result<Vec<i64>, StoreError> {
    const WITH: &str =
        "SELECT block, places FROM customer_trigrams WHERE org_id = ?1 AND trigram = ?2";
    let rows = database.query(WITH, &[owner, trigram.into()])?;
    let mut found = Vec::new();
    for row in &rows {
        read(row.int(0)?, row.text(1)?, &mut found)?;
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The candidates for one or two letters, in order; `None` if too many.
fn beginning(
    database: &mut dyn Database,
    owner: Value<'_>,
    text: &str,
) -> Result<Option<Vec<i64>>, StoreError> {
    const BEGINNING: &str = "SELECT block, places FROM customer_trigrams WHERE org_id = ?1 AND trigram BETWEEN ?2 AND ?3 LIMIT ?4";
    let end = format!("{text}{}", char::MAX);
    let given = [owner, text.into(), (&end).into(), (SHORT_MAX as i64).into()];
    let rows = database.query(BEGINNING, &given)?;
    if rows.len() == SHORT_MAX {
        return Ok(None);
    }
    let mut found = BTreeSet::new();
    let mut places = Vec::new();
    for row in &rows {
        places.clear();
        read(row.int(0)?, row.text(1)?, &mut places)?;
        found.extend(places.iter().copied());
    }
    Ok(Some(found.into_iter().collect()))
}

/// Decodes the entries of an index row: two hex digits per customer of the block.
fn read(block: i64, places: &str, found: &mut Vec<i64>) -> Result<(), StoreError> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(i64::from);
    for pair in places.as_bytes().chunks(2) {
        let place = match pair {
            [high, low] => digit(*high).zip(digit(*low)),
            _ => None,
        };
        let Some((high, low)) = place else {
            return Err(StoreError::Damaged(
                "a place among customers is malformed".to_owned(),
            ));
        };
        found.push(block * BLOCK + high * 16 + low);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trigrams_of_a_text_are_of_letters_and_not_of_bytes() {
        let trigrams: Vec<String> = trigrams("zoë ö").into_iter().collect();
        assert_eq!(trigrams, ["oë ", "zoë", "ë ö"]);
        assert!(super::trigrams("ab").is_empty());
        assert_eq!(
            indexed_trigrams("a").into_iter().collect::<Vec<_>>(),
            ["a\n\n"]
        );
    }

    #[test]
    fn places_are_read_as_numbers_and_nothing_else_is() {
        let mut found = Vec::new();
        assert_eq!(read(2, "00ff1a", &mut found), Ok(()));
        assert_eq!(found, [512, 767, 538]);
        for odd in ["0", "0g", "+1"] {
            assert!(read(0, odd, &mut found).is_err(), "{odd}");
        }
    }
}
