//! Exports a list to a file: all pages that match the filters, with exact decimals as sent by the service.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use settlekit_core::call::Call;
use settlekit_core::operation::Operation;
use settlekit_core::page::{Limit, ListQuery, Page, PageNumber, Sort};

use crate::api::{self, Prepared, Request};
use crate::call_failure::CallFailure;
use crate::list::export_choice::{ExportChoice, Format, Preset};
use crate::list::export_columns::columns_of;
use crate::list::export_table::ExportTable;
use crate::list::xlsx::ROWS_MAX;
use crate::session::Session;
use crate::shell::{ExportJobs, Location, failure_notice};
use crate::text;
use crate::ui::{Dialog, Icon, Notice, Toasts, Tone, count_text, icon, save, save_bytes};

/// Maximum number of attempts while rows leave the list.
const PASSES_MAX: u32 = 4;

/// From this number of rows, the dialog says that the export takes a while.
const MANY: u64 = 10_000;

const CSV: &str = "text/csv";
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const JSON: &str = "application/json";

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

    /// The request of the first page in ascending order; none if there is nothing to request.
    fn first_page(&self, session: Session, list: &ListQuery) -> Option<Prepared> {
        let asked = ListQuery {
            limit: Some(Limit::default()),
            page: PageNumber::new(1),
            sort: Some(Sort::Ascending),
            ..*list
        };
        (self.pages)(session, asked)
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

/// Button and dialog. `name` is the file name, `total` the number of rows.
#[component]
pub(crate) fn Export(
    exporter: Exporter,
    name: &'static str,
    total: Signal<Option<u64>>,
) -> impl IntoView {
    let (location, session) = (Location::from_context(), Session::from_context());
    let open = RwSignal::new(false);
    let close = Callback::new(move |()| open.set(false));
    // A history step changes the list that the dialog describes.
    let back = window_event_listener_untyped("popstate", move |_| open.set(false));
    on_cleanup(move || back.remove());
    view! {
        <button type="button" class="button small" on:click=move |_| open.set(true)>{icon(Icon::Save)}{text::export()}</button>
        <Dialog open=open close=close title=text::export_title()>{inside(exporter.clone(), name, total, location, session, close)}</Dialog>
    }
}

fn inside(
    exporter: Exporter,
    name: &'static str,
    total: Signal<Option<u64>>,
    location: Location,
    session: Session,
    close: Callback<()>,
) -> impl IntoView {
    let choice = RwSignal::new(ExportChoice::stored(name));
    let (jobs, toasts) = (ExportJobs::from_context(), Toasts::from_context());
    // The export that the dialog has started.
    let job = RwSignal::new(None::<u32>);
    let running = Memo::new(move |_| job.get().and_then(|number| jobs.find(number)));
    // Number of rows saved, and of texts cut.
    let saved: RwSignal<Option<(usize, usize)>> = RwSignal::new(None);
    let failure: RwSignal<Option<CallFailure>> = RwSignal::new(None);
    let moved = RwSignal::new(false);
    // Number of rows that did not fit a sheet.
    let longest = RwSignal::new(0_u64);
    let start = Callback::new(move |()| {
        let (list, chosen) = (untrack(|| location.list()), choice.get_untracked());
        // Fixed now: the filters may change while it runs.
        let first = match exporter.first_page(session, &list) {
            None => return,
            Some(Ok(first)) => first,
            Some(Err(report)) => {
                failure.set(Some(CallFailure::from(report)));
                return;
            }
        };
        saved.set(None);
        failure.set(None);
        moved.set(false);
        let number = jobs.start(format!("{name}.{}", chosen.format.ending()));
        job.set(Some(number));
        let reader = session.reader();
        spawn_local(async move {
            let outcome = walk(&first, list.sort(), session, move |rows, total| {
                // Further pages would be of another user or organisation.
                if session.is_replaced() || session.reader() != reader {
                    jobs.end(number);
                }
                jobs.advance(number, rows, total)
            })
            .await;
            let Some(in_background) = jobs.end(number) else {
                return;
            };
            match outcome {
                Ok(None) if in_background => toasts.warn(text::export_moved_why().to_owned()),
                Ok(None) => {
                    moved.try_set(true);
                }
                Ok(Some(rows)) if !fits(chosen.format, rows.len() as u64) => {
                    if in_background {
                        toasts.warn(text::export_too_long_why(&count_text(ROWS_MAX - 1)));
                    } else {
                        longest.try_set(rows.len() as u64);
                    }
                }
                Ok(Some(rows)) => {
                    let count = rows.len();
                    let cut = save_as(&chosen, name, rows);
                    if in_background {
                        toasts.say(text::exported(&count_text(count as u64)));
                    } else {
                        saved.try_set(Some((count, cut)));
                    }
                }
                Err(failed) if in_background => toasts.fail(failed),
                Err(failed) => {
                    failure.try_set(Some(failed));
                }
            }
        });
    });
    let stop = move |_| {
        if let Some(number) = job.get_untracked() {
            jobs.end(number);
        }
    };
    // Closing the dialog, or leaving the page, does not end the export.
    on_cleanup(move || {
        if let Some(Some(number)) = job.try_get_untracked() {
            jobs.leave(number);
        }
    });
    let is_too_long = Memo::new(move |_| {
        let format = choice.with(|choice| choice.format);
        let rows = total.get().unwrap_or(0).max(longest.get());
        !fits(format, rows)
    });
    let is_many = Memo::new(move |_| total.get().is_some_and(|total| total >= MANY));
    let is_empty = Memo::new(move |_| {
        choice.with(|choice| choice.preset == Preset::Own && choice.own.is_empty())
    });
    let form = move || {
        let rows = move || {
            total
                .get()
                .map(|total| text::export_rows(&count_text(total)))
        };
        view! {
            <p><strong>{rows}</strong>" "{move || filters_of(location)}</p>
            {fields(choice, name)}
            <p>{text::export_why()}</p>
            <Show when=move || is_many.get()><p>{text::export_many()}</p></Show>
            <Show when=move || is_too_long.get()>
                <Notice tone=Tone::Warn title=text::export_too_long()>{text::export_too_long_why(&count_text(ROWS_MAX - 1))}</Notice>
            </Show>
            <div class="row">
                <button type="button" class="button plain" on:click=move |_| close.run(())>{text::close()}</button>
                <button type="button" class="button primary" disabled=move || is_too_long.get() || is_empty.get() on:click=move |_| start.run(())>{text::export_start()}</button>
            </div>
        }
    };
    view! {
        {failure_notice(failure.into(), Some(start))}
        <Show when=move || moved.get()>
            <Notice tone=Tone::Bad title=text::export_moved()>
                <p>{text::export_moved_why()}</p>
                <div class="row"><button type="button" class="button small" on:click=move |_| start.run(())>{icon(Icon::Turning)}{text::try_again()}</button></div>
            </Notice>
        </Show>
        {move || saved.get().map(|(count, cut)| view! {
            <p role="status"><strong>{text::exported(&count_text(count as u64))}</strong></p>
            {(cut > 0).then(|| view! { <p>{text::export_cut(&count_text(cut as u64))}</p> })}
        })}
        {move || match running.get() {
            Some(running) => view! {
                <progress max=running.total.max(1).to_string() value=running.rows.to_string() aria-label=text::export_title()></progress>
                <p role="status">{text::export_progress(&count_text(running.rows as u64), &count_text(running.total))}</p>
                <div class="row">
                    <button type="button" class="button" on:click=stop>{text::stop()}</button>
                    <button type="button" class="button" on:click=move |_| close.run(())>{text::export_background()}</button>
                </div>
            }.into_any(),
            None => form().into_any(),
        }}
    }
}

/// Whether a file of the format can have the rows.
fn fits(format: Format, rows: u64) -> bool {
    format != Format::Xlsx || rows < ROWS_MAX
}

/// The filters of the list in words.
fn filters_of(location: Location) -> String {
    let filters = location.filters();
    if filters.is_empty() {
        return text::export_unfiltered().to_owned();
    }
    let filters = filters.iter().map(|(name, value)| text::chip(name, value));
    text::export_filters(&filters.collect::<Vec<_>>().join(" · "))
}

/// Fields of the format and the columns. Each change is stored.
fn fields(choice: RwSignal<ExportChoice>, name: &'static str) -> AnyView {
    let columns = columns_of(name);
    let change = move |edit: &dyn Fn(&mut ExportChoice)| {
        let mut newer = choice.get_untracked();
        edit(&mut newer);
        newer.store(name);
        choice.set(newer);
    };
    let format = Memo::new(move |_| choice.with(|choice| choice.format));
    let preset = Memo::new(move |_| choice.with(|choice| choice.preset));
    let formats = Format::ALL.map(|one| {
        view! {
            <button type="button" aria-pressed=move || (format.get() == one).to_string() on:click=move |_| change(&|choice| choice.format = one)>{one.label()}</button>
        }
    });
    let presets = Preset::offered(columns).into_iter().map(|one| {
        view! { <option value=one.name() prop:selected=move || preset.get() == one>{one.label()}</option> }
    });
    let choose = move |event: web_sys::Event| {
        if let Some(chosen) = Preset::named(&event_target_value(&event)) {
            change(&|choice| choice.preset = chosen);
        }
    };
    let own = move || {
        let rows = columns.all.split_whitespace().map(|column| {
            view! {
                <li class="order-row">
                    <label class="check">
                        <input
                            type="checkbox" name=column prop:checked=move || choice.with(|choice| choice.has(column))
                            on:change=move |_| change(&|choice| choice.toggle(columns, column))
                        />
                        <span class="mono">{column}</span>
                    </label>
                </li>
            }
        });
        view! { <ul class="order fixed" aria-label=text::export_own()>{rows.collect_view()}</ul> }
    };
    let why = move |preset| match (preset, name) {
        (Preset::Everything, _) => Some(text::export_everything_why()),
        (Preset::Accounting, "movements") => Some(text::export_net_why()),
        (Preset::Accounting, "payments" | "payouts") => Some(text::export_fees_why()),
        _ => None,
    };
    let names = move |preset| match preset {
        Preset::Accounting => Some(columns.accounting.replace(' ', ", ")),
        Preset::Reconciliation => Some(columns.reconciliation.replace(' ', ", ")),
        Preset::Everything | Preset::Own => None,
    };
    let details = move || {
        let preset = preset.get();
        let names = names(preset).map(|names| view! { <p class="mono">{names}</p> });
        let why = why(preset).map(|why| view! { <p>{why}</p> });
        let own = (preset == Preset::Own).then(own);
        view! { {names}{why}{own} }
    };
    let is_marked = move || choice.with(|choice| choice.for_excel);
    view! {
        <div class="field">
            <span class="label">{text::export_format()}</span>
            <div class="segments" role="group" aria-label=text::export_format()>{formats}</div>
        </div>
        <Show when=move || { format.get() == Format::Csv }>
            <label class="check">
                <input type="checkbox" prop:checked=is_marked on:change=move |event| change(&|choice| choice.for_excel = event_target_checked(&event)) />
                <span>{text::export_for_excel()}</span>
            </label>
        </Show>
        <Show when=move || { format.get() == Format::Xlsx }><p>{text::export_xlsx_why()}</p></Show>
        <label class="field">
            <span class="label">{text::columns()}</span>
            <select class="input" on:change=choose>{presets.collect_view()}</select>
        </label>
        {details}
    }
    .into_any()
}

/// Saves the records as a file. Returns the number of texts that are cut.
fn save_as(choice: &ExportChoice, name: &str, records: Vec<Value>) -> usize {
    let columns = choice.columns(columns_of(name));
    let file = format!("{name}.{}", choice.format.ending());
    if choice.format == Format::Json && columns.is_none() {
        let text = serde_json::to_string_pretty(&records).unwrap_or_default();
        save(&file, JSON, &text);
        return 0;
    }
    let table = ExportTable::of(records, columns.as_deref());
    match choice.format {
        Format::Csv => save(&file, CSV, &table.csv(choice.for_excel)),
        Format::Json => save(&file, JSON, &table.json()),
        Format::Xlsx => {
            let workbook = table.workbook(name);
            save_bytes(&file, XLSX, &workbook.parts);
            return workbook.cut;
        }
    }
    0
}

/// All matching rows in the user's order; none if rows left the list during every pass. `told` is called after each page with the
/// number of rows read and the total, and returns whether to continue.
async fn walk(
    first: &Request,
    sort: Sort,
    session: Session,
    told: impl Fn(usize, u64) -> bool,
) -> Result<Option<Vec<Value>>, CallFailure> {
    for _ in 0..PASSES_MAX {
        if let Some(mut rows) = read_pass(first, session, &told).await? {
            if sort == Sort::Descending {
                rows.reverse();
            }
            return Ok(Some(rows));
        }
    }
    Ok(None)
}

/// One pass in ascending order, so that new rows are appended at the end. If a row leaves the list, the following rows move up and
/// one is skipped: the pass is invalid, as is one with fewer rows than the total, and one whose first page changes. A stopped pass
/// has the rows so far.
async fn read_pass(
    request: &Request,
    session: Session,
    told: &impl Fn(usize, u64) -> bool,
) -> Result<Option<Vec<Value>>, CallFailure> {
    let (mut rows, mut seen, mut total) = (Vec::new(), 0, 0);
    let mut ids = BTreeSet::new();
    let mut first_ids = Vec::new();
    let first = PageNumber::new(1);
    let mut page = first;
    while let Some(number) = page {
        let Some(found) = read_page(request, session, number).await? else {
            break;
        };
        if page == first {
            first_ids = ids_of(&found.items);
        }
        seen += found.items.len();
        // Stopped: request no further pages.
        if !told(seen, found.total) {
            return Ok(Some(rows));
        }
        if found.total < total {
            return Ok(None);
        }
        total = found.total;
        // A row that moved down appears again, and another is missing.
        let mut is_new = |row: &Value| id_of(row).is_none_or(|id| ids.insert(id));
        rows.extend(found.items.into_iter().filter(|row| is_new(row)));
        page = found.next.and_then(PageNumber::new);
    }
    // Where the oldest row leaves for each new one, as in an inbox, the total stays.
    if seen > first_ids.len()
        && let Some(number) = first
        && let Some(found) = read_page(request, session, number).await?
        && ids_of(&found.items) != first_ids
    {
        return Ok(None);
    }
    Ok((rows.len() as u64 >= total).then_some(rows))
}

/// A page in ascending order; none if the list has no pages.
async fn read_page(
    first: &Request,
    session: Session,
    number: PageNumber,
) -> Result<Option<Page<Value>>, CallFailure> {
    let Some(request) = first.for_page(number.get()) else {
        return Ok(None);
    };
    let answered = api::send(session, Ok(request)).await;
    api::read_rows(session, answered).map(Some)
}

/// The id of a row, as JSON; some lists have none.
fn id_of(row: &Value) -> Option<String> {
    let id = row.get("id").or_else(|| row.get("order_id"));
    id.map(ToString::to_string)
}

fn ids_of(rows: &[Value]) -> Vec<Option<String>> {
    rows.iter().map(id_of).collect()
}
