//! The commands `export` and `import`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use settlekit_core::value::OrganisationId;
use settlekit_service::books::Imported;

use super::failure::Failure;
use super::opening::{open, open_or_create};
use super::output::{print, say};
use crate::config::Store;
use crate::{durable, private_file};

/// Removes an incomplete file after a failure.
pub(crate) fn export(
    store: &Store,
    org: OrganisationId,
    to: Option<&Path>,
) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let mut out: Box<dyn Write> = match to {
        Some(to) => Box::new(private_file::create_new(to).map_err(at(to))?),
        None => Box::new(io::stdout().lock()),
    };
    let mut out = BufWriter::new(&mut out);
    let mut failed = None;
    let exported = opened
        .service
        .export(opened.database.as_mut(), org, &mut |line| {
            let written = writeln!(out, "{line}");
            failed = written.err();
            failed.is_none()
        });
    let flushed = out.flush();
    let done = match (failed.or(flushed.err()), exported) {
        (Some(error), _) => Err(Failure::from(error)),
        (None, Ok(Some(_))) => {
            if let Some(to) = to {
                durable::sync(to).map_err(at(to))?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        (None, Ok(None)) => Err(Failure::unknown_organisation(org)),
        (None, Err(error)) => Err(Failure::Store(store.database.clone(), error)),
    };
    if let Some(to) = to {
        std::fs::remove_file(to).map_err(at(to))?;
    }
    done
}

/// Prints each error as a line on standard output.
pub(crate) fn import(
    (store, sandbox): (&Store, bool),
    from: Option<&Path>,
    json: bool,
) -> Result<ExitCode, Failure> {
    let input: Box<dyn BufRead> = match from {
        Some(from) => Box::new(BufReader::new(File::open(from).map_err(at(from))?)),
        None => Box::new(io::stdin().lock()),
    };
    let mut opened = open_or_create(store, sandbox)?;
    let mut broken = None;
    let mut lines = input.lines().map_while(|line| match line {
        Ok(line) => Some(line),
        Err(error) => {
            broken = Some(error);
            None
        }
    });
    let imported =
        opened.call(|service, database, now, seed| service.import(database, &mut lines, now, seed));
    drop(lines);
    if let Some(error) = broken {
        return Err(error.into());
    }
    match imported? {
        Imported::Made {
            organisation,
            lines,
            signing_secret,
        } => print(
            json,
            &[
                ("org_id", organisation.to_string()),
                ("lines", lines.to_string()),
                ("signing_secret", signing_secret),
            ],
        ),
        Imported::Refused { errors, more } => {
            for error in errors {
                say(&format!("line {}: {}", error.line, error.message))?;
            }
            if more > 0 {
                say(&format!("and {more} more"))?;
            }
            Err("nothing was imported".into())
        }
    }
}

/// A file error with the file's name.
fn at(file: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| format!("{}: {error}", file.display()).into()
}
