//! Names of rooms and methods in JavaScript: `createPaylink` is `paylinks.create`, without repeating the room.

use settlekit_core::catalogue::Description;

/// Rooms without a plural, because a caller has only one.
const SINGLE: [&str; 8] = [
    "checkout",
    "find",
    "installation",
    "organisation",
    "overview",
    "partner",
    "sandbox",
    "trade",
];

/// Property of the client for a room: `external_account` is `externalAccounts`.
pub(crate) fn room(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    let noun = words.fold(first, |noun, word| noun + &capital(word));
    if SINGLE.contains(&name) {
        noun
    } else {
        noun + "s"
    }
}

/// Method name of an operation. Omits the room's noun after the verb: not `paylinks.createPaylink`.
pub(crate) fn method(operation: &Description) -> String {
    let verb = operation.id[1..]
        .find(char::is_uppercase)
        .map_or(operation.id.len(), |at| at + 1);
    let (verb, rest) = operation.id.split_at(verb);
    let noun: String = operation.room.split('_').map(capital).collect();
    let plural = format!("{noun}s");
    let rest = match rest {
        rest if rest == noun || rest == plural => "",
        rest => rest.strip_prefix(&noun).unwrap_or(rest),
    };
    if verb.eq_ignore_ascii_case(operation.room) {
        return small(rest);
    }
    small(verb) + rest
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// Operation id of the OpenAPI document: `CreatePaylink` is `createPaylink`.
pub(crate) fn small(name: &str) -> String {
    name[..1].to_lowercase() + &name[1..]
}
