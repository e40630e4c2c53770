//! Command palette: its dialog, and the pages of complete ids. What it finds is loaded on demand.

use std::str::FromStr;

use leptos::prelude::*;
use settlekit_core::value::{
    CustomerId, EventId, InvoiceId, OrderId, PaylinkId, PaymentId, PlanId, QuoteId, SubscriptionId,
};

use crate::text;
use crate::ui::{Dialog, after_paint};

/// Page of the records with an id prefix.
struct IdPage {
    prefix: &'static str,
    page: &'static str,
    is_id: fn(&str) -> bool,
}

fn id_page<Id: FromStr>(prefix: &'static str, page: &'static str) -> IdPage {
    IdPage {
        prefix,
        page,
        is_id: |text| text.parse::<Id>().is_ok(),
    }
}

fn id_pages() -> [IdPage; 9] {
    [
        id_page::<PaymentId>(PaymentId::PREFIX, "/payments"),
        id_page::<CustomerId>(CustomerId::PREFIX, "/customers"),
        id_page::<SubscriptionId>(SubscriptionId::PREFIX, "/subscriptions"),
        id_page::<InvoiceId>(InvoiceId::PREFIX, "/invoices"),
        id_page::<PlanId>(PlanId::PREFIX, "/plans"),
        id_page::<PaylinkId>(PaylinkId::PREFIX, "/paylinks"),
        id_page::<EventId>(EventId::PREFIX, "/events"),
        id_page::<OrderId>(OrderId::PREFIX, "/trade/orders"),
        id_page::<QuoteId>(QuoteId::PREFIX, "/trade/quotes"),
    ]
}

/// Path of the record with this id; none if it is not a complete id, or of another kind.
pub(crate) fn address_of(id: &str) -> Option<String> {
    let mut all = id_pages().into_iter();
    let found = all.find(|page| id.starts_with(page.prefix) && (page.is_id)(id));
    found.map(|IdPage { page, .. }| format!("{page}?open={id}"))
}

/// The palette, opened by Ctrl or Cmd with K, or by the button beside the navigation.
#[component]
pub(crate) fn Palette(
    open: RwSignal<bool>,
    /// Contents, given a placeholder until they are loaded.
    inside: fn(fn() -> AnyView) -> AnyView,
) -> impl IntoView {
    let close = Callback::new(move |()| open.set(false));
    let typed = RwSignal::new(String::new());
    provide_context(PaletteState { close, typed });
    // Paint the dialog before building its contents.
    let seen = RwSignal::new(false);
    Effect::new(move |_| {
        if open.get() {
            after_paint(move || {
                seen.try_set(true);
            });
        } else {
            seen.set(false);
            typed.set(String::new());
        }
    });
    view! {
        <Dialog open=open close=close title=text::palette()>
            {move || if seen.get() { untrack(|| inside(shape)) } else { shape() }}
        </Dialog>
    }
}

/// Placeholder; keeps text typed into it.
fn shape() -> AnyView {
    let PaletteState { typed, .. } = expect_context();
    let field = NodeRef::<leptos::html::Input>::new();
    take_focus(field);
    view! {
        <div class="palette" aria-busy="true">
            <input
                node_ref=field class="input" type="text" aria-label=text::palette() placeholder=text::palette_hint() autocomplete="off" spellcheck="false"
                prop:value=typed
                on:input=move |event| typed.set(event_target_value(&event))
            />
            <span class="bone plot"></span>
        </div>
    }
    .into_any()
}

/// Focuses the input once it is loaded.
pub(crate) fn take_focus(field: NodeRef<leptos::html::Input>) {
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            // Fails only for an unfocusable element.
            let _ = field.focus();
        }
    });
}

/// State shared by the palette and its contents.
#[derive(Clone, Copy)]
pub(crate) struct PaletteState {
    pub(crate) close: Callback<()>,
    pub(crate) typed: RwSignal<String>,
}
