//! Columns of a list: visibility, order and row density. Stored in this browser per list; shared state is in the URL.

use leptos::prelude::*;
use leptos::task::{spawn_local, tick};
use serde_json::{Value, json};

use crate::local_storage;
use crate::text;
use crate::ui::{Dialog, Icon, focus, icon};

/// Local storage key of the layouts, by page.
const KEY: &str = "settlekit.tables";

/// The user's layout of a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ColumnLayout {
    /// Indexes of all columns in the user's order, and whether each is shown.
    columns: Vec<(usize, bool)>,
    pub(crate) compact: bool,
}

impl ColumnLayout {
    /// The default layout.
    pub(crate) fn of(count: usize) -> Self {
        Self {
            columns: (0..count).map(|column| (column, true)).collect(),
            compact: false,
        }
    }

    /// The user's stored layout of a page, if it fits the columns.
    pub(crate) fn stored(path: &str, count: usize) -> Self {
        let all = local_storage::object(KEY);
        all.get(path)
            .and_then(|value| Self::read(value, count))
            .unwrap_or_else(|| Self::of(count))
    }

    fn read(value: &Value, count: usize) -> Option<Self> {
        let columns = value.get("columns")?.as_array()?.iter().map(|column| {
            let at = usize::try_from(column.get("at")?.as_u64()?).ok()?;
            Some((at, column.get("shown")?.as_bool()?))
        });
        let columns = columns.collect::<Option<Vec<_>>>()?;
        // Ignore a layout stored for other columns.
        let mut places: Vec<usize> = columns.iter().map(|(at, _)| *at).collect();
        places.sort_unstable();
        let whole = places.into_iter().eq(0..count) && columns.iter().any(|(_, shown)| *shown);
        whole.then_some(Self {
            columns,
            compact: value.get("compact")?.as_bool()?,
        })
    }

    fn store(&self, path: &str) {
        let columns = self
            .columns
            .iter()
            .map(|(at, shown)| json!({ "at": at, "shown": shown }));
        let mut all = local_storage::object(KEY);
        if *self == Self::of(self.columns.len()) {
            all.remove(path);
        } else {
            let columns: Value = columns.collect();
            all.insert(
                path.to_owned(),
                json!({ "columns": columns, "compact": self.compact }),
            );
        }
        local_storage::set(KEY, &Value::Object(all).to_string());
    }

    /// Indexes of the visible columns.
    pub(crate) fn shown(&self) -> Vec<usize> {
        let shown = self.columns.iter().filter(|(_, shown)| *shown);
        shown.map(|(column, _)| *column).collect()
    }

    fn is_shown(&self, column: usize) -> bool {
        self.columns.contains(&(column, true))
    }

    /// Whether this is the only visible column, which can't be hidden.
    fn is_last(&self, column: usize) -> bool {
        self.shown() == [column]
    }

    fn position_of(&self, column: usize) -> usize {
        let mut columns = self.columns.iter();
        columns.position(|(at, _)| *at == column).unwrap_or(0)
    }

    /// Moves a column to the place of another.
    fn put(&mut self, column: usize, place: usize) {
        let (from, last) = (
            self.position_of(column),
            self.columns.len().saturating_sub(1),
        );
        let moved = self.columns.remove(from);
        self.columns.insert(place.min(last), moved);
    }

    fn toggle(&mut self, column: usize) {
        let place = self.position_of(column);
        if let Some((_, shown)) = self.columns.get_mut(place) {
            *shown = !*shown;
        }
    }
}

/// Button and dialog for the columns of the list at `path`.
#[component]
pub(crate) fn ColumnChooser(
    titles: Vec<&'static str>,
    layout: RwSignal<ColumnLayout>,
    path: String,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let close = Callback::new(move |()| open.set(false));
    let set = Callback::new(move |newer: ColumnLayout| {
        newer.store(&path);
        layout.set(newer);
    });
    view! {
        <button type="button" class="button small" on:click=move |_| open.set(true)>{icon(Icon::Columns)}{text::columns()}</button>
        <Dialog open=open close=close title=text::columns_title()>{inside(titles.clone(), layout, set, close)}</Dialog>
    }
}

