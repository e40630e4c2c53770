//! Quote history, for organisations with the OTC feature.

use leptos::prelude::*;
use settlekit_core::quote::{ListQuotes, Quote};
use settlekit_core::value::Amount;

use crate::api;
use crate::list::{
    Column, DATE_FILTERS, EmptyState, FilterBar, FilterSpec, RecordList, TableSpec, exact,
    load_list,
};
use crate::page::trading::{NotOverTheCounter, is_otc_missing};
use crate::shell::{Location, name};
use crate::text::{self, money as words};
use crate::ui::{Icon, amount_text, status_badge};

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
                exact(only.amount, only.symbol.as_str())
            })
            .or(|quote| {
                let sold = quote.sell_assets.iter();
                let sold =
                    sold.map(|one| amount_text(&Amount::from(one.amount), one.symbol.as_str()));
                sold.collect::<Vec<_>>().join(" + ").into_any()
            }),
            Column::exact(words::bought(), "end named", |quote| {
                exact(quote.buy_asset.amount, quote.buy_asset.symbol.as_str())
            }),
            Column::new(text::status(), "second", |quote| {
                status_badge(quote.status.as_str(), None).into_any()
            }),
            Column::text(words::exact_side(), "quiet skip-narrow", |quote| {
                Some(words::mode(&quote.mode).to_owned())
            }),
            Column::time(text::when(), "fit second", |quote| Some(quote.created_at)),
        ],
        id: |quote| quote.id.to_string(),
    }
}

#[component]
pub(crate) fn Quotes() -> impl IntoView {
    let location = Location::from_context();
    let quotes = load_list("quotes", |list| Some(api::with_query::<ListQuotes>(list)));
    let page = quotes.page;
    let missing = Memo::new(move |_| page.with(is_otc_missing));
    // Opening a row goes to the RFQ page.
    Effect::new(move |_| {
        if let Some(id) = location.get(name::OPEN) {
            location.go(&format!("/trade/rfq?quote={id}"), true);
        }
    });
    view! {
        <Show when=move || !missing.get() fallback=NotOverTheCounter>
            <FilterBar filters=FilterSpec::by_date() />
            <RecordList
                spec=table_spec() list=quotes.clone() filters=DATE_FILTERS
                empty=EmptyState { picture: Icon::Trade, title: words::no_quotes(), text: words::no_quotes_hint(), step: ("/trade/rfq", words::rfq_desk()) }
            />
        </Show>
    }
}
