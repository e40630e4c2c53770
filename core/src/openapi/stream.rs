//! Server-sent event streams (WHATWG HTML, section 9.2). They are not in the catalogue: the service answers each call once, and
//! a stream does not end.

use serde_json::{Map, Value, json};

use super::{parameter, refusal, security};
use crate::PREFIX;
use crate::catalogue::{Description, find};
use crate::checkout::{GetCheckoutPayment, PAYMENT_LIVE};
use crate::operation::{Auth, Operation};
use crate::overview::{GetOverview, LIVE};

/// A stream of the answers of an operation.
struct Stream {
    path: &'static str,
    of: &'static str,
    id: &'static str,
    /// The method of the clients whose answer each event is.
    answer: &'static str,
    what: &'static str,
    end: &'static str,
}

const STREAMS: [Stream; 2] = [
    Stream {
        path: LIVE,
        of: GetOverview::ID,
        id: "streamOverview",
        answer: "getOverview",
        what: "the overview",
        end: "The stream ends when the caller loses access to the overview.",
    },
    Stream {
        path: PAYMENT_LIVE,
        of: GetCheckoutPayment::ID,
        id: "streamCheckoutPayment",
        answer: "getCheckoutPayment",
        what: "a payment for its payer",
        end: "Close it once the payment is final.",
    },
];

pub(super) fn describe(paths: &mut Map<String, Value>, definitions: &Map<String, Value>) {
    for stream in &STREAMS {
        if let Some(operation) = find(stream.of) {
            let path = stream.path.strip_prefix(PREFIX).unwrap_or(stream.path);
            paths.insert(
                path.to_owned(),
                json!({ "get": live(stream, operation, definitions) }),
            );
        }
    }
}

fn live(stream: &Stream, operation: &Description, definitions: &Map<String, Value>) -> Value {
    let (what, answer) = (stream.what, stream.answer);
    let mut responses = json!({
        operation.success.as_str(): {
            "description": "A stream that stays open until the client or the service closes it.",
            "content": { "text/event-stream": { "schema": {
                "type": "string",
                "description": format!("Server-sent events. The data of each is the response of `{answer}` with its envelope."),
            } } },
        },
    });
    for (status, response) in refusal::responses(operation) {
        responses[status] = response;
    }
    let scope = match operation.auth {
        Auth::Public => String::new(),
        _ => format!("\n\nScope: `{}`.", operation.scope.as_str()),
    };
    json!({
        "operationId": stream.id,
        "tags": [operation.room],
        "summary": format!("Streams {what}."),
        "description": format!(
            "Sends {what} as a server-sent event after each change: at most four events a second, and at least one every fifteen \
             seconds as a keep-alive. {}{scope}",
            stream.end
        ),
        "parameters": parameter::path_parameters(operation, definitions),
        "responses": responses,
        "security": security::security(operation),
    })
}
