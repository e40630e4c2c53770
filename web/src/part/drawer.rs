//! The drawer at the side for one record, the box in the middle for one question.
//!
//! The box is a native modal dialog. The drawer is a popover: a modal dialog has the browser look anew at every element of
//! the page behind it, which is felt where that is a hundred rows. So what a modal dialog does with keys is done here.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::part::focus::{focused, give_back};
use crate::part::icon::{Icon, icon};
use crate::text;

/// Keeps a `dialog` element in step with a signal. Esc, focus and the inert page behind come with the element.
fn keep_open(element: NodeRef<html::Dialog>, open: Signal<bool>) {
    Effect::new(move |_| {
        let Some(dialog) = element.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => {
                // Fails only for an element outside the document, which then shows nothing anyway.
                let _ = dialog.show_modal();
            }
            (false, true) => dialog.close(),
            _ => {}
        }
    });
}

/// What takes the focus.
const FOCUSABLE: &str = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex='0']";
/// What is open above the drawer and shuts first.
const ABOVE: &str = "dialog[open], [popover=auto]:popover-open";

/// The row of the record that is open, where it is in the list.
fn row() -> Option<HtmlElement> {
    let row = document().query_selector("tr[aria-selected='true']");
    row.ok().flatten()?.dyn_into().ok()
}

/// Keeps the drawer in step with a signal; the focus goes in with it and back to `before`.
fn keep_shown(
    element: NodeRef<html::Div>,
    open: Signal<bool>,
    before: StoredValue<Option<HtmlElement>, LocalStorage>,
) {
    Effect::new(move |_| {
        let Some(veil) = element.get() else { return };
        let veil: &HtmlElement = veil.unchecked_ref();
        let shown = veil.matches(":popover-open").unwrap_or_default();
        // Each fails only for an element outside the document.
        match (open.get(), shown) {
            (true, false) => {
                before.set_value(focused());
                let _ = veil.show_popover();
                if let Some(drawer) = veil.first_element_child() {
                    let _ = drawer.unchecked_ref::<HtmlElement>().focus();
                }
            }
            (false, true) => shut(veil, before),
            _ => {}
        }
    });
}

/// Takes the drawer away and gives the focus back, at once, so that the next key is heard there. What is gone is seen to
/// by `give_back`.
fn shut(veil: &HtmlElement, before: StoredValue<Option<HtmlElement>, LocalStorage>) {
    // Fails only for an element outside the document.
    let _ = veil.hide_popover();
    let before = before.try_update_value(Option::take).flatten();
    if let Some(before) = &before {
        // What cannot take it is seen to below.
        let _ = before.focus();
    }
    give_back(before);
}

/// The tabulator goes round inside the drawer.
fn keep_inside(event: &web_sys::KeyboardEvent, veil: &web_sys::Element) {
    let Ok(all) = veil.query_selector_all(FOCUSABLE) else {
        return;
    };
    let at = |index: u32| all.get(index)?.dyn_into::<HtmlElement>().ok();
    let (Some(first), Some(last)) = (at(0), at(all.length().saturating_sub(1))) else {
        return;
    };
    let now = focused();
    let within = now
        .as_ref()
        .is_some_and(|now| now.matches(FOCUSABLE).unwrap_or_default() && veil.contains(Some(now)));
    let next = match event.shift_key() {
        true if !within || now.as_ref() == Some(&first) => last,
        false if !within || now.as_ref() == Some(&last) => first,
        _ => return,
    };
    event.prevent_default();
    // Fails only for an element that cannot take the focus.
    let _ = next.focus();
}

/// Esc shuts the drawer wherever the focus is, and the tabulator stays in it; unless something is open above it.
fn keys(element: NodeRef<html::Div>, open: Signal<bool>, close: Callback<()>) {
    let listener = window_event_listener(leptos::ev::keydown, move |event| {
        if !open.get_untracked() || !matches!(document().query_selector(ABOVE), Ok(None)) {
            return;
        }
        match event.key().as_str() {
            "Escape" => close.run(()),
            "Tab" => {
                if let Some(veil) = element.get_untracked() {
                    keep_inside(&event, &veil);
                }
            }
            _ => {}
        }
    });
    on_cleanup(move || listener.remove());
}

/// A click beside the drawer lands on what veils the page.
fn close_on_backdrop(event: &web_sys::MouseEvent, close: Callback<()>) {
    let on_itself = event.target() == event.current_target();
    if on_itself {
        close.run(());
    }
}

/// One record at the side of the page.
#[component]
pub(crate) fn Drawer(
    #[prop(into)] open: Signal<bool>,
    close: Callback<()>,
    #[prop(into)] title: Signal<String>,
    children: ChildrenFn,
) -> impl IntoView {
    let element = NodeRef::new();
    let before = StoredValue::new_local(None::<HtmlElement>);
    keep_shown(element, open, before);
    // Whoever has walked from record to record comes back to the row of the last.
    let close = Callback::new(move |()| {
        if let Some(row) = row() {
            before.set_value(Some(row));
        }
        // What is in it goes once it is out of sight.
        if let Some(veil) = element.get_untracked() {
            shut(veil.unchecked_ref(), before);
        }
        close.run(());
    });
    keys(element, open, close);
    view! {
        <div class="veil" popover="manual" node_ref=element on:click=move |event| close_on_backdrop(&event, close)>
            <section class="drawer" role="dialog" aria-modal="true" aria-labelledby="drawer-title" tabindex="-1">
                <Show when=move || open.get()>
                    <div class="drawer-head">
                        <h2 id="drawer-title">{title}</h2>
                        <button type="button" class="button plain square small" aria-label=text::close() title=text::close() on:click=move |_| close.run(())>
                            {icon(Icon::Close)}
                        </button>
                    </div>
                    <div class="drawer-body">{children()}</div>
                </Show>
            </section>
        </div>
    }
}

/// One question or one short form in the middle of the page.
#[component]
pub(crate) fn Box(
    #[prop(into)] open: Signal<bool>,
    close: Callback<()>,
    #[prop(into)] title: Signal<String>,
    children: ChildrenFn,
) -> impl IntoView {
    let element = NodeRef::new();
    keep_open(element, open);
    view! {
        <dialog class="confirm" node_ref=element aria-labelledby="box-title" on:close=move |_| close.run(())>
            <Show when=move || open.get()>
                <div class="inside">
                    <h2 id="box-title">{title}</h2>
                    {children()}
                </div>
            </Show>
        </dialog>
    }
}
