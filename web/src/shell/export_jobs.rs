//! Exports that run while the user goes on: their progress is shown on every page, until they are saved or stopped.

use leptos::prelude::*;

use crate::detached_signal::DetachedSignal;
use crate::shell::confirm_leaving_while;
use crate::text;
use crate::ui::{Icon, count_text, icon};

/// A running export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExportJob {
    number: u32,
    /// File name.
    file: String,
    pub(crate) rows: usize,
    pub(crate) total: u64,
    /// Whether its dialog is closed, so that every page shows it.
    in_background: bool,
}

/// The running exports. They end with the tab, not with the page.
#[derive(Clone, Copy)]
pub(crate) struct ExportJobs {
    jobs: DetachedSignal<Vec<ExportJob>>,
    last: StoredValue<u32>,
}

impl ExportJobs {
    /// Provides the list, once around all pages.
    pub(crate) fn provide() -> Self {
        let jobs = Self {
            jobs: DetachedSignal::new(Vec::new()),
            last: StoredValue::new(0),
        };
        provide_context(jobs);
        jobs
    }

    pub(crate) fn from_context() -> Self {
        expect_context()
    }

    /// Adds an export, whose dialog is open. Returns its number.
    pub(crate) fn start(self, file: String) -> u32 {
        let number = self.last.get_value() + 1;
        self.last.set_value(number);
        let job = ExportJob {
            number,
            file,
            rows: 0,
            total: 0,
            in_background: false,
        };
        self.jobs.update(|jobs| jobs.push(job));
        number
    }

    /// Records the progress. False for an export that was stopped.
    pub(crate) fn advance(self, number: u32, rows: usize, total: u64) -> bool {
        let mut goes_on = false;
        self.jobs.update(|jobs| {
            if let Some(job) = jobs.iter_mut().find(|job| job.number == number) {
                (job.rows, job.total) = (rows, total);
                goes_on = true;
            }
        });
        goes_on
    }

    /// The export of a number while it runs. Tracked.
    pub(crate) fn find(self, number: u32) -> Option<ExportJob> {
        self.jobs
            .with(|jobs| jobs.iter().find(|job| job.number == number).cloned())
    }

    /// Shows an export on every page from now on: its dialog is closed.
    pub(crate) fn leave(self, number: u32) {
        let is_running = self
            .jobs
            .with_untracked(|jobs| jobs.iter().any(|job| job.number == number));
        if is_running {
            self.jobs.update(|jobs| {
                for job in jobs.iter_mut().filter(|job| job.number == number) {
                    job.in_background = true;
                }
            });
        }
    }

    /// Ends an export, saved or stopped. Returns whether it ran in the background; none if it had ended.
    pub(crate) fn end(self, number: u32) -> Option<bool> {
        let mut ended = None;
        self.jobs.update(|jobs| {
            let at = jobs.iter().position(|job| job.number == number);
            ended = at.map(|at| jobs.remove(at).in_background);
        });
        ended
    }
}

/// Progress of the exports in the background, with buttons that stop them.
#[component]
pub(crate) fn ExportRegion() -> impl IntoView {
    let jobs = ExportJobs::from_context();
    confirm_leaving_while(move || jobs.jobs.with_untracked(|jobs| !jobs.is_empty()));
    let numbers = Memo::new(move |_| {
        jobs.jobs.with(|jobs| {
            let shown = jobs.iter().filter(|job| job.in_background);
            shown.map(|job| job.number).collect::<Vec<_>>()
        })
    });
    let item = move |number: u32| {
        let job = Memo::new(move |_| jobs.find(number));
        let file = move || job.get().map(|job| job.file).unwrap_or_default();
        let progress = move || {
            job.get().map(|job| {
                let counts = text::export_progress(&count_text(job.rows as u64), &count_text(job.total));
                view! {
                    <progress max=job.total.max(1).to_string() value=job.rows.to_string() aria-label=job.file></progress>
                    <small>{counts}</small>
                }
            })
        };
        view! {
            <li>
                <span>{file}</span>
                {progress}
                <button type="button" class="copy" aria-label=move || text::export_stop(&file()) on:click=move |_| { jobs.end(number); }>{icon(Icon::Close)}</button>
            </li>
        }
    };
    view! {
        <Show when=move || numbers.with(|numbers| !numbers.is_empty())>
            <section class="exports" aria-label=text::exports()>
                <ul><For each=move || numbers.get() key=|number| *number let(number)>{item(number)}</For></ul>
            </section>
        </Show>
    }
}
