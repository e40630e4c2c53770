//! Rows of a table. A row keeps its elements while its record changes: refilling is much cheaper than building. Long lists are
//! drawn a few rows per frame, so that input stays responsive.
//!
//! Keeps INP within 200 ms while 100 rows render at a quarter of the processor's speed (`docs/benchmarks.md`).

use std::collections::{HashSet, VecDeque};

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::list::column_widths::fix_widths;
use crate::list::selection::{Selection, toggle};
use crate::shell::single_keys_off;
use crate::text;
use crate::ui::{after_idle_paint, target_of};

/// Rows drawn per frame. Every step lays out the whole table, so fewer rows delay the last one: at a quarter of the processor's speed
/// the last of 100 is drawn after 1066 ms with 8 rows per step, and after 2421 ms with 3.
const ROWS_AT_ONCE: usize = 5;

/// Rows drawn per frame in a list of at most [`SHORT_ROWS`], where a key may wait half as long: 100 ms.
const SHORT_ROWS_AT_ONCE: usize = 3;
const SHORT_ROWS: usize = 25;

#[derive(Debug, Clone, PartialEq)]
struct RowContent {
    /// Id of its record.
    key: String,
    /// Whether the record is new in this list.
    fresh: bool,
}

#[derive(Clone)]
pub(crate) struct Row {
    number: usize,
    shown: ArcRwSignal<RowContent>,
}

impl Row {
    pub(crate) fn with_key<U>(&self, read: impl FnOnce(&str) -> U) -> U {
        self.shown.with(|shown| read(&shown.key))
    }

    fn key_now(&self) -> String {
        self.shown.with_untracked(|shown| shown.key.clone())
    }
}

/// The rows of a list, drawn and pending.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    /// Drawn rows, in order.
    drawn: RwSignal<Vec<Row>>,
    /// Whether rows are pending.
    pub(crate) is_drawing: RwSignal<bool>,
    queue: StoredValue<DrawQueue>,
    table: NodeRef<html::Table>,
}

/// Target state of the rows.
#[derive(Default)]
struct DrawQueue {
    /// All rows in order, with their content and whether they are drawn.
    rows: Vec<(Row, RowContent, bool)>,
    /// Indexes of the pending rows, in drawing order.
    due: VecDeque<usize>,
    made: usize,
    /// Generation of the list, to ignore work scheduled for an earlier one.
    turn: usize,
}

impl DrawQueue {
    fn row(&mut self, shown: RowContent) -> Row {
        self.made += 1;
        Row {
            number: self.made,
            shown: ArcRwSignal::new(shown),
        }
    }

    /// Takes the records of the list. With a scroll fraction, of a different request: all rows are reused, starting with the
    /// first visible one. Otherwise each record keeps its row.
    fn take(&mut self, keys: Vec<String>, fresh: &HashSet<String>, scroll_fraction: Option<f64>) {
        let mut before: VecDeque<(Row, RowContent, bool)> = std::mem::take(&mut self.rows)
            .into_iter()
            .filter(|(.., is_drawn)| *is_drawn)
            .collect();
        let there = before.len();
        for key in keys {
            let shown = RowContent {
                fresh: fresh.contains(&key),
                key,
            };
            let known = if scroll_fraction.is_some() {
                before.pop_front()
            } else {
                let at = before.iter().position(|(row, ..)| {
                    row.shown.with_untracked(|before| before.key == shown.key)
                });
                at.and_then(|at| before.remove(at))
            };
            let entry = match known {
                // Keep its highlight.
                Some((row, ..)) if scroll_fraction.is_none() => {
                    let now = row.shown.get_untracked();
                    (row, now, true)
                }
                Some((row, ..)) => (row, shown, true),
                None => (self.row(shown.clone()), shown, false),
            };
            self.rows.push(entry);
        }
        let first = (scroll_fraction.unwrap_or_default() * there as f64) as usize;
        let all = self.rows.len();
        let first = if first < all { first } else { 0 };
        let rows = &self.rows;
        self.due = (first..all)
            .chain(0..first)
            .filter(|at| {
                let (row, shown, is_drawn) = &rows[*at];
                !is_drawn || row.shown.with_untracked(|now| now != shown)
            })
            .collect();
        self.turn += 1;
    }

