//! A list of records: the panel with table and pager, and the drawer of the open record.

use std::collections::BTreeSet;

use leptos::prelude::*;
use settlekit_core::call::Call;
use settlekit_core::field::Nothing;
use settlekit_core::operation::{Operation, Scope};
use settlekit_core::page::{CountsBy, ListQuery, Page};
use settlekit_core::value::Param;

use crate::api;
use crate::list::columns::{ColumnChooser, ColumnLayout};
use crate::list::export::Exporter;
use crate::list::pager::Pager;
use crate::list::selection::Selection;
use crate::list::table::{Table, TableSpec};
use crate::remote::Remote;
use crate::session::Session;
use crate::shell::{Loaded, Location, load, load_failure, name};
use crate::text;
use crate::ui::{Drawer, Empty, Icon, Notice, Tone, focus, icon};

/// Beyond this number of rows, a link skips them.
const LONG: usize = 10;

/// Content of an empty list, with a first step.
#[derive(Clone, Copy)]
pub(crate) struct EmptyState {
    pub(crate) picture: Icon,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    /// Path and label of the first step.
    pub(crate) step: (&'static str, &'static str),
}

/// A list that follows the URL.
#[derive(Clone)]
pub(crate) struct List<T: Send + Sync + 'static> {
    pub(crate) page: Signal<Remote<Page<T>>>,
    /// Whether another page was asked for.
    pub(crate) busy: Signal<bool>,
    pub(crate) reload: Callback<()>,
    /// Exporter and file name.
    pub(crate) export: (Exporter, &'static str),
}

/// Loads the list of `ask`'s calls; `name` is the file name of its export.
pub(crate) fn load_list<O, T>(
    name: &'static str,
    ask: impl Fn(ListQuery) -> Option<Call<O>> + Copy + Send + Sync + 'static,
) -> List<T>
where
    O: Operation<Response = Page<T>>,
    T: PartialEq + Send + Sync + 'static,
{
    let location = Location::from_context();
    let loaded = load(move || ask(location.list()));
    List {
        page: loaded.state.into(),
        busy: loaded.busy.into(),
        reload: loaded.retry(),
        export: (Exporter::of(ask), name),
    }
}

/// As [`load_list`], with the counts of the tabs above it. An export does not ask for them.
pub(crate) fn load_counted_list<O, T>(
    name: &'static str,
    ask: impl Fn(ListQuery, Option<CountsBy>) -> Option<Call<O>> + Copy + Send + Sync + 'static,
) -> List<T>
where
    O: Operation<Response = Page<T>>,
    T: PartialEq + Send + Sync + 'static,
{
    List {
        export: (Exporter::of(move |list| ask(list, None)), name),
        ..load_list(name, move |list| ask(list, Some(CountsBy::Status)))
    }
}

/// Loads the record that the URL opens.
pub(crate) fn load_opened<O, I>(path: fn(I) -> O::Path) -> Loaded<O::Response>
where
    O: Operation<Query = Nothing, Body = Nothing>,
    O::Response: PartialEq + Send + Sync,
    I: Param + 'static,
{
    let location = Location::from_context();
    load::<O>(move || Some(api::at(path(location.param(name::OPEN)?))))
}

/// The panel of a list. Clicking a row opens its record through the URL.
#[component]
pub(crate) fn RecordList<T>(
    spec: TableSpec<T>,
    list: List<T>,
    /// Names of the filters: URL parameters.
    filters: &'static [&'static str],
    empty: EmptyState,
    /// The selected rows; without it, rows are not selectable.
    #[prop(optional)]
    selection: Option<Selection>,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let location = Location::from_context();
    let page = list.page;
    // Selection is for bulk actions, which need the scope.
    let may_write = untrack(|| Session::from_context().is_allowed(Scope::Write));
    let selection = selection.filter(|_| may_write);
    // A changed filter clears the selection.
    if let Some(selection) = selection {
        let narrowed = Memo::new(move |_| {
            let values = filters.iter().map(|name| location.get(name));
            values.collect::<Vec<_>>()
        });
        Effect::new(move |before: Option<()>| {
            narrowed.track();
            if before.is_some() {
                selection.update(BTreeSet::clear);
            }
        });
    }
    let label = spec.caption;
    let open = Callback::new(move |id: String| location.open(Some(id)));
    let rows = Signal::derive(move || page.with(|page| page.map(|page| page.items.clone())));
    let total = Signal::derive(move || page.with(|page| page.ready().map(|page| page.total)));
    let updated =
        Signal::derive(move || page.with(|page| page.ready().and_then(|page| page.last_update)));
    let shown =
        Signal::derive(move || page.with(|page| page.ready().map_or(0, |page| page.items.len())));
    let opened = Memo::new(move |_| location.get(name::OPEN));
    let titles: Vec<&'static str> = spec.columns.iter().map(|column| column.title).collect();
    let path = untrack(|| location.path());
    let layout = RwSignal::new(ColumnLayout::stored(&path, titles.len()));
    view! {
        <section class="panel" aria-label=label>
            // Each row is a tab stop.
            <Show when=move || { shown.get() > LONG }>
                <a class="skip" href="#" on:click=|event| { event.prevent_default(); focus(".page .pager :is(select, button)"); }>{text::skip_rows()}</a>
            </Show>
            <Table
                spec=spec layout=layout rows=rows busy=list.busy retry=list.reload opened=opened selection=selection
                open=open
                empty=ViewFn::from(move || empty_view(location, filters, empty))
            />
            <Pager total=total shown=shown updated=updated export=Some(list.export) tools=ViewFn::from(move || view! { <ColumnChooser titles=titles.clone() layout=layout path=path.clone() /> }) />
        </section>
    }
}

