//! The log: output, format, and redaction.

use std::io::{self, IsTerminal};

use tracing::{Level, Metadata};
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::config::LogFormat;

/// Whether an event may be logged. Below `info`, libraries log what they process: PostgreSQL's driver the values of statements,
/// HTTP's the headers of requests. So the filter applies to this program's own events only.
fn is_discreet(metadata: &Metadata<'_>) -> bool {
    let is_own = metadata.target().split("::").next() == Some("settlekit_server");
    is_own || *metadata.level() <= Level::INFO
}

/// Starts logging to standard error.
///
/// # Errors
/// The text of an invalid filter.
pub(crate) fn start(filter: &str, format: LogFormat) -> Result<(), String> {
    let filter = EnvFilter::try_new(filter)
        .map_err(|error| format!("{filter:?} is not a log filter: {error}"))?
        .and(filter_fn(is_discreet));
    let log = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    let started = match format {
        LogFormat::Text => tracing_subscriber::registry()
            .with(log.with_filter(filter))
            .try_init(),
        LogFormat::Json => tracing_subscriber::registry()
            .with(log.json().with_filter(filter))
            .try_init(),
    };
    started.map_err(|error| format!("the log cannot be started: {error}"))
}
