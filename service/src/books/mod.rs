//! Export and import of an organisation's books as JSON lines.
//!
//! The first line identifies the format, the last one has the count of rows; each other line is a row of `store::books::TABLES`,
//! in that order: `{"plan":{"id":"plan_…","seq":1,…}}`. NULL columns are omitted. Both directions hold one line in memory.

mod keys;
mod line;

use settlekit_core::value::{OrganisationId, Timestamp};

use crate::mode::Mode;
use crate::money::ledger;
use crate::random::{Random, Seed};
use crate::resources::organisation;
use crate::secret::context;
use crate::store::books::{TABLES, is_empty, restart_ids};
use crate::store::derived::rebuild_within;
use crate::store::sql::{Access, Database, StoreError, transaction};
use crate::unit::Unit;
use crate::{Service, secret, store};
pub use line::VERSION;
use line::{Header, ParsedLine};

/// Errors returned in full; further ones are only counted.
pub const ERRORS_MAX: usize = 100;

/// An error in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationError {
    /// The line number, from 1; one past the last for an incomplete file.
    pub line: u64,
    /// The error.
    pub message: String,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Imported {
    /// Imported.
    Made {
        /// The organisation.
        organisation: OrganisationId,
        /// The count of rows.
        lines: u64,
        /// The new signing secret for requests, which an export omits.
        signing_secret: String,
    },
    /// Rejected; nothing was written.
    Refused {
        /// The first errors.
        errors: Vec<ValidationError>,
        /// The count of further errors.
        more: u64,
    },
}

