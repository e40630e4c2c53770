//! Taking a whole list away as a file: every page of what the filters match, with exact decimals as the service says them.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use settlekit_core::call::Call;
use settlekit_core::operation::Operation;
use settlekit_core::page::{Limit, ListQuery, PageNumber, Sort};

use crate::api::{self, Prepared, Trouble};
use crate::part::amount::count_text;
use crate::part::drawer::Box;
use crate::part::icon::{Icon, icon};
use crate::part::leaving::ask_while;
use crate::part::notice::failure;
use crate::part::save::save;
use crate::place::Place;
use crate::session::Session;
use crate::text;

/// How a page of the list is asked for, and which of its rows are taken.
#[derive(Clone)]
pub(crate) struct Exporter {
    pages: Arc<Pages>,
    among: Option<Arc<Among>>,
}

/// A page of a list as a request, for whomever the reader acts.
type Pages = dyn Fn(Session, ListQuery) -> Option<Prepared> + Send + Sync;

/// Whether a row is one that the reader wants to see.
type Among = dyn Fn(&Value) -> bool + Send + Sync;

impl Exporter {
    /// The exporter of an operation that lists.
    pub(crate) fn of<O: Operation>(
        ask: impl Fn(ListQuery) -> Option<Call<O>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            pages: Arc::new(move |session, list| {
                let call = ask(list)?;
                Some(api::for_whom(session, O::DELEGATED, call.to_http("")))
            }),
            among: None,
        }
    }

    /// Where this one has nothing to ask for, another has.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            pages: Arc::new(move |session, list| {
                (self.pages)(session, list).or_else(|| (other.pages)(session, list))
            }),
            ..other
        }
    }

    /// Only the rows that the reader wants to see, where the service knows no filter for it.
    pub(crate) fn among(self, wants: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Self {
        Self {
            among: Some(Arc::new(wants)),
            ..self
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Csv,
    Json,
}

/// The button and its box. `name` becomes the file's.
#[component]
pub(crate) fn Export(exporter: Exporter, name: &'static str) -> impl IntoView {
    let (place, session) = (Place::here(), Session::here());
    let open = RwSignal::new(false);
    let close = Callback::new(move |()| open.set(false));
    view! {
        <button type="button" class="button small" on:click=move |_| open.set(true)>{icon(Icon::Save)}{text::export()}</button>
        <Box open=open close=close title=text::export_title()>{inside(exporter.clone(), name, place, session, close)}</Box>
    }
}

fn inside(
    exporter: Exporter,
    name: &'static str,
    place: Place,
    session: Session,
    close: Callback<()>,
) -> impl IntoView {
    // How many rows have been looked at and how many there are, while it runs.
    let progress: RwSignal<Option<(usize, u64)>> = RwSignal::new(None);
    let done: RwSignal<Option<usize>> = RwSignal::new(None);
    let trouble: RwSignal<Option<Trouble>> = RwSignal::new(None);
    // The box closes or the reader stops: whoever still walks sees another turn.
    let turn = StoredValue::new(0_u32);
    let last = StoredValue::new(Format::Csv);
    let start = move |format: Format| {
        last.set_value(format);
        let exporter = exporter.clone();
        let list = untrack(|| place.list());
        done.set(None);
        trouble.set(None);
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
                Ok(rows) => {
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
                    trouble.try_set(Some(failed));
                }
            }
        });
    };
    let stop = move |_| {
        turn.update_value(|turn| *turn += 1);
        progress.set(None);
    };
    ask_while(move || matches!(progress.try_get_untracked(), Some(Some(_))));
    let choices = [
        (Format::Csv, text::export_csv()),
        (Format::Json, text::export_json()),
    ];
    let choice = StoredValue::new(start);
    let again = Callback::new(move |()| choice.with_value(|start| start(last.get_value())));
    view! {
        {failure(trouble.into(), Some(again))}
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

/// Every row of the list that is wanted, in the order the reader chose. `told` hears of each page how many rows have been
/// looked at, and says whether to go on.
///
/// The walk goes from the oldest to the newest: what arrives meanwhile comes at the end and moves nothing.
async fn walk(
    exporter: &Exporter,
    list: &ListQuery,
    session: Session,
    told: impl Fn(usize, u64) -> bool,
) -> Result<Vec<Value>, Trouble> {
    let (mut rows, mut seen) = (Vec::new(), 0);
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
        let wanted = |row: &Value| exporter.among.as_ref().is_none_or(|wants| wants(row));
        rows.extend(found.items.into_iter().filter(wanted));
        if !told(seen, found.total) {
            break;
        }
        page = found.next.and_then(PageNumber::new);
    }
    if list.sort() == Sort::Descending {
        rows.reverse();
    }
    Ok(rows)
}

/// The rows as CSV (RFC 4180): a column for each field that any of them has, in the order in which they come.
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
    // What names a record stands first.
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
                let below = if name.is_empty() {
                    field.clone()
                } else {
                    format!("{name}.{field}")
                };
                flatten(&below, value, cells);
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

/// A cell that no spreadsheet takes for a formula. A negative amount is a number and stays one.
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
