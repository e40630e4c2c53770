//! The commands `export` and `import`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use settlekit_core::value::OrganisationId;
use settlekit_service::books::Imported;

use super::failure::Failure;
use super::opening::{open, open_or_create, seed};
use super::output::{print, say};
use crate::config::Store;
use crate::{durable, edge, private_file};

/// Removes an incomplete file after a failure.
pub(crate) fn export(
    store: &Store,
    org: OrganisationId,
    to: Option<&Path>,
) -> Result<ExitCode, Failure> {
    let (service, mut database) = open(store)?;
    let mut out: Box<dyn Write> = match to {
        Some(to) => Box::new(private_file::create_new(to).map_err(|error| at(to, &error))?),
        None => Box::new(io::stdout().lock()),
    };
    let mut out = BufWriter::new(&mut out);
    let mut failed = None;
    let exported = service.export(database.as_mut(), org, &mut |line| {
        let written = writeln!(out, "{line}");
        failed = written.err();
        failed.is_none()
    });
    let flushed = out.flush();
    let done = match (failed.or(flushed.err()), exported) {
        (Some(error), _) => Err(Failure::from(error)),
        (None, Ok(Some(_))) => {
            if let Some(to) = to {
                durable::sync(to).map_err(|error| at(to, &error))?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        (None, Ok(None)) => Err(Failure::Other(format!("organisation {org} not found"))),
        (None, Err(error)) => Err(Failure::Store(store.database.clone(), error)),
    };
    if let Some(to) = to {
        std::fs::remove_file(to).map_err(|error| at(to, &error))?;
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
        Some(from) => {
            let file = File::open(from).map_err(|error| at(from, &error))?;
            Box::new(BufReader::new(file))
        }
        None => Box::new(io::stdin().lock()),
    };
    let (service, mut database) = open_or_create(store, sandbox)?;
    let mut broken = None;
    let mut lines = input.lines().map_while(|line| match line {
        Ok(line) => Some(line),
        Err(error) => {
            broken = Some(error);
            None
        }
    });
    let imported = service.import(database.as_mut(), &mut lines, edge::now(), seed(store)?);
    drop(lines);
    if let Some(error) = broken {
        return Err(error.into());
    }
    match imported.map_err(|error| Failure::Store(store.database.clone(), error))? {
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
            Err(Failure::Other("nothing was imported".to_owned()))
        }
    }
}

/// A file error with the file's name.
fn at(file: &Path, error: &io::Error) -> Failure {
    Failure::Other(format!("{}: {error}", file.display()))
}
