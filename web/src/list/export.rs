//! Exports a list to a file: all pages that match the filters, with exact decimals as sent by the service.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use settlekit_core::call::Call;
use settlekit_core::operation::Operation;
use settlekit_core::page::{Limit, ListQuery, PageNumber, Sort};

use crate::api::{self, Prepared};
use crate::call_failure::CallFailure;
use crate::session::Session;
use crate::shell::{Location, confirm_leaving_while, failure_notice};
use crate::text;
use crate::ui::{Dialog, Icon, Notice, Tone, count_text, field_path, icon, save};

/// Maximum number of attempts while rows leave the list.
const PASSES_MAX: u32 = 4;

/// Requests for the pages of a list.
#[derive(Clone)]
pub(crate) struct Exporter {
    pages: Arc<Pages>,
}

/// Builds the request of a page.
type Pages = dyn Fn(Session, ListQuery) -> Option<Prepared> + Send + Sync;

impl Exporter {
    /// Exporter of a list operation.
    pub(crate) fn of<O: Operation>(
        ask: impl Fn(ListQuery) -> Option<Call<O>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            pages: Arc::new(move |session, list| {
                let call = ask(list)?;
                Some(api::with_sub_merchant(
                    session,
                    O::DELEGATED,
                    api::prepare(call.to_http("")),
                ))
            }),
        }
    }

    /// Uses another exporter if this one has no request.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            pages: Arc::new(move |session, list| {
                (self.pages)(session, list).or_else(|| (other.pages)(session, list))
            }),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Csv,
    Json,
}

/// Button and dialog. `name` is the file name.
#[component]
pub(crate) fn Export(exporter: Exporter, name: &'static str) -> impl IntoView {
    let (location, session) = (Location::from_context(), Session::from_context());
    let open = RwSignal::new(false);
    let close = Callback::new(move |()| open.set(false));
    // A history step changes the list, and a file must not mix two lists: close.
    let back = window_event_listener_untyped("popstate", move |_| open.set(false));
    on_cleanup(move || back.remove());
    view! {
        <button type="button" class="button small" on:click=move |_| open.set(true)>{icon(Icon::Save)}{text::export()}</button>
        <Dialog open=open close=close title=text::export_title()>{inside(exporter.clone(), name, location, session, close)}</Dialog>
    }
}

fn inside(
    exporter: Exporter,
    name: &'static str,
    location: Location,
    session: Session,
    close: Callback<()>,
) -> impl IntoView {
    // Number of rows read, and the total, while an export runs.
    let progress: RwSignal<Option<(usize, u64)>> = RwSignal::new(None);
    let done: RwSignal<Option<usize>> = RwSignal::new(None);
    let failure: RwSignal<Option<CallFailure>> = RwSignal::new(None);
    let moved = RwSignal::new(false);
    // Closing or stopping increments the number; a running export notices and ends.
    let turn = StoredValue::new(0_u32);
    let last = StoredValue::new(Format::Csv);
    let start = move |format: Format| {
        last.set_value(format);
        let exporter = exporter.clone();
        let list = untrack(|| location.list());
        done.set(None);
        failure.set(None);
        moved.set(false);
        progress.set(Some((0, 0)));
        let mine = turn.try_update_value(|turn| {
            *turn += 1;
            *turn
        });
        spawn_local(async move {
            let goes_on = move || turn.try_get_value() == mine;
            let outcome = walk(&exporter, &list, session, move |rows, total| {
                progress.try_set(Some((rows, total)));
                goes_on()
            })
            .await;
            if !goes_on() {
                return;
            }
            progress.try_set(None);
            match outcome {
                Ok(None) => {
                    moved.try_set(true);
                }
                Ok(Some(rows)) => {
                    let count = rows.len();
                    match format {
                        Format::Csv => save(&format!("{name}.csv"), "text/csv", &csv(&rows)),
                        Format::Json => {
                            let text = serde_json::to_string_pretty(&rows).unwrap_or_default();
                            save(&format!("{name}.json"), "application/json", &text);
                        }
                    }
                    done.try_set(Some(count));
                }
                Err(failed) => {
                    failure.try_set(Some(failed));
                }
            }
        });
    };
    let stop = move |_| {
        turn.update_value(|turn| *turn += 1);
        progress.set(None);
    };
    confirm_leaving_while(move || matches!(progress.try_get_untracked(), Some(Some(_))));
    let choices = [
        (Format::Csv, text::export_csv()),
        (Format::Json, text::export_json()),
    ];
    let choice = StoredValue::new(start);
    let again = Callback::new(move |()| choice.with_value(|start| start(last.get_value())));
    view! {
        {failure_notice(failure.into(), Some(again))}
        <Show when=move || moved.get()>
            <Notice tone=Tone::Bad title=text::export_moved()>
                <p>{text::export_moved_why()}</p>
                <div class="row"><button type="button" class="button small" on:click=move |_| again.run(())>{icon(Icon::Turning)}{text::try_again()}</button></div>
            </Notice>
        </Show>
        {move || done.get().map(|count| view! { <p role="status"><strong>{text::exported(&count_text(count as u64))}</strong></p> })}
        {move || match progress.get() {
            Some((rows, total)) => view! {
                <progress max=total.max(1).to_string() value=rows.to_string() aria-label=text::export_title()></progress>
                <p role="status">{text::export_progress(&count_text(rows as u64), &count_text(total))}</p>
                <div class="row"><button type="button" class="button" on:click=stop>{text::stop()}</button></div>
            }.into_any(),
            None => view! {
                <p>{text::export_why()}</p>
                <div class="row">
                    <button type="button" class="button plain" on:click=move |_| close.run(())>{text::close()}</button>
                    {choices.map(|(format, words)| view! { <button type="button" class="button" on:click=move |_| choice.with_value(|start| start(format))>{words}</button> })}
                </div>
            }.into_any(),
        }}
    }
}

