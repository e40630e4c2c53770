//! Overlays: a drawer at the side for a record, a dialog in the middle for a question.
//!
//! Both are popovers with the keys and focus of a modal dialog handled here. A modal dialog makes the browser restyle every element
//! behind it, which is slow with a hundred rows.

use std::cell::{Cell, RefCell};

use js_sys::{Function, Reflect};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::text;
use crate::ui::edits::{Edits, Overlay};
use crate::ui::focus::{focused, restore_focus};
use crate::ui::icon::{Icon, icon};
use crate::ui::paint::after_idle_paint;

/// Selector of elements that Tab reaches.
const FOCUSABLE: &str = ":is(a[href], button, input, select, textarea):not(:disabled, [tabindex='-1']), summary, [tabindex='0']";
/// Selector of elements above all overlays that handle keys themselves.
const ABOVE: &str = "dialog[open], [popover=auto]:popover-open";
/// Selector of an open menu.
const MENU: &str = "[popover=auto]:popover-open";
/// Selector of dialog contents that a click outside must not discard.
const KEEPS_OPEN: &str = "form, progress, .secret";

#[derive(Clone)]
struct Layer {
    veil: HtmlElement,
    is_dialog: bool,
    close: Callback<()>,
    /// Identifies the overlay for its forms.
    overlay: Overlay,
    /// Element focused before it opened.
    before: Option<HtmlElement>,
}

thread_local! {
    /// Open overlays, lowest first. Some may have been removed with their page.
    static OPEN: RefCell<Vec<Layer>> = const { RefCell::new(Vec::new()) };
    /// Target of the last click, which may become a double click.
    static CLICKED: RefCell<Option<Clicked>> = const { RefCell::new(None) };
    /// Number of overlays built, for unique ids.
    static MADE: Cell<u32> = const { Cell::new(0) };
}

fn is_shown(veil: &HtmlElement) -> bool {
    veil.matches(":popover-open").unwrap_or_default()
}

fn top() -> Option<Layer> {
    OPEN.with_borrow_mut(|open| {
        open.retain(|layer| is_shown(&layer.veil));
        open.last().cloned()
    })
}

pub(crate) fn is_any_open() -> bool {
    top().is_some()
}

pub(crate) fn is_dialog_open() -> bool {
    top().is_some_and(|top| top.is_dialog)
}

/// The topmost overlay, unless an element above it handles keys.
fn top_layer() -> Option<Layer> {
    top().filter(|_| matches!(document().query_selector(ABOVE), Ok(None)))
}

/// Row of the open record, if it is in the list.
fn row() -> Option<HtmlElement> {
    let row = document().query_selector("tr[aria-selected='true']");
    row.ok().flatten()?.dyn_into().ok()
}

fn first(within: &web_sys::Element, selector: &str) -> Option<HtmlElement> {
    within
        .query_selector(selector)
        .ok()
        .flatten()?
        .dyn_into()
        .ok()
}

fn enter(panel: Option<HtmlElement>) {
    if let Some(panel) = panel {
        // Fails only for an unfocusable element.
        let _ = panel.focus();
    }
}

fn panel(veil: &HtmlElement) -> Option<HtmlElement> {
    veil.first_element_child()?.dyn_into().ok()
}

/// Opens the overlay on top. A dialog focuses its `autofocus` element, else its first focusable one; a drawer is focused itself,
/// because it is read first.
fn show(veil: &HtmlElement, is_dialog: bool, overlay: Overlay, close: Callback<()>) {
    let layer = Layer {
        veil: veil.clone(),
        is_dialog,
        close,
        overlay,
        before: focused(),
    };
    // On narrow screens it may have been opened from the menu.
    if let Ok(Some(menu)) = document().query_selector(MENU) {
        // Fails only if it is already closed.
        let _ = menu.unchecked_ref::<HtmlElement>().hide_popover();
    }
    // Fails only for an element outside the document.
    let _ = veil.show_popover();
    OPEN.with_borrow_mut(|open| open.push(layer));
    let wanted = || first(veil, "[autofocus]").or_else(|| first(veil, FOCUSABLE));
    enter(is_dialog.then(wanted).flatten().or_else(|| panel(veil)));
}