/// Content of an empty list: past the last page, no match, or no record yet.
fn empty_view(location: Location, filters: &[&str], empty: EmptyState) -> AnyView {
    if location.get(name::PAGE).is_some_and(|page| page != "1") {
        let first = move |_| {
            location.go(
                &location.with(&[(name::PAGE, None), (name::OPEN, None)]),
                true,
            )
        };
        return view! {
            <Empty picture=Icon::Search title=text::past_the_end() hint=text::past_the_end_hint()>
                <button type="button" class="button" on:click=first>{text::first_page()}</button>
            </Empty>
        }
        .into_any();
    }
    if filters.iter().any(|name| location.get(name).is_some()) {
        return view! { <Empty picture=Icon::Search title=text::no_match() hint=text::no_match_hint() /> }
            .into_any();
    }
    let (href, step) = empty.step;
    view! {
        <Empty picture=empty.picture title=empty.title hint=empty.text>
            <a data-scope="write" class="button primary" href=href>{step}</a>
        </Empty>
    }
    .into_any()
}

/// Notes that a list without pages shows only its newest records; hidden if it shows all.
pub(crate) fn newest_note<T: Send + Sync + 'static>(loaded: Loaded<Page<T>>) -> impl IntoView {
    let more = Memo::new(move |_| {
        let (shown, total) = loaded.read(|page| (page.items.len(), page.total))?;
        ((shown as u64) < total).then_some((shown, total))
    });
    move || {
        let (shown, total) = more.get()?;
        Some(view! { <p class="panel-body quiet">{text::money::newest_of(shown, total)}</p> })
    }
}

/// Drawer of the record in the URL.
#[component]
pub(crate) fn RecordDrawer(
    #[prop(into)] title: Signal<String>,
    children: ChildrenFn,
) -> impl IntoView {
    let location = Location::from_context();
    let open = Signal::derive(move || location.get(name::OPEN).is_some());
    let close = Callback::new(move |()| location.open(None));
    view! { <Drawer open=open close=close title=title children=children /> }
}

/// Drawer for a new record, opened through the URL.
#[component]
pub(crate) fn NewRecordDrawer(title: &'static str, children: ChildrenFn) -> impl IntoView {
    let location = Location::from_context();
    let open = Signal::derive(move || location.get(name::NEW).is_some());
    let close = Callback::new(move |()| location.close_new());
    view! { <Drawer open=open close=close title=title children=children /> }
}

/// Says in the drawer that its record was just created.
#[component]
pub(crate) fn CreatedNotice(title: &'static str, why: &'static str) -> impl IntoView {
    let location = Location::from_context();
    view! { <Show when=move || location.get(name::MADE).is_some()><Notice tone=Tone::Good title=title>{why}</Notice></Show> }
}

#[component]
pub(crate) fn RecordDetails<T>(loaded: Loaded<T>, show: fn(&T) -> AnyView) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let state = loaded.state;
    let loading = Memo::new(move |_| state.with(Remote::is_loading));
    let ready = loaded.ready();
    view! {
        {load_failure(loaded)}
        <Show when=move || loading.get()><RecordSkeleton /></Show>
        {move || ready.with(|record| record.as_ref().map(show))}
    }
}

/// Actions of the open record, rebuilt for another record, so that no dialog or error is carried over.
pub(crate) fn actions_of<T, I>(
    loaded: Loaded<T>,
    id: fn(&T) -> I,
    acts: impl Fn(I) -> AnyView + Send + 'static,
) -> AnyView
where
    T: Send + Sync + 'static,
    I: Clone + PartialEq + Send + Sync + 'static,
{
    let of = Memo::new(move |_| loaded.read(id));
    (move || of.get().map(&acts)).into_any()
}

#[component]
pub(crate) fn RecordSkeleton() -> impl IntoView {
    view! {
        <div class="stack" aria-busy="true">
            <span class="bone b3 tall"></span>
            {(0..6).map(|_| view! { <span class="bone b4"></span> }).collect_view()}
        </div>
    }
}

/// The record as first loaded: updates do not overwrite the user's input.
pub(crate) fn opened_record<T>(loaded: Loaded<T>, id: fn(&T) -> String) -> Memo<Option<T>>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |before: Option<&Option<T>>| {
        let now = loaded.state.with(|state| state.ready().cloned());
        match (before.and_then(Option::as_ref), &now) {
            (Some(before), Some(now)) if id(before) == id(now) => Some(before.clone()),
            _ => now,
        }
    })
}

pub(crate) fn link_row(links: Vec<(String, Icon, &'static str)>) -> AnyView {
    let links = links
        .into_iter()
        .map(|(href, picture, words)| view! { <a class="button" href=href>{icon(picture)}{words}</a> })
        .collect_view();
    view! { <div class="row">{links}</div> }.into_any()
}

pub(crate) fn link_to(href: String, picture: Icon, words: &'static str) -> AnyView {
    link_row(vec![(href, picture, words)])
}
