//! Notes of members on a record: reading, writing and deleting them.

use leptos::prelude::*;
use settlekit_core::note::{CreateNote, DeleteNote, ListNotes, ListNotesQuery, Note, NotedRecord};
use settlekit_core::value::NoteId;

use crate::api;
use crate::form::{Form, FormView, LongField, form_failure, path_argument};
use crate::shell::{load, load_failure};
use crate::text::notes as words;
use crate::ui::{Confirm, Icon, Toasts, icon, open_while, timestamp};

/// The form of a new note, for members who may write.
#[component]
pub(crate) fn NoteForm(record: NotedRecord, id: String, added: Callback<()>) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let typed = form.text("text");
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let fields = fields
            .text("record_type", record.as_str())
            .text("record_id", &id);
        form.send::<CreateNote>(fields.body(), move |_| {
            typed.set(String::new());
            toasts.say(words::added().to_owned());
            added.run(());
        });
    });
    view! {
        <div data-scope="write">
            <FormView form=form class="stack-tight" submit=submit>
                <LongField form=form name="text" label=words::note() value=typed hint=words::hint() />
                <div class="row"><button class="button" disabled=form.busy>{icon(Icon::Edit)}{words::add()}</button></div>
            </FormView>
        </div>
    }
}

/// The question before a note is deleted; open while one is chosen.
#[component]
pub(crate) fn DeleteNoteDialog(
    chosen: RwSignal<Option<NoteId>>,
    deleted: Callback<()>,
) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let open = open_while(chosen, |_| true);
    let delete = Callback::new(move |()| {
        let Some(id) = chosen.get_untracked() else {
            return;
        };
        form.send::<DeleteNote>(path_argument("note_id", id), move |_| {
            toasts.say(words::deleted().to_owned());
            deleted.run(());
        });
    });
    view! {
        {form_failure(form)}
        <Confirm open=open title=words::delete_ask() consequence=words::delete_why() act=words::delete() busy=form.busy on_confirm=delete />
    }
}

/// The text of a note, with a button if the member may delete it.
pub(crate) fn note_text(note: &Note, chosen: RwSignal<Option<NoteId>>) -> AnyView {
    let id = note.id;
    let label = words::delete_of(&note.author);
    let delete = note.may_delete.then(|| {
        view! { <button type="button" class="copy push" aria-label=label.clone() title=label on:click=move |_| chosen.set(Some(id))>{icon(Icon::Bin)}</button> }
    });
    view! { <div class="row nowrap"><p class="lines">{note.text.clone()}</p>{delete}</div> }
        .into_any()
}

/// The notes on a record with their form.
#[component]
pub(crate) fn Notes(record: NotedRecord, id: String) -> impl IntoView {
    let query = ListNotesQuery {
        record_type: record.clone(),
        record_id: id.clone(),
    };
    let notes = load::<ListNotes>(move || Some(api::with_query(query.clone())));
    let chosen = RwSignal::new(None);
    let changed = Callback::new(move |()| notes.reload());
    let row = move |note: &Note| {
        let by = note.author.clone();
        view! {
            <li>
                <div class="row"><strong>{by}</strong><span class="push quiet">{timestamp(note.created_at)}</span></div>
                {note_text(note, chosen)}
            </li>
        }
    };
    let rows = move || {
        notes.read(|all| match all.is_empty() {
            true => view! { <p class="quiet">{words::none()}</p> }.into_any(),
            false => {
                let rows = all.iter().map(row).collect_view();
                view! { <ul class="notes">{rows}</ul> }.into_any()
            }
        })
    };
    view! {
        <section class="stack-tight" aria-labelledby="notes">
            <h3 class="section-title" id="notes">{words::title()}</h3>
            <NoteForm record=record id=id added=changed />
            {load_failure(notes)}
            {rows}
        </section>
        <DeleteNoteDialog chosen=chosen deleted=changed />
    }
}
