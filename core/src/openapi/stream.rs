//! Server-sent event streams (WHATWG HTML, section 9.2). They are not in the catalogue: the service answers each call once, and
//! a stream does not end.

use serde_json::{Map, Value, json};

use super::{refusal, security};
use crate::PREFIX;
use crate::catalogue::{CATALOGUE, Description};
use crate::operation::Operation;
use crate::overview::{GetOverview, LIVE};

pub(super) fn describe(paths: &mut Map<String, Value>) {
    let overview = CATALOGUE.iter().find(|one| one.id == GetOverview::ID);
    if let Some(overview) = overview {
        let path = LIVE.strip_prefix(PREFIX).unwrap_or(LIVE);
        paths.insert(path.to_owned(), json!({ "get": live(overview) }));
    }
}

fn live(overview: &Description) -> Value {
    let mut responses = json!({
        overview.success.as_str(): {
            "description": "Open until either end closes it.",
            "content": { "text/event-stream": { "schema": {
                "type": "string",
                "description": "One event after another; its data is the whole answer of `getOverview`, in its envelope.",
            } } },
        },
    });
    for (status, response) in refusal::responses(overview) {
        responses[status] = response;
    }
    json!({
        "operationId": "streamOverview",
        "tags": [overview.room],
        "summary": "Says the overview whenever it has changed.",
        "description": format!(
            "Says the overview whenever it has changed, as server-sent events: at most four in a second, and one every fifteen \
             seconds at least, so that both ends see that the other is there. It ends when the caller may no longer read the \
             overview.\n\nScope: `{}`.",
            overview.scope.as_str()
        ),
        "parameters": [],
        "responses": responses,
        "security": security::security(overview),
    })
}
