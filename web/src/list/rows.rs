//! The rows of a table. A row keeps its elements while one record after another is shown in it: to fill it anew costs a
//! part of making another. And what would take long is drawn in pieces, with a picture after each, so that nobody who
//! presses something waits for the last row of a long list.

use std::collections::{HashSet, VecDeque};

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::list::column_widths::hold;
use crate::list::selection::{Selection, toggle};
use crate::shell::shortcuts::single_keys_off;
use crate::text;
use crate::ui::paint::after_idle_paint;

/// Rows that are drawn at once. Each piece costs a picture besides, so that smaller ones have the last row come later.
const ROWS_AT_ONCE: usize = 3;

/// What a row shows.
#[derive(Debug, Clone, PartialEq)]
struct Shown {
    /// The id of its record.
    key: String,
    /// Whether the record was not there when the same list was last shown.
    fresh: bool,
}

/// One row in the page.
#[derive(Clone)]
pub(crate) struct Row {
    number: usize,
    shown: ArcRwSignal<Shown>,
}

impl Row {
    /// Reads the id of its record.
    pub(crate) fn with_key<U>(&self, read: impl FnOnce(&str) -> U) -> U {
        self.shown.with(|shown| read(&shown.key))
    }

    fn key_now(&self) -> String {
        self.shown.with_untracked(|shown| shown.key.clone())
    }
}

/// The rows of a list, and what has not been drawn of it yet.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    /// Those in the page, in order.
    drawn: RwSignal<Vec<Row>>,
    /// Whether some are still to be drawn.
    pub(crate) is_drawing: RwSignal<bool>,
    queue: StoredValue<DrawQueue>,
    table: NodeRef<html::Table>,
}

/// Where a list is going.
#[derive(Default)]
struct DrawQueue {
    /// All rows in order, what each is to show, and whether it is in the page.
    rows: Vec<(Row, Shown, bool)>,
    /// The places of those that do not show it yet, in the order in which they are drawn.
    due: VecDeque<usize>,
    /// How many rows were made.
    made: usize,
    /// How many lists were drawn: what waits for a picture may be of an earlier one.
    turn: usize,
}

impl DrawQueue {
    fn row(&mut self, shown: Shown) -> Row {
        self.made += 1;
        Row {
            number: self.made,
            shown: ArcRwSignal::new(shown),
        }
    }

    /// Takes the records of the list. The answer to another question fills the rows that are there from the first in
    /// sight on; in the same list a record keeps its row.
    fn take(&mut self, keys: Vec<String>, fresh: &HashSet<String>, sight: Option<f64>) {
        let mut before: VecDeque<(Row, Shown, bool)> = std::mem::take(&mut self.rows)
            .into_iter()
            .filter(|(.., is_drawn)| *is_drawn)
            .collect();
        let there = before.len();
        for key in keys {
            let shown = Shown {
                fresh: fresh.contains(&key),
                key,
            };
            let known = if sight.is_some() {
                before.pop_front()
            } else {
                let at = before.iter().position(|(row, ..)| {
                    row.shown.with_untracked(|before| before.key == shown.key)
                });
                at.and_then(|at| before.remove(at))
            };
            let entry = match known {
                // What was marked stays so.
                Some((row, ..)) if sight.is_none() => {
                    let now = row.shown.get_untracked();
                    (row, now, true)
                }
                Some((row, ..)) => (row, shown, true),
                None => (self.row(shown.clone()), shown, false),
            };
            self.rows.push(entry);
        }
        let first = (sight.unwrap_or_default() * there as f64) as usize;
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

    /// Those that are due next, and what they are to show.
    fn next(&mut self, count: usize) -> Vec<(Row, Shown)> {
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
    /// The rows of a list: the ids of its records, where they are there, and whether the answer to another question is
    /// on its way.
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
            // Another page or filter is not news.
            let mut fresh = HashSet::new();
            if let Some(now) = &now {
                let now: HashSet<String> = now.iter().cloned().collect();
                let last = seen.try_update_value(|seen| seen.replace(now.clone()));
                if let Some(last) = last.flatten().filter(|_| !asked) {
                    fresh = now.difference(&last).cloned().collect();
                }
            }
            let sight = asked.then(|| rows.sight());
            let keys = now.clone().unwrap_or_default();
            rows.queue
                .update_value(|queue| queue.take(keys, &fresh, sight));
            rows.draw(ROWS_AT_ONCE);
            (is_busy, now)
        });
        // On paper there is no later.
        let print = window_event_listener_untyped("beforeprint", move |_| rows.draw(usize::MAX));
        on_cleanup(move || print.remove());
        rows
    }

    /// How much of the table, from 0 to 1, is above what can be seen.
    fn sight(self) -> f64 {
        let table = self.table.get_untracked();
        table.map_or(0.0, |table| {
            let bounds = table.get_bounding_client_rect();
            (-bounds.top() / bounds.height()).clamp(0.0, 1.0)
        })
    }

    /// Draws so many of those that are due, and the others after the next picture.
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
            // Now, for what was painted is laid out: to measure it costs nothing.
            if let Some(table) = self.table.get_untracked() {
                hold(&table);
            }
            if more {
                self.draw(ROWS_AT_ONCE);
            }
        });
    }

    /// Them in the page, given what stands in each.
    pub(crate) fn view(
        self,
        cells: impl Fn(Row) -> AnyView + Clone + Send + 'static,
        open: Option<Callback<String>>,
        opened: Signal<Option<String>>,
        selection: Option<Selection>,
    ) -> AnyView {
        let row = move |row: Row| {
            let cells = (
                selection.map(|selection| pick(selection, row.clone())),
                cells(row.clone()),
            )
                .into_any();
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
        let inside = event
            .target()
            .and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let own = inside.is_some_and(|element| {
            element
                .closest("a, button, input, label")
                .ok()
                .flatten()
                .is_some()
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

/// The box at the beginning of a row that can be picked.
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

/// The next row up or down, moved to with the arrows or j and k.
fn walk(event: &web_sys::KeyboardEvent) {
    let Some(row) = event
        .current_target()
        .and_then(|target| target.dyn_into::<web_sys::HtmlElement>().ok())
    else {
        return;
    };
    // A key pressed in a button or link inside the row is theirs.
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
        // Fails only for an element that cannot take the focus.
        let _ = next.focus();
    }
}
