//! Notes of members on a record. They stay within the organisation: no webhook, payer or API key gets them.

mod create_note;
mod delete_note;
mod list_notes;

pub use create_note::{CreateNote, CreateNoteBody};
pub use delete_note::{DeleteNote, DeleteNotePath};
pub use list_notes::{ListNotes, ListNotesQuery};

use crate::operation::read_path_param;
use crate::validate::Report;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{
    AccountId, CustomerId, InvoiceId, MovementId, NoteId, Param, PaylinkId, PaymentId,
    SubscriptionId, Timestamp, UserId,
};

/// Maximum length of a note, in characters.
pub const TEXT_CHARS_MAX: usize = 2000;

/// Maximum number of notes on a record.
pub const NOTES_MAX: usize = 200;

open_enum! {
    /// Type of a record that can have notes. A payout is a payment.
    NotedRecord { Account, Customer, Invoice, Movement, Payment, Paylink, Subscription }
}

record! {
    /// A note of a member on a record. It can be deleted, not changed.
    Note {
        /// Unique id.
        id: NoteId,
        /// Type of the record.
        record_type: NotedRecord,
        /// Id of the record.
        record_id: String,
        /// Text.
        text: String,
        /// Name of the author when the note was written.
        author: String,
        /// The author; absent if the note was imported from another installation.
        user_id?: UserId,
        /// Whether the caller may delete it.
        may_delete: bool,
        /// Time of writing.
        created_at: Timestamp,
    }
}

/// Reports an unknown type, and an id that records of the type cannot have.
fn check_record(record_type: &NotedRecord, id: &str, report: &mut Report) {
    report.known("record_type", Some(record_type));
    // The rule on all texts reports it, whatever the type is.
    if id.contains('\0') {
        return;
    }
    match record_type {
        NotedRecord::Account => check_id::<AccountId>(id, report),
        NotedRecord::Customer => check_id::<CustomerId>(id, report),
        NotedRecord::Invoice => check_id::<InvoiceId>(id, report),
        NotedRecord::Movement => check_id::<MovementId>(id, report),
        NotedRecord::Payment => check_id::<PaymentId>(id, report),
        NotedRecord::Paylink => check_id::<PaylinkId>(id, report),
        NotedRecord::Subscription => check_id::<SubscriptionId>(id, report),
        NotedRecord::Other(_) => {}
    }
}

fn check_id<T: Param>(id: &str, report: &mut Report) {
    read_path_param::<T>("record_id", &|_| Some(id.to_owned()), report);
}