    fn step(&self) -> usize {
        match self.rows.len() <= SHORT_ROWS {
            true => SHORT_ROWS_AT_ONCE,
            false => ROWS_AT_ONCE,
        }
    }

    fn next(&mut self, count: usize) -> Vec<(Row, RowContent)> {
        let count = count.min(self.due.len());
        let due: Vec<usize> = self.due.drain(..count).collect();
        let take = due.into_iter().filter_map(|at| {
            let (row, shown, is_drawn) = self.rows.get_mut(at)?;
            *is_drawn = true;
            Some((row.clone(), shown.clone()))
        });
        take.collect()
    }
}

impl Rows {
    /// Rows of a list, from the ids of its records and whether another request is in progress.
    pub(crate) fn of(
        keys: Signal<Option<Vec<String>>>,
        busy: Signal<bool>,
        table: NodeRef<html::Table>,
    ) -> Self {
        let rows = Self {
            drawn: RwSignal::new(Vec::new()),
            is_drawing: RwSignal::new(false),
            queue: StoredValue::new(DrawQueue::default()),
            table,
        };
        let seen: StoredValue<Option<HashSet<String>>> = StoredValue::new(None);
        Effect::new(move |before: Option<(bool, Option<Vec<String>>)>| {
            let (is_busy, now) = (busy.get(), keys.get());
            let (asked, last) = before.unwrap_or_default();
            if now == last {
                return (is_busy, now);
            }
            // Records of another page or filter are not new.
            let mut fresh = HashSet::new();
            if let Some(now) = &now {
                let now: HashSet<String> = now.iter().cloned().collect();
                let last = seen.try_update_value(|seen| seen.replace(now.clone()));
                if let Some(last) = last.flatten().filter(|_| !asked) {
                    fresh = now.difference(&last).cloned().collect();
                }
            }
            let scroll_fraction = asked.then(|| rows.scroll_fraction());
            let keys = now.clone().unwrap_or_default();
            rows.queue
                .update_value(|queue| queue.take(keys, &fresh, scroll_fraction));
            rows.draw(rows.queue.with_value(DrawQueue::step));
            (is_busy, now)
        });
        // Draw everything before printing.
        let print = window_event_listener_untyped("beforeprint", move |_| rows.draw(usize::MAX));
        on_cleanup(move || print.remove());
        rows
    }

    /// Fraction of the table, from 0 to 1, above the visible area.
    fn scroll_fraction(self) -> f64 {
        let table = self.table.get_untracked();
        table.map_or(0.0, |table| {
            let bounds = table.get_bounding_client_rect();
            (-bounds.top() / bounds.height()).clamp(0.0, 1.0)
        })
    }

    /// Draws `count` rows now and the others in the following frames.
    fn draw(self, count: usize) {
        // The page may be gone.
        let Some((next, turn)) = self
            .queue
            .try_update_value(|queue| (queue.next(count), queue.turn))
        else {
            return;
        };
        for (row, shown) in next {
            if row.shown.with_untracked(|now| *now != shown) {
                row.shown.set(shown);
            }
        }
        let (rows, more) = self.queue.with_value(|queue| {
            let drawn = queue.rows.iter().filter(|(.., is_drawn)| *is_drawn);
            let drawn: Vec<Row> = drawn.map(|(row, ..)| row.clone()).collect();
            (drawn, !queue.due.is_empty())
        });
        let same = self.drawn.with_untracked(|drawn| {
            let numbers = drawn.iter().map(|row| row.number);
            numbers.eq(rows.iter().map(|row| row.number))
        });
        if !same {
            self.drawn.set(rows);
        }
        if self.is_drawing.get_untracked() != more {
            self.is_drawing.set(more);
        }
        after_idle_paint(move || {
            if self.queue.try_with_value(|queue| queue.turn) != Some(turn) {
                return;
            }
            // After painting, measuring forces no layout.
            if let Some(table) = self.table.get_untracked() {
                fix_widths(&table);
            }
            if let Some(step) = more.then(|| self.queue.with_value(DrawQueue::step)) {
                self.draw(step);
            }
        });
    }

