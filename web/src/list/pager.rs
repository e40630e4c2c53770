//! Pager of a list: exact total, visible rows, previous and next page.

use leptos::prelude::*;
use settlekit_core::value::Timestamp;

use crate::list::export::{Export, Exporter};
use crate::shell::{Location, name};
use crate::text;
use crate::ui::{Icon, count_text, icon, timestamp};

const ROWS: [u32; 3] = [25, 50, 100];

/// Pager of a list with `total` items; hidden while the total is unknown.
#[component]
pub(crate) fn Pager(
    #[prop(into)] total: Signal<Option<u64>>,
    #[prop(into)] shown: Signal<usize>,
    /// Time of the last change in the list, if known.
    #[prop(optional, into)]
    updated: Signal<Option<Timestamp>>,
    /// Exporter and file name.
    #[prop(optional_no_strip)]
    export: Option<(Exporter, &'static str)>,
    /// Further tools of the list.
    #[prop(optional)]
    tools: ViewFn,
) -> impl IntoView {
    let location = Location::from_context();
    let list = Memo::new(move |_| location.list());
    let page = Memo::new(move |_| list.get().page());
    let first = move || u64::from(page.get() - 1) * u64::from(list.get().limit()) + 1;
    let first_page = move || page.get() <= 1;
    let last_page = move || {
        total.get().is_none_or(|total| {
            u64::from(page.get()) >= total.div_ceil(u64::from(list.get().limit()))
        })
    };
    let turn = move |to: u32| {
        location.go(
            &location.with(&[
                (name::PAGE, (to > 1).then(|| to.to_string())),
                (name::OPEN, None),
            ]),
            false,
        )
    };
    let summary = move || {
        total.get().map(|total| {
            let last = (first() + shown.get() as u64).saturating_sub(1);
            if shown.get() == 0 {
                text::none_here(&count_text(total))
            } else {
                text::range_of(&count_text(first()), &count_text(last), &count_text(total))
            }
        })
    };
    view! {
        <Show when=move || total.get().is_some_and(|total| total > 0)>
            <nav class="pager" aria-label=text::pages()>
                <span class="pager-summary">{summary}</span>
                {move || updated.get().map(|at| view! { <span>{text::last_change()}" "{timestamp(at)}</span> })}
                <label>
                    <span>{text::rows()}</span>
                    <select class="input" on:change=move |event| location.filter(name::ROWS, Some(event_target_value(&event)))>
                        {ROWS.map(|rows| view! { <option value=rows.to_string() prop:selected=move || list.get().limit() == rows>{rows}</option> })}
                    </select>
                </label>
                {export.clone().map(|(exporter, name)| view! { <Export exporter=exporter name=name total=total /> })}
                {tools.run()}
                <div class="push">
                    <button type="button" name="previous" class="button small" disabled=first_page on:click=move |_| turn(page.get_untracked().saturating_sub(1))>
                        {icon(Icon::Left)}{text::previous()}
                    </button>
                    <button type="button" name="next" class="button small" disabled=last_page on:click=move |_| turn(page.get_untracked() + 1)>
                        {text::next()}{icon(Icon::Right)}
                    </button>
                </div>
            </nav>
        </Show>
    }
}
