//! Defers work to the next frame, so that the response to an input is painted first.
//!
//! Otherwise a slow browser shows nothing, not even a pressed button, until everything is built. Order is preserved: deferred work
//! runs before the next input is handled.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Event;

/// Maximum delay: hidden pages are not painted.
const LATEST: Duration = Duration::from_millis(200);

const INPUT_EVENTS: [&str; 5] = ["pointerdown", "keydown", "click", "input", "change"];

thread_local! {
    static WAITING: RefCell<Option<Box<dyn FnOnce()>>> = const { RefCell::new(None) };
    /// Whether input may not be painted yet.
    static IS_DONE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `act` after the next frame. Work already deferred runs first.
pub(crate) fn after_paint(act: impl FnOnce() + 'static) {
    flush();
    WAITING.set(Some(Box::new(act)));
    // Animation frame callbacks run before painting, so a timer is needed after it.
    request_animation_frame(|| set_timeout(flush, Duration::ZERO));
    set_timeout(flush, LATEST);
}

/// Runs `act` after the next frame, or one frame later if there is input in between; for work in many steps.
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

/// Runs deferred work now.
pub(crate) fn flush() {
    if let Some(act) = WAITING.take() {
        act();
    }
}

/// Runs deferred work before each input, once at the start. `click` sees every click first.
pub(crate) fn keep_input_order(click: fn(&Event)) {
    let listener = Closure::<dyn Fn(Event)>::new(move |event: Event| {
        IS_DONE.set(true);
        flush();
        if event.type_() == "click" {
            click(&event);
        }
    });
    for event in INPUT_EVENTS {
        // Fails only for an invalid listener.
        let _ = window().add_event_listener_with_callback_and_bool(
            event,
            listener.as_ref().unchecked_ref(),
            true,
        );
    }
    // Never removed.
    listener.forget();
}