/// Closes the overlay and restores the focus immediately, so that the next key goes there. `restore_focus` handles a removed
/// element.
fn shut(veil: &HtmlElement, instead: Option<HtmlElement>) {
    let layer = OPEN.with_borrow_mut(|open| {
        let at = open.iter().position(|layer| layer.veil == *veil)?;
        Some(open.remove(at))
    });
    let Some(layer) = layer else { return };
    // Fails only for an element outside the document.
    let _ = veil.hide_popover();
    let before = instead.or(layer.before);
    enter(before.clone());
    restore_focus(before);
}

/// Whether the element is visible: not in a closed `details` and not hidden by CSS. True if `checkVisibility` is unsupported.
fn can_be_seen(stop: &HtmlElement) -> bool {
    let ask = Reflect::get(stop, &"checkVisibility".into());
    let ask = ask.ok().and_then(|ask| ask.dyn_into::<Function>().ok());
    let answer = ask.and_then(|ask| ask.call0(stop).ok());
    answer.and_then(|answer| answer.as_bool()).unwrap_or(true)
}

/// Traps Tab inside the overlay.
fn keep_inside(event: &web_sys::KeyboardEvent, veil: &web_sys::Element) {
    let Ok(all) = veil.query_selector_all(FOCUSABLE) else {
        return;
    };
    let at = |index: u32| {
        let stop = all.get(index)?.dyn_into::<HtmlElement>().ok();
        stop.filter(can_be_seen)
    };
    let inwards = 0..all.length();
    let (Some(first), Some(last)) = (inwards.clone().find_map(at), inwards.rev().find_map(at))
    else {
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
    // Fails only for an unfocusable element.
    let _ = next.focus();
}

/// Blurs the field of an edited form in a drawer, so that a single Esc discards nothing. Returns whether it did.
fn leaves_field(layer: &Layer, edits: Edits) -> bool {
    let in_form = |field: HtmlElement| matches!(field.closest("form"), Ok(Some(_)));
    let is_edited = edits.is_any_in(layer.overlay);
    let writes = !layer.is_dialog && is_edited && focused().is_some_and(in_form);
    if writes {
        enter(panel(&layer.veil));
    }
    writes
}

/// Handles keys: Esc closes the topmost overlay, Tab is trapped inside it, and focus behind it is moved into it.
pub(crate) fn listen_for_keys() {
    let edits = Edits::from_context();
    let keys = window_event_listener(leptos::ev::keydown, move |event| {
        let Some(top) = top_layer() else { return };
        match event.key().as_str() {
            "Escape" if !event.is_composing() && !leaves_field(&top, edits) => top.close.run(()),
            "Tab" => keep_inside(&event, &top.veil),
            _ => {}
        }
    });
    let focus = window_event_listener(leptos::ev::focusin, |event| {
        let before = event.related_target();
        let before = before.and_then(|before| before.dyn_into::<HtmlElement>().ok());
        // Moving the focus now would call this listener recursively.
        queue_microtask(move || {
            if let Some(top) = top_layer()
                && !top.veil.contains(document().active_element().as_deref())
            {
                // A page loading behind it must not take the focus from a field inside.
                let before = before.filter(|before| top.veil.contains(Some(before)));
                enter(before.or_else(|| panel(&top.veil)));
            }
        });
    });
    on_cleanup(move || {
        keys.remove();
        focus.remove();
    });
}

/// The topmost overlay, and the click target inside a dialog.
type Clicked = (Option<HtmlElement>, Option<web_sys::EventTarget>);

/// Ignores the second click of a double click if the first one changed the content under the pointer: it could close a record that
/// just opened, press a button below a dialog, or stop what just started.
pub(crate) fn suppress_double_clicks(event: &web_sys::Event) {
    let Some(click) = event.dyn_ref::<web_sys::MouseEvent>() else {
        return;
    };
    let top = top();
    let is_dialog = top.as_ref().is_some_and(|top| top.is_dialog);
    let here = Some((
        top.map(|top| top.veil),
        event.target().filter(|_| is_dialog),
    ));
    if click.detail() < 2 {
        CLICKED.set(here);
    } else if CLICKED.with_borrow(|clicked| *clicked != here) {
        event.stop_propagation();
        event.prevent_default();
    }
}

/// Contents of an overlay, from the id of its title and its close callback.
type OverlayContents = Box<dyn Fn(String, Callback<()>) -> AnyView + Send + Sync>;

/// Backdrop over the page with a panel announced as a dialog.
fn layer(
    is_dialog: bool,
    open: Signal<bool>,
    close: Callback<()>,
    inside: OverlayContents,
) -> AnyView {
    let (edits, overlay) = (Edits::from_context(), Overlay(MADE.replace(MADE.get() + 1)));
    let element = NodeRef::<html::Div>::new();
    let veil = move || -> Option<HtmlElement> { Some(element.get_untracked()?.unchecked_into()) };
    let close = Callback::new(move |()| {
        // Remove the contents once hidden. After moving through records, focus the row of the last one.
        if let Some(veil) = veil() {
            shut(&veil, (!is_dialog).then(row).flatten());
        }
        close.run(());
    });
    Effect::new(move |_| {
        let Some(veil) = element.get() else { return };
        let veil: &HtmlElement = veil.unchecked_ref();
        match (open.get(), is_shown(veil)) {
            (true, false) => show(veil, is_dialog, overlay, close),
            (false, true) => shut(veil, None),
            _ => {}
        }
    });
    // Restore the focus also if the overlay is removed with its page.
    on_cleanup(move || {
        if open.try_get_untracked() == Some(true) {
            restore_focus(None);
        }
    });
    // A text selection that ends outside is not a click outside.
    let pressed = StoredValue::new(false);
    let is_beside = |event: &web_sys::Event| event.target() == event.current_target();
    let press = move |event: web_sys::PointerEvent| pressed.set_value(is_beside(&event));
    let click = move |event: web_sys::MouseEvent| {
        let loses = || {
            if is_dialog {
                veil().is_some_and(|veil| first(&veil, KEEPS_OPEN).is_some())
            } else {
                edits.is_any_in(overlay)
            }
        };
        if is_beside(&event) && pressed.get_value() && !loses() {
            close.run(());
        }
    };
    let (around, class) = if is_dialog {
        ("veil middle", "confirm")
    } else {
        ("veil", "drawer")
    };
    let title = format!("layer-{}", overlay.0);
    let id = title.clone();
    view! {
        <div class=around popover="manual" node_ref=element on:pointerdown=press on:click=click>
            <section class=class role="dialog" aria-modal="true" aria-labelledby=id tabindex="-1">
                <Show when=move || open.get()>{provide_context(overlay); inside(title.clone(), close)}</Show>
            </section>
        </div>
    }
    .into_any()
}

/// A drawer at the side, for a record.
#[component]
pub(crate) fn Drawer(
    #[prop(into)] open: Signal<bool>,
    close: Callback<()>,
    #[prop(into)] title: Signal<String>,
    children: ChildrenFn,
) -> impl IntoView {
    let inside = move |id: String, close: Callback<()>| {
        // Paint it before building its contents.
        let is_seen = RwSignal::new(false);
        after_idle_paint(move || {
            is_seen.try_set(true);
        });
        let children = children.clone();
        view! {
            <div class="drawer-head">
                <h2 id=id>{title}</h2>
                <button type="button" class="button plain square small" aria-label=text::close() title=text::close() on:click=move |_| close.run(())>
                    {icon(Icon::Close)}
                </button>
            </div>
            <div class="drawer-body">{move || is_seen.get().then(|| children())}</div>
        }
        .into_any()
    };
    layer(false, open, close, Box::new(inside))
}

/// A dialog in the middle, for a question or a short form.
#[component]
pub(crate) fn Dialog(
    #[prop(into)] open: Signal<bool>,
    close: Callback<()>,
    #[prop(into)] title: Signal<String>,
    children: ChildrenFn,
) -> impl IntoView {
    let inside = move |id: String, _: Callback<()>| {
        view! {
            <div class="inside">
                <h2 id=id>{title}</h2>
                {children()}
            </div>
        }
        .into_any()
    };
    layer(true, open, close, Box::new(inside))
}
