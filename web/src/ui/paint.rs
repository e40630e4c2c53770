//! What a hand has done is seen at once; what follows from it is built after that picture.
//!
//! Else a slow browser shows nothing, not even that something was pressed, until all of it is built. Nothing gets out of
//! order by this: what waits is done before the next thing that a hand does is looked at.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Event;

/// A page that nobody looks at is not painted.
const LATEST: Duration = Duration::from_millis(200);

/// What a hand does.
const DEEDS: [&str; 5] = ["pointerdown", "keydown", "click", "input", "change"];

thread_local! {
    static WAITING: RefCell<Option<Box<dyn FnOnce()>>> = const { RefCell::new(None) };
    /// Whether a hand has done something of which there may be no picture yet.
    static IS_DONE: Cell<bool> = const { Cell::new(false) };
}

/// Does it once the browser has painted. What waited before is done first.
pub(crate) fn after_paint(act: impl FnOnce() + 'static) {
    flush();
    WAITING.set(Some(Box::new(act)));
    // A frame's own callbacks come before its picture.
    request_animation_frame(|| set_timeout(flush, Duration::ZERO));
    set_timeout(flush, LATEST);
}

/// Does it once the browser has painted, however much of the same there is to do: what a hand does meanwhile goes before,
/// and so does the picture of it.
pub(crate) fn after_idle_paint(act: impl FnOnce() + 'static) {
    with_picture(move || {
        if IS_DONE.take() {
            with_picture(act);
        } else {
            act();
        }
    });
}

fn with_picture(act: impl FnOnce() + 'static) {
    let act = Rc::new(Cell::new(Some(act)));
    let once = move || {
        if let Some(act) = act.take() {
            act();
        }
    };
    let later = once.clone();
    request_animation_frame(|| set_timeout(once, Duration::ZERO));
    set_timeout(later, LATEST);
}

/// Does now what waits for the picture.
pub(crate) fn flush() {
    if let Some(act) = WAITING.take() {
        act();
    }
}

/// From now on nothing that a hand does overtakes what it did before; once, at the start. A click is shown to `click` first.
pub(crate) fn keep_input_order(click: fn(&Event)) {
    let listener = Closure::<dyn Fn(Event)>::new(move |event: Event| {
        IS_DONE.set(true);
        flush();
        if event.type_() == "click" {
            click(&event);
        }
    });
    for deed in DEEDS {
        // Fails only for a listener that is none.
        let _ = window().add_event_listener_with_callback_and_bool(
            deed,
            listener.as_ref().unchecked_ref(),
            true,
        );
    }
    // As long as the page.
    listener.forget();
}
