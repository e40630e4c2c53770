//! What rooms and methods are called in JavaScript: `createPaylink` is `paylinks.create`, because a caller has said
//! paylinks already.

use settlekit_core::catalogue::Description;

/// Rooms of which a caller knows one: they have no plural.
const SINGLE: [&str; 7] = [
    "checkout",
    "find",
    "organisation",
    "overview",
    "partner",
    "sandbox",
    "trade",
];

/// `external_account` as a client's property: `externalAccounts`.
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

/// `CreatePaylink` as a method of its room. The room's own noun is left out where it follows the verb, because nobody says
/// `paylinks.createPaylink`.
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

/// `CreatePaylink` as the description of the interface calls it, `createPaylink`.
pub(crate) fn small(name: &str) -> String {
    name[..1].to_lowercase() + &name[1..]
}