    /// Rows as a view, from a function that builds their cells.
    pub(crate) fn view(
        self,
        cells: impl Fn(Row) -> AnyView + Clone + Send + 'static,
        open: Option<Callback<String>>,
        opened: Signal<Option<String>>,
        selection: Option<Selection>,
    ) -> AnyView {
        let row = move |row: Row| {
            let pick = selection.map(|selection| pick(selection, row.clone()));
            let cells = (pick, cells(row.clone())).into_any();
            row_view(row, cells, open, opened, selection)
        };
        view! { <For each=move || self.drawn.get() key=|row| row.number children=row /> }.into_any()
    }
}

fn row_view(
    row: Row,
    cells: AnyView,
    open: Option<Callback<String>>,
    opened: Signal<Option<String>>,
    selection: Option<Selection>,
) -> AnyView {
    let shown = row.shown.clone();
    let fresh = move || shown.with(|shown| shown.fresh);
    let Some(open) = open else {
        return view! { <tr class:fresh=fresh>{cells}</tr> }.into_any();
    };
    let (mine, pressed) = (row.clone(), row.clone());
    let is_open = move || {
        let is_open = opened.with(|opened| mine.with_key(|key| opened.as_deref() == Some(key)));
        is_open.then_some("true")
    };
    let keydown = move |event: web_sys::KeyboardEvent| {
        let on_row = event.target() == event.current_target();
        if let Some(selection) =
            selection.filter(|_| on_row && event.key() == "x" && !single_keys_off())
        {
            event.prevent_default();
            toggle(selection, &row.key_now());
        } else {
            walk(&event);
        }
    };
    let click = move |event: web_sys::MouseEvent| {
        let own = target_of(&event).is_some_and(|element| {
            matches!(element.closest("a, button, input, label"), Ok(Some(_)))
        });
        if !own {
            open.run(pressed.key_now());
        }
    };
    view! {
        <tr tabindex="0" class:fresh=fresh aria-selected=is_open on:keydown=keydown on:click=click>{cells}</tr>
    }
    .into_any()
}

/// Selection checkbox of a row.
fn pick(selection: Selection, row: Row) -> AnyView {
    let mine = row.clone();
    view! {
        <td class="pick">
            <input
                type="checkbox" aria-label=text::pick()
                prop:checked=move || selection.with(|selection| mine.with_key(|key| selection.contains(key)))
                on:change=move |_| toggle(selection, &row.key_now())
            />
        </td>
    }
    .into_any()
}

/// Moves the focus to the previous or next row on arrow keys, j and k.
fn walk(event: &web_sys::KeyboardEvent) {
    let Some(row) = event
        .current_target()
        .and_then(|target| target.dyn_into::<web_sys::HtmlElement>().ok())
    else {
        return;
    };
    // Keys inside a button or link belong to that element.
    if event.target() != event.current_target() {
        return;
    }
    let next = match event.key().as_str() {
        "ArrowDown" | "j" => row.next_element_sibling(),
        "ArrowUp" | "k" => row.previous_element_sibling(),
        "Enter" | " " => {
            event.prevent_default();
            row.click();
            return;
        }
        _ => return,
    };
    event.prevent_default();
    if let Some(next) = next.and_then(|next| next.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Fails only for an unfocusable element.
        let _ = next.focus();
    }
}
