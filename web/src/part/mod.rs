//! What pages are made of. A part knows no page and no operation.

pub(crate) mod amount;
pub(crate) mod chart;
pub(crate) mod columns;
pub(crate) mod confirm;
pub(crate) mod copy;
pub(crate) mod difference;
pub(crate) mod drawer;
pub(crate) mod element;
pub(crate) mod export;
pub(crate) mod facts;
pub(crate) mod field;
pub(crate) mod filter;
pub(crate) mod focus;
pub(crate) mod icon;
pub(crate) mod leaving;
pub(crate) mod list;
pub(crate) mod lock;
pub(crate) mod moment;
pub(crate) mod moment_field;
pub(crate) mod nav;
pub(crate) mod notice;
pub(crate) mod own_data;
pub(crate) mod pager;
pub(crate) mod paint;
pub(crate) mod palette;
pub(crate) mod payload;
pub(crate) mod picked;
pub(crate) mod qr;
pub(crate) mod rows;
pub(crate) mod save;
pub(crate) mod state;
pub(crate) mod table;
pub(crate) mod theme;
pub(crate) mod views;
pub(crate) mod widths;
pub(crate) mod zone;

use leptos::prelude::*;

/// The head of a page: its title, a sentence, and what can be done here.
#[component]
pub(crate) fn PageHead(
    #[prop(into)] title: String,
    #[prop(optional)] lead: &'static str,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    document().set_title(&crate::text::title(&title));
    view! {
        <header class="page-head">
            <div class="page-title">
                <h1>{title}</h1>
                {(!lead.is_empty()).then(|| view! { <p class="lead">{lead}</p> })}
            </div>
            {children.map(|children| view! { <div class="actions row">{children()}</div> })}
        </header>
    }
}
