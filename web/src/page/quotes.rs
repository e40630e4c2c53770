//! Quote history, for organisations with the OTC feature.

use leptos::prelude::*;
use settlekit_core::quote::{ListQuotes, Quote};
use settlekit_core::value::Amount;

use crate::api;
use crate::list::export::Exporter;
use crate::list::filter::{DateFilter, Filters};
use crate::list::record_list::{EmptyState, RecordList};
use crate::list::table::{Column, ExactAmount, TableSpec};
use crate::page::trading::{NotOverTheCounter, is_otc_missing};
use crate::shell::load::load;
use crate::shell::navigation::{Location, name};
use crate::text;
use crate::text::money as words;
use crate::ui::amount::amount_text;
use crate::ui::icon::Icon;
use crate::ui::status::status_badge;
use crate::ui::timestamp::timestamp;

const FILTERS: &[&str] = &[name::SINCE, name::UNTIL, name::SORT];

fn table_spec() -> TableSpec<Quote> {
    TableSpec {
        caption: words::quotes(),
        columns: vec![
            Column::new(words::quote(), "title", |quote| {
                let sold: Vec<&str> = quote
                    .sell_assets
                    .iter()
                    .map(|asset| asset.symbol.as_str())
                    .collect();
                let name = words::pair(&sold.join(" + "), quote.buy_asset.symbol.as_str());
                // The RFQ page shows the complete quote.
                view! { <a href=format!("/trade/rfq?quote={}", quote.id)>{name}</a> }.into_any()
            }),
            Column::exact(words::sold(), "end", |quote: &Quote| {
                let [only] = quote.sell_assets.as_slice() else {
                    return None;
                };
                Some(ExactAmount {
                    amount: Amount::from(only.amount),
                    currency: only.symbol.as_str(),
                    out: None,
                })
            })
            .or(|quote| {
                let sold = quote.sell_assets.iter();
                let sold =
                    sold.map(|one| amount_text(&Amount::from(one.amount), one.symbol.as_str()));
                sold.collect::<Vec<_>>().join(" + ").into_any()
            }),
            Column::exact(words::bought(), "end named", |quote| {
                Some(ExactAmount {
                    amount: Amount::from(quote.buy_asset.amount),
                    currency: quote.buy_asset.symbol.as_str(),
                    out: None,
                })
            }),
            Column::new(text::status(), "second", |quote| {
                status_badge(quote.status.as_str(), None).into_any()
            }),
            Column::new(words::exact_side(), "quiet skip-narrow", |quote| {
                words::mode(&quote.mode).to_owned().into_any()
            }),
            Column::new(text::when(), "fit second", |quote| {
                timestamp(quote.created_at).into_any()
            }),
        ],
        id: |quote| quote.id.to_string(),
    }
}

#[component]
pub(crate) fn Quotes() -> impl IntoView {
    let location = Location::from_context();
    let ask = move |list| Some(api::with_query::<ListQuotes>(list));
    let quotes = load(move || ask(location.list()));
    let missing = Memo::new(move |_| quotes.state.with(is_otc_missing));
    // Opening a row goes to the RFQ page.
    Effect::new(move |_| {
        if let Some(id) = location.get(name::OPEN) {
            location.go(&format!("/trade/rfq?quote={id}"), true);
        }
    });
    view! {
        <Show when=move || !missing.get() fallback=NotOverTheCounter>
            <Filters names=FILTERS><DateFilter /></Filters>
            <RecordList
                spec=table_spec() page=quotes.state busy=quotes.busy retry=quotes.retry() filters=FILTERS export=(Exporter::of(ask), "quotes")
                empty=EmptyState { picture: Icon::Trade, title: words::no_quotes(), text: words::no_quotes_lesson(), step: ("/trade/rfq", words::rfq_desk()) }
            />
        </Show>
    }
}
