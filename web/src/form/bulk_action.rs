//! Bulk actions: confirmed with the number of records, executed one at a time, with an outcome per record. Failed ones can be
//! retried. No bulk action moves money.

use std::collections::BTreeMap;

use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::call::{Arguments, Outline};
use settlekit_core::header;
use settlekit_core::operation::Operation;
use settlekit_core::page::Page;

use crate::api::{self, Answered};
use crate::call_failure::CallFailure;
use crate::form::outcome::{BulkOutcome, OutcomeCounts};
use crate::form::random_key;
use crate::list::{Selection, SelectionBar};
use crate::remote::Remote;
use crate::session::Session;
use crate::shell::{Live, confirm_leaving_while};
use crate::text;
use crate::ui::{
    CopyButton, Dialog, Icon, Toasts, Typed, failure_text, icon, shortened, status_badge_as,
};

type Read = fn(Session, Result<Answered, CallFailure>) -> Result<(), CallFailure>;

/// An action on each selected record.
#[derive(Clone)]
pub(crate) struct BulkAction {
    words: &'static str,
    /// Consequence, shown in the confirmation.
    why: &'static str,
    class: &'static str,
    /// Whether the number of records must be typed, for deletions.
    typed: bool,
    outline: &'static Outline,
    /// Arguments of the call for the record with an id.
    arguments: fn(&str) -> Arguments,
    read: Read,
}

impl BulkAction {
    /// An operation on the record with an id.
    pub(crate) fn new<O: Operation>(
        words: &'static str,
        why: &'static str,
        arguments: fn(&str) -> Arguments,
    ) -> Self {
        let outline = const { &Outline::of::<O>() };
        Self {
            words,
            why,
            class: "button primary",
            typed: false,
            outline,
            arguments,
            read: |session, answered| api::read_answer::<O>(session, answered).map(|_| ()),
        }
    }

    pub(crate) fn irreversible(self) -> Self {
        Self {
            class: "button danger",
            ..self
        }
    }