fn inside(
    titles: Vec<&'static str>,
    layout: RwSignal<ColumnLayout>,
    set: Callback<ColumnLayout>,
    close: Callback<()>,
) -> AnyView {
    let count = titles.len();
    // Announcement of a moved column for screen readers, and the column being dragged.
    let told = RwSignal::new(String::new());
    let dragged = StoredValue::new(None::<usize>);
    let change = move |change: &dyn Fn(&mut ColumnLayout)| {
        let mut newer = layout.get_untracked();
        change(&mut newer);
        set.run(newer);
    };
    let order = Memo::new(move |_| {
        layout.with(|layout| layout.columns.iter().map(|(at, _)| *at).collect::<Vec<_>>())
    });
    let row = move |column: usize| {
        let title = titles.get(column).copied().unwrap_or_default();
        let place = move || layout.with(|layout| layout.position_of(column));
        let put = move |to: usize| {
            change(&|layout| layout.put(column, to));
            told.set(text::column_place(title, untrack(place) + 1, count));
        };
        let step = move |up: bool| {
            let from = untrack(place);
            put(if up { from.saturating_sub(1) } else { from + 1 });
            // A moved row loses the focus. Restore it right after the move, not in the next frame: a held key repeats faster
            // than frames.
            spawn_local(async move {
                tick().await;
                // At the end of the list this button is disabled: focus the other one.
                let button = |up| format!("#{}:not(:disabled)", step_id(column, up));
                let _ = focus(&button(up)) || focus(&button(!up));
            });
        };
        view! {
            <li
                class="order-row" draggable="true"
                on:dragstart=move |_| dragged.set_value(Some(column))
                on:dragover=move |event| event.prevent_default()
                on:drop=move |event| {
                    event.prevent_default();
                    let moved = dragged.try_update_value(Option::take).flatten();
                    if let Some(moved) = moved.filter(|moved| *moved != column) {
                        let to = untrack(place);
                        change(&|layout| layout.put(moved, to));
                    }
                }
            >
                <label class="check">
                    <input
                        type="checkbox"
                        prop:checked=move || layout.with(|layout| layout.is_shown(column))
                        disabled=move || layout.with(|layout| layout.is_last(column))
                        on:change=move |_| change(&|layout| layout.toggle(column))
                    />
                    <span>{title}</span>
                </label>
                <button type="button" class="copy" id=step_id(column, true) aria-label=text::column_up_of(title) title=text::column_up_of(title) disabled=move || place() == 0 on:click=move |_| step(true)>{icon(Icon::Up)}</button>
                <button type="button" class="copy" id=step_id(column, false) aria-label=text::column_down_of(title) title=text::column_down_of(title) disabled=move || place() + 1 == count on:click=move |_| step(false)>{icon(Icon::Down)}</button>
            </li>
        }
    };
    let densities = [(false, text::comfortable()), (true, text::compact())];
    view! {
        <p>{text::columns_why()}</p>
        <ul class="order"><For each=move || order.get() key=|column| *column children=row /></ul>
        <p class="hidden-text" role="status">{told}</p>
        <div class="field">
            <span class="label">{text::density()}</span>
            <div class="segments" role="group" aria-label=text::density()>
                {densities.map(|(compact, words)| view! {
                    <button type="button" aria-pressed=move || layout.with(|layout| layout.compact == compact).to_string() on:click=move |_| change(&|layout| layout.compact = compact)>{words}</button>
                })}
            </div>
        </div>
        <div class="row">
            <button type="button" class="button plain" on:click=move |_| set.run(ColumnLayout::of(count))>{text::columns_reset()}</button>
            <button type="button" class="button" on:click=move |_| close.run(())>{text::close()}</button>
        </div>
    }
    .into_any()
}

fn step_id(column: usize, up: bool) -> String {
    format!("column-{column}-{}", if up { "up" } else { "down" })
}
