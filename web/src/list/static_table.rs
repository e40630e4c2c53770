//! A table of loaded records without the keys, updates and columns of a list: in a record, a form, or on the overview.
//!
//! The first load has no list: its code takes 10 KB of at most 350 (`tests/browser/specs/parts.spec.mjs`).

use leptos::html;
use leptos::prelude::*;

use crate::list::table::{Column, Head, TableSpec, align};
use crate::ui::{Alignment, element};

pub(crate) fn static_table<T: 'static>(spec: &TableSpec<T>, records: &[T]) -> AnyView {
    let columns = &spec.columns;
    let cells = |record| columns.iter().map(|column| column.show(record)).collect();
    table_view(StaticTable {
        caption: spec.caption,
        heads: columns.iter().map(Column::head).collect(),
        alignments: columns
            .iter()
            .map(|column| column.alignment(records, Alignment::default()))
            .collect(),
        rows: records.iter().map(cells).collect(),
    })
}

/// The parts of a table that do not depend on the record type, compiled once.
struct StaticTable {
    caption: &'static str,
    heads: Vec<Head>,
    alignments: Vec<Option<Alignment>>,
    rows: Vec<Vec<AnyView>>,
}

fn table_view(table: StaticTable) -> AnyView {
    let node = NodeRef::<html::Table>::new();
    Effect::new(move |_| {
        if let Some(node) = node.get() {
            align(&node, &table.alignments);
        }
    });
    let heads = table.heads.iter().enumerate().map(|(at, (title, class))| {
        view! { <th scope="col" class=*class data-column=at.to_string()>{*title}</th> }
    });
    let row = |cells: Vec<AnyView>| {
        let cells = table.heads.iter().zip(cells).enumerate();
        let cells = cells.map(|(at, ((title, class), cell))| {
            element("td", class)
                .attr("data-column", at.to_string())
                .attr("data-label", *title)
                .view(cell)
        });
        element("tr", "").children(cells)
    };
    // The box can be scrolled by keyboard.
    view! {
        <div class="table-box" tabindex="0" role="group" aria-label=table.caption>
            <table class="table cards" node_ref=node>
                <caption class="hidden-text">{table.caption}</caption>
                <thead><tr>{heads.collect_view()}</tr></thead>
                <tbody>{table.rows.into_iter().map(row).collect::<Vec<_>>()}</tbody>
            </table>
        </div>
    }
    .into_any()
}
