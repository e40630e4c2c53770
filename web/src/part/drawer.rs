//! Native dialogs: the drawer at the side for one record, the box in the middle for one question.

use leptos::html;
use leptos::prelude::*;

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

/// A click on the backdrop lands on the dialog itself.
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
    keep_open(element, open);
    view! {
        <dialog
            class="drawer"
            node_ref=element
            aria-labelledby="drawer-title"
            on:close=move |_| close.run(())
            on:click=move |event| close_on_backdrop(&event, close)
        >
            <Show when=move || open.get()>
                <div class="drawer-head">
                    <h2 id="drawer-title">{title}</h2>
                    <button type="button" class="button plain square small" aria-label=text::close() title=text::close() on:click=move |_| close.run(())>
                        {icon(Icon::Close)}
                    </button>
                </div>
                <div class="drawer-body">{children()}</div>
            </Show>
        </dialog>
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
