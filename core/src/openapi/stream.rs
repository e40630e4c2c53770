//! Server-sent event streams (WHATWG HTML, section 9.2). They are not in the catalogue: the service answers each call once, and
//! a stream does not end.

use serde_json::{Map, Value, json};

use super::{refusal, security};
use crate::PREFIX;
use crate::catalogue::{Description, find};
use crate::operation::Operation;
use crate::overview::{GetOverview, LIVE};

pub(super) fn describe(paths: &mut Map<String, Value>) {
    let overview = find(GetOverview::ID);
    if let Some(overview) = overview {
        let path = LIVE.strip_prefix(PREFIX).unwrap_or(LIVE);
        paths.insert(path.to_owned(), json!({ "get": live(overview) }));
    }
}

fn live(overview: &Description) -> Value {
    let mut responses = json!({
        overview.success.as_str(): {
            "description": "A stream that stays open until the client or the service closes it.",
            "content": { "text/event-stream": { "schema": {
                "type": "string",
                "description": "Server-sent events. The data of each is the response of `getOverview` with its envelope.",
            } } },
        },
    });
    for (status, response) in refusal::responses(overview) {
        responses[status] = response;
    }
    json!({
        "operationId": "streamOverview",
        "tags": [overview.room],
        "summary": "Streams the overview.",
        "description": format!(
            "Sends the overview as a server-sent event after each change: at most four events a second, and at least one every \
             fifteen seconds as a keep-alive. The stream ends when the caller loses access to the overview.\n\nScope: `{}`.",
            overview.scope.as_str()
        ),
        "parameters": [],
        "responses": responses,
        "security": security::security(overview),
    })
}
