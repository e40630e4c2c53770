//! The output of commands.

use std::io::{self, Write};
use std::process::ExitCode;

use super::failure::Failure;

/// Prints fields as a JSON object or as lines.
pub(crate) fn print(json: bool, fields: &[(&str, String)]) -> Result<ExitCode, Failure> {
    if json {
        let object: serde_json::Map<String, serde_json::Value> = fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone().into()))
            .collect();
        say(&serde_json::Value::Object(object).to_string())?;
    } else {
        for (name, value) in fields {
            say(&format!("{name}: {value}"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The mark of a chain whose money has no value, after its name.
pub(crate) fn test_mark(is_test: bool) -> &'static str {
    match is_test {
        true => " (test money)",
        false => "",
    }
}

/// Prints a line; a closed pipe is not an error.
pub(crate) fn say(text: &str) -> io::Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
