//! Tables of records with keyboard navigation. Rows keep their elements while records change.

use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::call_failure::CallFailure;
use crate::list::column_widths::release;
use crate::list::columns::ColumnLayout;
use crate::list::rows::{Row, Rows};
use crate::list::selection::Selection;
use crate::remote::Remote;
use crate::shell::Failed;
use crate::text;
use crate::ui::{Alignment, Id, element, optional_timestamp, table_amount};
use settlekit_core::value::{Amount, Timestamp};

pub(crate) struct ExactAmount<'a> {
    pub(crate) amount: Amount,
    /// Currency shown beside the amount, unless empty.
    pub(crate) currency: &'a str,
    /// Whether it is outgoing; none hides the sign.
    pub(crate) out: Option<bool>,
}

/// An amount without a sign.
pub(crate) fn exact(amount: impl Into<Amount>, currency: &str) -> Option<ExactAmount<'_>> {
    Some(ExactAmount {
        amount: amount.into(),
        currency,
        out: None,
    })
}

/// A pointer, so that the first page does not load the views of other lists.
type TextView = fn(&'static str, Option<String>) -> AnyView;

enum Cell<T> {
    Any(fn(&T) -> AnyView),
    /// A text, and its view by the column's title.
    Text(fn(&T) -> Option<String>, TextView),
    /// A time, or the word for never.
    Time(fn(&T) -> Option<Timestamp>),
    /// An amount, aligned on the decimal point; optionally a view for records without one.
    Exact(fn(&T) -> Option<ExactAmount<'_>>, Option<fn(&T) -> AnyView>),
}

/// A column: heading, classes, and cell of a record.
///
/// Classes are `end`, `fit`, `grow`, and for narrow screens `second` (below the first line) and `skip-narrow`.
pub(crate) struct Column<T> {
    pub(crate) title: &'static str,
    class: &'static str,
    cell: Cell<T>,
}

impl<T> Column<T> {
    const fn of(title: &'static str, class: &'static str, cell: Cell<T>) -> Self {
        Self { title, class, cell }
    }

    /// A column with any content.
    pub(crate) const fn new(
        title: &'static str,
        class: &'static str,
        cell: fn(&T) -> AnyView,
    ) -> Self {
        Self::of(title, class, Cell::Any(cell))
    }

    pub(crate) const fn text(
        title: &'static str,
        class: &'static str,
        text: fn(&T) -> Option<String>,
    ) -> Self {
        Self::of(title, class, Cell::Text(text, |_, text| text.into_any()))
    }

    /// A shortened id, named by the title.
    pub(crate) const fn id(
        title: &'static str,
        class: &'static str,
        id: fn(&T) -> Option<String>,
    ) -> Self {
        Self::of(title, class, Cell::Text(id, short_id))
    }

    pub(crate) const fn time(
        title: &'static str,
        class: &'static str,
        time: fn(&T) -> Option<Timestamp>,
    ) -> Self {
        Self::of(title, class, Cell::Time(time))
    }

    pub(crate) const fn exact(
        title: &'static str,
        class: &'static str,
        exact: fn(&T) -> Option<ExactAmount<'_>>,
    ) -> Self {
        Self::of(title, class, Cell::Exact(exact, None))
    }

    /// View for records without a single amount.
    pub(crate) fn or(mut self, show: fn(&T) -> AnyView) -> Self {
        if let Cell::Exact(_, other) = &mut self.cell {
            *other = Some(show);
        }
        self
    }

    pub(super) fn head(&self) -> Head {
        (self.title, self.class)
    }

    pub(super) fn show(&self, item: &T) -> AnyView {
        match self.cell {
            Cell::Any(show) => show(item),
            Cell::Text(text, view) => view(self.title, text(item)),
            Cell::Time(time) => optional_timestamp(time(item)),
            Cell::Exact(exact, other) => match (exact(item), other) {
                (None, Some(show)) => show(item),
                (exact, _) => exact
                    .map(|exact| table_amount(&exact.amount, exact.currency, exact.out))
                    .into_any(),
            },
        }
    }

    /// The alignment of a column of amounts, at least as wide as before.
    pub(super) fn alignment(&self, items: &[T], mut alignment: Alignment) -> Option<Alignment> {
        let Cell::Exact(exact, _) = self.cell else {
            return None;
        };
        items
            .iter()
            .filter_map(exact)
            .for_each(|exact| alignment.include(exact.amount, exact.currency));
        Some(alignment)
    }
}

fn short_id(title: &'static str, id: Option<String>) -> AnyView {
    id.map(|id| view! { <Id id=id what=title /> }).into_any()
}

/// Columns and identity of listed records.
pub(crate) struct TableSpec<T: 'static> {
    pub(crate) caption: &'static str,
    pub(crate) columns: Vec<Column<T>>,
    pub(crate) id: fn(&T) -> String,
}

fn skeleton(columns: usize) -> impl IntoView {
    const WIDTHS: [&str; 4] = ["bone b3", "bone b2", "bone b1", "bone b2"];
    (0..8)
        .map(|_| view! { <tr>{(0..columns).map(|at| view! { <td><span class=WIDTHS[at % 4]></span></td> }).collect_view()}</tr> })
        .collect_view()
}

/// State of a list, without the record type.
#[derive(Debug, Clone, PartialEq)]
enum TableState {
    Loading,
    Failed(CallFailure),
    /// Ids of its records, in order.
    Ready(Vec<String>),
}

impl TableState {
    const fn keys(&self) -> Option<&Vec<String>> {
        match self {
            Self::Ready(keys) => Some(keys),
            _ => None,
        }
    }
}

/// Cells of a row, updated with its record.
type Cells = Arc<dyn Fn(Row) -> AnyView + Send + Sync>;

/// Table of a list, with distinct loading, empty and failed states.
#[component]
pub(crate) fn Table<T>(
    spec: TableSpec<T>,
    #[prop(into)] rows: Signal<Remote<Vec<T>>>,
    /// Whether another request is in progress.
    #[prop(into)]
    busy: Signal<bool>,
    retry: Callback<()>,
    /// Opens a record; without it, rows are not clickable.
    #[prop(optional)]
    open: Option<Callback<String>>,
    /// Id of the open record.
    #[prop(optional, into)]
    opened: Signal<Option<String>>,
    /// Selected rows; without it, rows are not selectable.
    #[prop(optional_no_strip)]
    selection: Option<Selection>,
    /// Visible columns and density; default: all columns.
    #[prop(optional)]
    layout: Option<RwSignal<ColumnLayout>>,
    empty: ViewFn,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let heads: Vec<Head> = spec.columns.iter().map(Column::head).collect();
    let (caption, id) = (spec.caption, spec.id);
    let layout = layout.map_or_else(
        || Signal::stored(ColumnLayout::of(heads.len())),
        Signal::from,
    );
    let order = Memo::new(move |_| layout.with(ColumnLayout::shown));
    let spec = StoredValue::new(spec);
    // Stored once for all rows.
    let rows = Memo::new(move |_| rows.get());
    let sight = Memo::new(move |_| {
        rows.with(|rows| match rows {
            Remote::Loading => TableState::Loading,
            Remote::Failed(failure) => TableState::Failed(failure.clone()),
            Remote::Ready(items) => TableState::Ready(items.iter().map(id).collect()),
        })
    });
    // Alignment of each column of amounts. It never shrinks: a change lays out all rows in one task, which keys wait for.
    let alignments = Memo::new(move |before: Option<&Vec<Option<Alignment>>>| {
        let before = before.cloned().unwrap_or_default();
        let of = |items: &Vec<T>| -> Vec<Option<Alignment>> {
            let widened = |(at, column): (usize, &Column<T>)| {
                let before = before.get(at).copied().flatten();
                column.alignment(items, before.unwrap_or_default())
            };
            spec.with_value(|spec| spec.columns.iter().enumerate().map(widened).collect())
        };
        rows.with(|rows| rows.ready().map(of)).unwrap_or(before)
    });
    let cells: Cells = Arc::new(move |row| {
        let item = Memo::new(move |before: Option<&Option<T>>| {
            // Uses the known ids: formatting them for every row would be slow.
            let at = row.with_key(|key| {
                sight.with(|sight| sight.keys()?.iter().position(|known| known == key))
            });
            match at {
                Some(at) => rows.with(|rows| rows.ready()?.get(at).cloned()),
                // The row keeps its previous record until it is drawn.
                None => before?.clone(),
            }
        });
        let shown = move || -> Vec<(usize, Head, AnyView)> {
            let Some(item) = item.get() else {
                return Vec::new();
            };
            let order = order.get();
            spec.with_value(|spec| {
                let column = |at: usize| {
                    let column = spec.columns.get(at)?;
                    Some((at, column.head(), column.show(&item)))
                };
                order.into_iter().filter_map(column).collect()
            })
        };
        cells_view(Box::new(shown))
    });
    frame(Frame {
        caption,
        heads,
        order,
        compact: Memo::new(move |_| layout.with(|layout| layout.compact)),
        sight,
        alignments,
        cells,
        busy,
        retry,
        open,
        opened,
        selection,
        empty,
    })
}

/// Title and classes.
pub(super) type Head = (&'static str, &'static str);

/// Current cells of a row with their column indexes.
type CellViews = Box<dyn Fn() -> Vec<(usize, Head, AnyView)> + Send>;

fn cells_view(shown: CellViews) -> AnyView {
    (move || {
        shown()
            .into_iter()
            .map(|(at, (title, class), shown)| {
                element("td", class)
                    .attr("data-column", at.to_string())
                    .attr("data-label", title)
                    .view(shown)
            })
            .collect::<Vec<_>>()
    })
    .into_any()
}

/// The parts of a table that do not depend on the record type, compiled once.
struct Frame {
    caption: &'static str,
    heads: Vec<Head>,
    order: Memo<Vec<usize>>,
    compact: Memo<bool>,
    sight: Memo<TableState>,
    alignments: Memo<Vec<Option<Alignment>>>,
    cells: Cells,
    busy: Signal<bool>,
    retry: Callback<()>,
    open: Option<Callback<String>>,
    opened: Signal<Option<String>>,
    selection: Option<Selection>,
    empty: ViewFn,
}

/// Aligns the columns of amounts.
pub(super) fn align(table: &web_sys::HtmlTableElement, alignments: &[Option<Alignment>]) {
    let style = table.unchecked_ref::<web_sys::HtmlElement>().style();
    for (index, alignment) in alignments.iter().enumerate() {
        for (name, value) in alignment.iter().copied().flat_map(Alignment::properties) {
            // Setting a custom property cannot fail.
            let _ = style.set_property(&format!("{name}-{index}"), &value);
        }
    }
}

fn frame(frame: Frame) -> AnyView {
    let element = NodeRef::<html::Table>::new();
    let failure = Memo::new(move |_| {
        frame.sight.with(|sight| match sight {
            TableState::Failed(failure) => Some(failure.clone()),
            _ => None,
        })
    });
    let keys = Memo::new(move |_| frame.sight.with(|sight| sight.keys().cloned()));
    let none = Memo::new(move |_| keys.with(|keys| keys.as_ref().is_some_and(Vec::is_empty)));
    // An empty list says nothing about the page or filter that is being loaded.
    let bare = Memo::new(move |_| none.get() && !frame.busy.get());
    let loading = Memo::new(move |_| {
        let first = frame.sight.with(|sight| *sight == TableState::Loading);
        first || none.get() && frame.busy.get()
    });
    // Kept when an update removes the open record from the list, so that `[` and `]` continue from there.
    let open_row = Memo::new(move |before: Option<&Option<usize>>| {
        let id = frame.opened.get()?;
        let row = keys.with(|keys| keys.as_ref()?.iter().position(|key| *key == id));
        row.or(before.copied().flatten())
    });
    let rows = Rows::of(keys.into(), frame.busy, element);
    Effect::new(move |before: Option<()>| {
        frame.order.track();
        if let (Some(()), Some(table)) = (before, element.get_untracked()) {
            release(&table);
        }
    });

    Effect::new(move |_| {
        if let Some(table) = element.get() {
            frame
                .alignments
                .with(|alignments| align(&table, alignments));
        }
    });

    let columns = move || frame.order.with(Vec::len) + usize::from(frame.selection.is_some());
    let whole = frame.selection.map(|selection| {
        let all = move || keys.with(|keys| {
            let keys = keys.as_ref().filter(|keys| !keys.is_empty());
            keys.is_some_and(|keys| selection.with(|selection| keys.iter().all(|key| selection.contains(key))))
        });
        let change = move |event| {
            let on = event_target_checked(&event);
            selection.update(|selection| keys.with_untracked(|keys| for key in keys.iter().flatten() {
                if on { selection.insert(key.clone()); } else { selection.remove(key); }
            }));
        };
        view! { <th scope="col" class="pick"><input type="checkbox" aria-label=text::pick_all() prop:checked=all on:change=change /></th> }
    });
    let heads = move || {
        frame
            .order
            .get()
            .into_iter()
            .filter_map(|at| Some((at, frame.heads.get(at).copied()?)))
            .map(|(at, (title, class))| view! { <th scope="col" class=class data-column=at.to_string()>{title}</th> })
            .collect_view()
    };
    let table = view! {
        <table class="table cards" class:compact=frame.compact data-open-row=move || open_row.get() node_ref=element>
            <caption class="hidden-text">{frame.caption}</caption>
            <thead><tr>{whole}{heads}</tr></thead>
            <tbody>
                <Show when=move || loading.get()>{move || skeleton(columns()).into_any()}</Show>
                {rows.view(move |row| (frame.cells)(row), frame.open, frame.opened, frame.selection)}
            </tbody>
        </table>
    };
    view! {
        {move || failure.get().map(|failure| view! { <div class="panel-body"><Failed failure=failure retry=Some(frame.retry) /></div> })}
        {move || bare.get().then(|| frame.empty.run())}
        // If rows are not focusable, the box is, so that a wide table can be scrolled by keyboard.
        <div
            class="table-box" aria-busy=move || (loading.get() || frame.busy.get() || rows.is_drawing.get()).to_string()
            hidden=move || bare.get() || failure.with(Option::is_some)
            tabindex=frame.open.is_none().then_some("0") role=frame.open.is_none().then_some("group") aria-label=frame.open.is_none().then_some(frame.caption)
        >
            {table}
        </div>
    }
    .into_any()
}
