//! Notes of members on records.

use crate::text::language::{filled, translate};

texts! {
    title = "Notes";
    note = "New note";
    hint = "Only members of your organisation see it. A note can’t be edited.";
    none = "No notes yet.";
    add = "Add note";
    added = "Note added";
    delete = "Delete note";
    delete_of(author: &str) = "Delete the note of {author}";
    delete_ask = "Delete this note?";
    delete_why = "It disappears for all members. This can’t be undone.";
    deleted = "Note deleted";
}