/// All matching rows in the user's order; none if rows left the list during every pass. `told` is called after each page with the
/// number of rows read and the total, and returns whether to continue.
async fn walk(
    exporter: &Exporter,
    list: &ListQuery,
    session: Session,
    told: impl Fn(usize, u64) -> bool,
) -> Result<Option<Vec<Value>>, CallFailure> {
    for _ in 0..PASSES_MAX {
        if let Some(mut rows) = read_pass(exporter, list, session, &told).await? {
            if list.sort() == Sort::Descending {
                rows.reverse();
            }
            return Ok(Some(rows));
        }
    }
    Ok(None)
}

/// One pass in ascending order, so that new rows are appended at the end. If a row leaves the list, the following rows move up and
/// one is skipped: the pass is invalid.
async fn read_pass(
    exporter: &Exporter,
    list: &ListQuery,
    session: Session,
    told: &impl Fn(usize, u64) -> bool,
) -> Result<Option<Vec<Value>>, CallFailure> {
    let (mut rows, mut seen, mut total) = (Vec::new(), 0, 0);
    let mut ids = BTreeSet::new();
    let mut page = PageNumber::new(1);
    while let Some(number) = page {
        let asked = ListQuery {
            limit: Some(Limit::default()),
            page: Some(number),
            sort: Some(Sort::Ascending),
            ..*list
        };
        let Some(prepared) = (exporter.pages)(session, asked) else {
            break;
        };
        let answered = api::send(session, prepared).await;
        let found = api::read_rows(session, answered)?;
        seen += found.items.len();
        // Stopped: request no further pages.
        if !told(seen, found.total) {
            break;
        }
        if found.total < total {
            return Ok(None);
        }
        total = found.total;
        // A row that moved down appears again.
        let mut is_new = |row: &Value| row.get("id").is_none_or(|id| ids.insert(id.to_string()));
        rows.extend(found.items.into_iter().filter(|row| is_new(row)));
        page = found.next.and_then(PageNumber::new);
    }
    Ok(Some(rows))
}

/// The rows as CSV (RFC 4180), with a column for each field of any row, in order of appearance.
fn csv(rows: &[Value]) -> String {
    let flat: Vec<Vec<(String, String)>> = rows
        .iter()
        .map(|row| {
            let mut cells = Vec::new();
            flatten("", row, &mut cells);
            cells
        })
        .collect();
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in flat.iter().flatten() {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    // The id column comes first.
    if let Some(at) = columns.iter().position(|column| *column == "id") {
        columns[..=at].rotate_right(1);
    }
    let mut text = line(columns.iter().copied());
    for cells in &flat {
        let value = |column: &&str| {
            let cell = cells.iter().find(|(name, _)| name == column);
            cell.map_or("", |(_, value)| value.as_str())
        };
        text.push_str(&line(columns.iter().map(value)));
    }
    text
}

fn flatten(name: &str, value: &Value, cells: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                flatten(&field_path(name, field), value, cells);
            }
        }
        Value::Null => {}
        Value::String(text) => cells.push((name.to_owned(), text.clone())),
        other => cells.push((name.to_owned(), other.to_string())),
    }
}

fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cells: Vec<String> = cells.map(cell).collect();
    format!("{}\r\n", cells.join(","))
}

/// A cell that spreadsheets don't interpret as a formula. Negative amounts stay numbers.
fn cell(value: &str) -> String {
    let number = value.strip_prefix('-').is_some_and(|rest| {
        rest.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    });
    let guard = if value.starts_with(['=', '+', '-', '@', '\t', '\r']) && !number {
        "'"
    } else {
        ""
    };
    if value.contains([',', '"', '\n', '\r']) {
        format!("\"{guard}{}\"", value.replace('"', "\"\""))
    } else {
        format!("{guard}{value}")
    }
}
