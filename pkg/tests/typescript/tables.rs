//! Prints the tables of `settlekit/core`: constants, reasons and states.

use std::collections::BTreeSet;
use std::fmt::Write;

use settlekit_core::error::Reason;
use settlekit_core::operation::Auth;
use settlekit_core::value::amount::SCALE_MAX;
use settlekit_core::value::id::INTEGER_ID_MAX;
use settlekit_core::value::reference::REFERENCE_CHARS_MAX;
use settlekit_core::{header, page, sign, state, validate, webhook};

use crate::camel;

const HEAD: &str =
    "// Printed from settlekit-core by `cargo xtask print`; do not edit. @generated\n";

/// Header names and limits.
pub(crate) fn constants() -> String {
    let mut out = format!("{HEAD}\n/** Names of the headers that a client sends and reads. */\n");
    out.push_str("export const HEADERS = {\n");
    for (name, header) in [
        ("apiKey", header::API_KEY),
        ("nonce", header::NONCE),
        ("signature", header::SIGNATURE),
        ("orgId", header::ORGANISATION),
        ("idempotencyKey", header::IDEMPOTENCY_KEY),
        ("idempotentReplayed", header::IDEMPOTENT_REPLAYED),
        ("requestId", header::REQUEST_ID),
        ("serverTime", header::SERVER_TIME),
        ("retryAfter", header::RETRY_AFTER),
        ("webhookId", header::WEBHOOK_ID),
        ("webhookTimestamp", header::WEBHOOK_TIMESTAMP),
        ("webhookSignature", header::WEBHOOK_SIGNATURE),
        ("webhookKeyId", header::WEBHOOK_KEY_ID),
    ] {
        let _ = writeln!(out, "  {name}: \"{header}\",");
    }
    out.push_str("} as const;\n\n/** Limits of the service. */\nexport const LIMITS = {\n");
    for (text, name, value) in [
        (
            "Maximum size of a page.",
            "pageItems",
            i64::from(page::LIMIT_MAX),
        ),
        (
            "Maximum size of a body, in bytes.",
            "bodyBytes",
            Auth::Key.body_bytes_max() as i64,
        ),
        (
            "Maximum size of a webhook's body, in bytes.",
            "webhookBodyBytes",
            webhook::BODY_BYTES_MAX as i64,
        ),
        (
            "Maximum number of errors in one answer.",
            "errors",
            validate::ERRORS_MAX as i64,
        ),
        (
            "Maximum difference between the time of a nonce and the service's, in seconds.",
            "nonceSeconds",
            sign::NONCE_WINDOW.as_secs() as i64,
        ),
        (
            "Maximum number of decimal places of an amount.",
            "amountDecimals",
            i64::from(SCALE_MAX),
        ),
        (
            "Maximum length of a reference, in characters.",
            "referenceChars",
            REFERENCE_CHARS_MAX as i64,
        ),
        ("Largest integer id.", "integerId", INTEGER_ID_MAX),
    ] {
        let _ = writeln!(out, "  /** {text} */\n  {name}: {value},");
    }
    out + "} as const;\n"
}

/// The closed list of reasons, with status and English text.
pub(crate) fn reasons() -> String {
    let mut out =
        format!("{HEAD}\n/** Reasons of errors with their HTTP status: a closed list. */\n");
    out.push_str("export const REASONS = {\n");
    for reason in Reason::ALL {
        let _ = writeln!(out, "  {reason}: {},", reason.status().as_u16());
    }
    out.push_str(
        "} as const;\n\n/** Reason of an error. */\nexport type Reason = keyof typeof REASONS;\n\n",
    );
    out.push_str("/** English text of every reason. */\nexport const ENGLISH: Readonly<Record<Reason, string>> = {\n");
    for reason in Reason::ALL {
        let _ = writeln!(out, "  {reason}: {:?},", reason.describe());
    }
    out + "};\n"
}

/// The state machines.
pub(crate) fn states() -> String {
    let mut out = format!(
        "{HEAD}\n/** Allowed states after each state, by record. All other transitions are rejected. */\nexport const STATES = {{\n"
    );
    for table in state::tables() {
        let _ = writeln!(
            out,
            "  {}: {{",
            camel(&table.subject.to_lowercase().replace(' ', "_"))
        );
        let all: BTreeSet<&String> = table
            .initial
            .iter()
            .chain(
                table
                    .transitions
                    .iter()
                    .flat_map(|(from, to, _)| [from, to]),
            )
            .collect();
        for state in all {
            let next: Vec<String> = table
                .transitions
                .iter()
                .filter(|(from, _, _)| from == state)
                .map(|(_, to, _)| format!("\"{to}\""))
                .collect();
            let _ = writeln!(out, "    {state}: [{}],", next.join(", "));
        }
        out.push_str("  },\n");
    }
    out + "} as const;\n"
}