impl Service {
    /// Exports the books of an organisation from one snapshot, line by line; `take` returns false to stop. Returns the count of
    /// rows; `None` for an unknown organisation or when stopped.
    ///
    /// # Errors
    /// If the database failed.
    pub fn export(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        take: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Option<u64>, StoreError> {
        transaction(database, Access::Read, |database| {
            export(self.options().mode, database, organisation, take)
        })
    }

    /// Imports books into a database without organisations, atomically, and audits them.
    ///
    /// Keys, members and passwords are not exported: create a key afterwards. The signing secret and the webhook key are new.
    ///
    /// # Errors
    /// If the database failed; nothing was written then.
    pub fn import(
        &self,
        database: &mut dyn Database,
        lines: &mut dyn Iterator<Item = String>,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Imported, StoreError> {
        database.begin(Access::Write)?;
        let mut unit = Unit::new(self, database, now, Random::new(seed));
        // The import ends with a recount of whole lists, hence no statement timeout.
        let imported = store::migrate::lift_statement_timeout(unit.database)
            .and_then(|()| import(&mut unit, lines));
        match imported {
            Ok(imported @ Imported::Made { .. }) => {
                database.commit()?;
                Ok(imported)
            }
            other => {
                database.rollback()?;
                other
            }
        }
    }
}

fn export(
    mode: Mode,
    database: &mut dyn Database,
    organisation: OrganisationId,
    take: &mut dyn FnMut(&str) -> bool,
) -> Result<Option<u64>, StoreError> {
    if store::organisation::find(database, organisation)?.is_none() {
        return Ok(None);
    }
    if !take(&Header::new(organisation, mode).write()?) {
        return Ok(None);
    }
    let mut lines = 0;
    for table in TABLES {
        let whole = table.each(database, organisation, &mut |values| {
            lines += 1;
            Ok(take(&line::write(table, values)?))
        })?;
        if !whole {
            return Ok(None);
        }
    }
    Ok(take(&line::end(lines)).then_some(lines))
}

/// The errors so far.
#[derive(Default)]
struct Invalid {
    listed: Vec<ValidationError>,
    more: u64,
}

impl Invalid {
    fn add(&mut self, line: u64, message: impl Into<String>) {
        if self.listed.len() < ERRORS_MAX {
            self.listed.push(ValidationError {
                line,
                message: message.into(),
            });
        } else {
            self.more += 1;
        }
    }

    fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    fn refuse(self) -> Imported {
        Imported::Refused {
            errors: self.listed,
            more: self.more,
        }
    }
}

/// Refuses an import for one error.
fn refused(line: u64, message: impl Into<String>) -> Imported {
    let mut errors = Invalid::default();
    errors.add(line, message);
    errors.refuse()
}

fn import(
    unit: &mut Unit<'_>,
    lines: &mut dyn Iterator<Item = String>,
) -> Result<Imported, StoreError> {
    if !is_empty(unit.database)? {
        return Ok(refused(
            1,
            "the database already holds an organisation: use an empty one",
        ));
    }
    let header = match lines.next().as_deref().map(Header::read) {
        Some(Ok(header)) => header,
        Some(Err(message)) => return Ok(refused(1, message)),
        None => return Ok(refused(1, "the file is empty")),
    };
    let mode = unit.options().mode;
    if header.mode != mode {
        return Ok(refused(
            1,
            format!(
                "the books are from {} mode and the database is in {mode} mode: use a database of the same mode",
                header.mode
            ),
        ));
    }
    let mut errors = Invalid::default();
    let organisation = header.organisation;
    let signing_secret = secret::generate("ss_", &mut unit.random);
    let context = context::signing_secret(organisation);
    let sealed = unit.seal(&context, signing_secret.as_bytes())?;
    let (mut number, mut rows, mut table, mut ended) = (1, 0, 0, false);
    for text in lines {
        number += 1;
        if ended {
            errors.add(number, "is after the end");
            continue;
        }
        match line::read(&text, organisation) {
            Err(messages) => {
                rows += 1;
                for message in messages {
                    errors.add(number, message);
                }
            }
            Ok(ParsedLine::End(stated)) => {
                ended = true;
                if stated != rows {
                    errors.add(
                        number,
                        format!(
                            "states {stated} lines between the first and the last; the file has {rows}"
                        ),
                    );
                }
            }
            Ok(ParsedLine::Row(at, values)) => {
                rows += 1;
                if at < table {
                    errors.add(
                        number,
                        format!(
                            "a line of {} is after one of {}",
                            TABLES[at].kind, TABLES[table].kind
                        ),
                    );
                }
                table = table.max(at);
                if mode == Mode::Live
                    && let Some(message) = keys::missing(&TABLES[at], &values)?
                {
                    errors.add(number, message);
                }
                // After the first error nothing more is written, but all lines are still checked.
                if errors.is_empty() {
                    match TABLES[at].insert(unit.database, organisation, &values, &sealed) {
                        Ok(()) => {}
                        Err(StoreError::Constraint(rule)) => {
                            errors.add(number, format!("violates the database constraint {rule}"))
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
        }
    }
    if !ended {
        errors.add(
            number + 1,
            "the file is truncated: its last line is missing",
        );
    }
    if errors.is_empty() {
        let audit = ledger::verify(unit.database)?;
        for difference in audit.differences {
            errors.add(number, format!("the books do not balance: {difference}"));
        }
    }
    if !errors.is_empty() {
        return Ok(errors.refuse());
    }
    let Some(record) = store::organisation::find(unit.database, organisation)? else {
        return Ok(refused(number, "the organisation itself is missing"));
    };
    restart_ids(unit.database)?;
    if mode == Mode::Live {
        // This installation has read none of their blocks: a transfer that no block brings again here fails.
        store::transaction::forget_pending_blocks(unit.database)?;
    }
    store::bundle::make_all(unit.database, organisation)?;
    rebuild_within(unit.database, organisation)?;
    let public_key = organisation::add_webhook_key(unit, organisation)?;
    let record = settlekit_core::organisation::Organisation {
        webhook_public_key: Some(public_key),
        webhook_key_overlap_until: None,
        signing_secret_overlap_until: None,
        ..record
    };
    store::organisation::update(unit.database, &record)?;
    Ok(Imported::Made {
        organisation,
        lines: rows,
        signing_secret,
    })
}