    /// Requires typing the number of records, for deletions.
    pub(crate) fn typed(self) -> Self {
        Self {
            typed: true,
            ..self.irreversible()
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct RecordNames(StoredValue<BTreeMap<String, String>>);

impl RecordNames {
    /// Names of all records that have been on the list, including all selected ones.
    pub(crate) fn of<T: Send + Sync + 'static>(
        page: Signal<Remote<Page<T>>>,
        name: impl Fn(&T) -> (String, String) + 'static,
    ) -> Self {
        let names = Self(StoredValue::default());
        Effect::new(move |_| {
            page.with(|page| {
                let all = page.ready().into_iter().flat_map(|page| &page.items);
                names.0.update_value(|names| names.extend(all.map(&name)));
            });
        });
        names
    }

    /// A record's name with its id as tooltip; the id if it has no name.
    fn show(self, id: &str) -> AnyView {
        let name = self.0.with_value(|names| names.get(id).cloned());
        let class = if name.is_some() { "" } else { "mono" };
        view! { <span class=class title=id.to_owned()>{name.unwrap_or_else(|| shortened(id))}</span> }
            .into_any()
    }
}

/// A record and its idempotency key.
#[derive(Debug, Clone)]
struct BulkItem {
    id: String,
    key: String,
    /// Created in a click handler, outside any reactive owner.
    outcome: ArcRwSignal<BulkOutcome>,
}

#[component]
pub(crate) fn BulkActions(
    selection: Selection,
    actions: Vec<BulkAction>,
    names: RecordNames,
    #[prop(optional)] children: Option<ChildrenFn>,
) -> impl IntoView {
    let chosen: RwSignal<Option<BulkAction>> = RwSignal::new(None);
    let lines: RwSignal<Vec<BulkItem>> = RwSignal::new(Vec::new());
    let open = Signal::derive(move || chosen.with(Option::is_some));
    let close = Callback::new(move |()| {
        chosen.set(None);
        // Finished records leave the selection.
        let lines = lines.try_update(std::mem::take).unwrap_or_default();
        let done = lines
            .iter()
            .filter(|line| line.outcome.get_untracked() == BulkOutcome::Done);
        let done: Vec<&String> = done.map(|line| &line.id).collect();
        if !done.is_empty() {
            selection.update(|selection| selection.retain(|id| !done.contains(&id)));
        }
    });
    let actions = StoredValue::new(actions);
    let title = Signal::derive(move || {
        chosen
            .with(|action| action.as_ref().map(|action| action.words.to_owned()))
            .unwrap_or_default()
    });
    view! {
        <SelectionBar selection=selection>
            {children.as_ref().map(|children| children())}
            {actions.get_value().into_iter().map(|action| {
                let words = action.words;
                view! { <button data-scope="write" type="button" class="button small" on:click=move |_| chosen.set(Some(action.clone()))>{words}</button> }
            }).collect_view()}
        </SelectionBar>
        <Dialog open=open close=close title=title>
            {move || chosen.get().map(|action| inside(&action, selection, names, lines, close))}
        </Dialog>
    }
}

fn inside(
    action: &BulkAction,
    selection: Selection,
    names: RecordNames,
    lines: RwSignal<Vec<BulkItem>>,
    close: Callback<()>,
) -> AnyView {
    let session = Session::from_context();
    let live = Live::from_context();
    let toasts = Toasts::from_context();
    let (words, why, class) = (action.words, action.why, action.class);
    let (outline, arguments, read) = (action.outline, action.arguments, action.read);
    let (busy, stopped) = (RwSignal::new(false), RwSignal::new(false));
    let counts = Memo::new(move |_| {
        lines.with(|lines| OutcomeCounts::of(lines.iter().map(|line| line.outcome.get())))
    });
    let run = Callback::new(move |()| {
        if lines.with_untracked(Vec::is_empty) {
            let line = |id: String| BulkItem {
                id,
                key: random_key(),
                outcome: ArcRwSignal::new(BulkOutcome::Waiting),
            };
            lines.set(selection.get_untracked().into_iter().map(line).collect());
        }
        let all = lines.get_untracked();
        busy.set(true);
        stopped.set(false);
        spawn_local(async move {
            for line in all {
                // None: the dialog is closed.
                if stopped.try_get_untracked() != Some(false) {
                    break;
                }
                if line.outcome.get_untracked() == BulkOutcome::Done {
                    continue;
                }
                line.outcome.set(BulkOutcome::Running);
                let key = Some(line.key.clone());
                let prepared = api::prepare(outline.request("", &arguments(&line.id)));
                let prepared = api::with_header(prepared, header::IDEMPOTENCY_KEY, key);
                let outcome = match read(session, api::send(session, prepared).await) {
                    Ok(()) => BulkOutcome::Done,
                    Err(failure) => BulkOutcome::Failed(failure),
                };
                line.outcome.set(outcome);
            }
            busy.try_set(false);
            live.refresh();
        });
    });
    let is_busy = move || busy.try_get_untracked() == Some(true);
    confirm_leaving_while(is_busy);
    // Leaving the page reports the progress; after closing the dialog, the remaining selection shows it.
    on_cleanup(move || {
        let lines = lines.try_get_untracked().unwrap_or_default();
        if is_busy() && !lines.is_empty() {
            let counts = OutcomeCounts::of(lines.iter().map(|line| line.outcome.get_untracked()));
            let so_far = text::bulk_done(counts.done, counts.failed, lines.len());
            toasts.show_result(text::bulk_stopped(words, &so_far), true);
        }
        stopped.try_set(true);
    });
    let typed = action.typed;
    let number =
        Signal::derive(move || selection.with(std::collections::BTreeSet::len).to_string());
    let begun = move || lines.with(|lines| !lines.is_empty());
    let left = move || lines.with(Vec::len) > counts.get().done;
    view! {
        <p>{why}</p>
        <p role="status"><strong>{move || if begun() {
            text::bulk_done(counts.get().done, counts.get().failed, lines.with(Vec::len))
        } else {
            text::picked_of(selection.with(std::collections::BTreeSet::len))
        }}</strong></p>
        <Show when=move || !begun()>
            <ul class="timeline results" tabindex="0" aria-label=words>{move || selection.get().into_iter().map(|id| view! { <li>{names.show(&id)}</li> }).collect_view()}</ul>
        </Show>
        <Show when=begun>
            <progress max=move || lines.with(Vec::len).to_string() value=move || counts.get().ended().to_string() aria-label=words></progress>
            <ul class="timeline results" tabindex="0" aria-label=words><For each=move || lines.get() key=|line| line.id.clone() children=move |line| line_view(line, names) /></ul>
        </Show>
        <Show when=move || typed && !begun()><Typed name=number act=words busy=busy on_confirm=run cancel=close /></Show>
        <div class="row" hidden=move || typed && !begun()>
            <button type="button" class="button" on:click=move |_| close.run(())>{move || if begun() { text::close() } else { text::cancel() }}</button>
            <Show when=move || busy.get()><button type="button" class="button" on:click=move |_| stopped.set(true)>{text::stop()}</button></Show>
            <Show when=move || !typed && !begun()><button type="button" class=class on:click=move |_| run.run(())>{words}</button></Show>
            <Show when=move || begun() && !busy.get() && left()>
                <button type="button" class="button" on:click=move |_| run.run(())>{icon(Icon::Turning)}{text::bulk_again()}</button>
            </Show>
        </div>
    }
    .into_any()
}

fn line_view(line: BulkItem, names: RecordNames) -> AnyView {
    let (id, outcome) = (line.id.clone(), line.outcome);
    let shown = move || {
        match outcome.get() {
        BulkOutcome::Waiting => status_badge_as("", text::bulk_waiting().to_owned()).into_any(),
        BulkOutcome::Running => status_badge_as("Processing", text::bulk_running().to_owned()).into_any(),
        BulkOutcome::Done => status_badge_as("Confirmed", text::bulk_one_done().to_owned()).into_any(),
        // The id is needed to investigate the failure.
        BulkOutcome::Failed(failure) => view! { <CopyButton text=id.clone() what=text::record_id() />{status_badge_as("Failed", failure.title().to_owned())}<small class="quiet">{failure_text(&failure)}</small> }.into_any(),
    }
    };
    view! { <li class="row">{names.show(&line.id)}{shown}</li> }.into_any()
}
