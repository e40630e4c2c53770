//! The price sources: what each says of the shown currency, and its state.

use leptos::prelude::*;
use settlekit_core::rate::{Rate, RateList, RateSource, SourceRate};
use settlekit_core::value::{Amount, Timestamp};

use crate::list::{Column, Table, TableSpec, exact};
use crate::remote::Remote;
use crate::shell::Loaded;
use crate::text::{self, rates as words};
use crate::ui::{Empty, Icon, status_badge_as, timestamp};

/// A source and its price of the shown currency.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    source: RateSource,
    said: Option<SourceRate>,
}

impl Row {
    fn usd(&self) -> Option<Amount> {
        self.said.as_ref()?.usd
    }

    fn priced_at(&self) -> Option<Timestamp> {
        self.said.as_ref()?.priced_at
    }
}

fn spec() -> TableSpec<Row> {
    TableSpec {
        caption: words::sources(),
        columns: vec![
            Column::text(words::source(), "title", |one: &Row| {
                Some(one.source.source.clone())
            }),
            Column::new(text::status(), "second", |one: &Row| {
                let (word, label) = words::source_of(&one.source.status);
                status_badge_as(word, label).into_any()
            }),
            Column::exact(words::price(), "end named", |one: &Row| {
                exact(one.usd()?, "")
            })
            .or(|_| text::not_available().into_any()),
            Column::new(words::counts(), "named", |one: &Row| {
                let said = one.said.as_ref();
                said.map(|said| {
                    let (word, label) = words::source_rate_of(&said.status);
                    status_badge_as(word, label)
                })
                .into_any()
            }),
            Column::time(words::as_of(), "fit named", Row::priced_at),
            Column::time(words::last_answer(), "fit named", |one: &Row| {
                one.source.succeeded_at
            }),
            Column::new(words::problem(), "grow named", |one: &Row| {
                let error = one.source.last_error.clone();
                let since = one.source.failing_since.map(timestamp);
                error
                    .map(|error| view! { <span class="wrap"><span lang="en">{error}</span>" "<span class="quiet">{since}</span></span> })
                    .into_any()
            }),
        ],
        id: |one| one.source.source.clone(),
    }
}

#[component]
pub(super) fn Sources(rates: Loaded<RateList>, chosen: Memo<Option<Rate>>) -> impl IntoView {
    let rows = Signal::derive(move || {
        let said = chosen.with(|rate| rate.as_ref().map(|rate| rate.sources.clone()));
        let said = said.unwrap_or_default();
        let row = |source: &RateSource| Row {
            said: said
                .iter()
                .find(|said| said.source == source.source)
                .cloned(),
            source: source.clone(),
        };
        let state = rates.state;
        state.with(|state| state.map(|rates| rates.sources.iter().map(row).collect()))
    });
    // A failure and an installation without a source are shown above.
    let is_filled = Memo::new(move |_| {
        rows.with(|rows: &Remote<Vec<Row>>| rows.ready().is_some_and(|rows| !rows.is_empty()))
    });
    let empty = || view! { <Empty picture=Icon::Trade title=words::no_sources() hint=words::no_sources_hint() /> };
    view! {
        <Show when=move || is_filled.get()>
            <section class="panel" aria-labelledby="sources">
                <div class="panel-head"><h2 id="sources">{words::sources()}</h2><p>{words::sources_why()}</p></div>
                <Table spec=spec() rows=rows busy=rates.busy retry=rates.retry() empty=ViewFn::from(empty) />
            </section>
        </Show>
    }
}
