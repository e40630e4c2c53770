//! Preview of the checkout page: the page itself in a frame, with a made-up payment and the form's unsaved values.

use js_sys::{JSON, Object, Reflect};
use leptos::html::Iframe;
use leptos::prelude::*;
use serde_json::{Value, json};
use settlekit_core::organisation::{Appearance, CheckoutStyle};
use wasm_bindgen::JsCast;
use web_sys::{MessageEvent, Window};

use crate::address::base_path;
use crate::text::{self, Language};

/// What the page shows.
#[derive(Clone, PartialEq)]
pub(super) struct PreviewPage {
    /// Name and logo URL.
    pub(super) merchant: (String, Option<String>),
    pub(super) style: CheckoutStyle,
}

/// Messages between this page and the frame: `{ settlekit: "preview", … }`.
const MESSAGE: &str = "preview";

/// The colour scheme of the payer's device, where the merchant leaves it to that.
#[derive(Clone, Copy, PartialEq)]
enum Scheme {
    Light,
    Dark,
}

#[derive(Clone, Copy, PartialEq)]
enum Width {
    Phone,
    Desktop,
}

fn window_of(frame: &web_sys::HtmlElement) -> Option<Window> {
    let inside = Reflect::get(frame, &"contentWindow".into()).ok()?;
    inside.is_object().then(|| inside.unchecked_into())
}

fn origin() -> Option<String> {
    window().location().origin().ok()
}

/// Whether a message is the frame's own.
fn is_from(frame: &web_sys::HtmlElement, event: &MessageEvent) -> bool {
    let is_own_page = origin().is_some_and(|origin| event.origin() == origin);
    let source = Reflect::get(event, &"source".into()).unwrap_or_default();
    let is_frame = window_of(frame).is_some_and(|inside| Object::is(&source, &inside));
    let kind = Reflect::get(&event.data(), &"settlekit".into()).unwrap_or_default();
    is_own_page && is_frame && kind.as_string().as_deref() == Some(MESSAGE)
}

/// Posts to the frame what to show. Only a page of this origin receives it.
fn post_message(frame: &web_sys::HtmlElement, message: &Value) {
    let message = JSON::parse(&message.to_string()).ok();
    if let (Some(inside), Some(message), Some(origin)) = (window_of(frame), message, origin()) {
        // Fails only for a message that cannot be copied.
        let _ = inside.post_message(&message, &origin);
    }
}

#[component]
pub(super) fn CheckoutPreview(#[prop(into)] page: Signal<PreviewPage>) -> impl IntoView {
    let frame: NodeRef<Iframe> = NodeRef::new();
    let scheme = RwSignal::new(Scheme::Light);
    let width = RwSignal::new(Width::Phone);
    let language = RwSignal::new(text::chosen());
    // A fixed scheme is that of every device.
    let fixed = Memo::new(
        move |_| match page.with(|page| page.style.appearance.clone()) {
            Some(Appearance::Light) => Some(Scheme::Light),
            Some(Appearance::Dark) => Some(Scheme::Dark),
            _ => None,
        },
    );
    let shown = Memo::new(move |_| fixed.get().unwrap_or(scheme.get()));
    let message = Memo::new(move |_| {
        let PreviewPage {
            merchant: (name, logo),
            style,
        } = page.get();
        json!({
            "settlekit": MESSAGE,
            "merchant": { "name": name, "logo_url": logo },
            "style": style.resolve(),
            "scheme": if shown.get() == Scheme::Dark { "dark" } else { "light" },
        })
    });
    let send = move || {
        if let Some(frame) = frame.get_untracked() {
            message.with_untracked(|message| post_message(&frame, message));
        }
    };
    Effect::new(move |_| {
        message.track();
        send();
    });
    // The frame asks when it is loaded.
    let listener = window_event_listener_untyped("message", move |event| {
        let event: MessageEvent = event.unchecked_into();
        if frame
            .get_untracked()
            .is_some_and(|frame| is_from(&frame, &event))
        {
            send();
        }
    });
    on_cleanup(move || listener.remove());
    // A new frame for each language: another address of the same one would be a step of the browser's history.
    let page = move || {
        let address = format!(
            "{}/embed/preview?language={}",
            base_path(),
            language.get().tag
        );
        view! { <iframe node_ref=frame title=text::preview() src=address></iframe> }
    };
    view! {
        <aside class="stack-tight sticky" aria-label=text::preview()>
            <h2 class="section-title">{text::preview()}</h2>
            <div class="row tight">
                <div class="segments" role="group" aria-label=text::color_scheme()>
                    {[(Scheme::Light, text::theme_light()), (Scheme::Dark, text::theme_dark())].map(|(one, label)| view! {
                        <button type="button" disabled=move || fixed.get().is_some() aria-pressed=move || (shown.get() == one).to_string() on:click=move |_| scheme.set(one)>{label}</button>
                    })}
                </div>
                <div class="segments" role="group" aria-label=text::preview_width()>
                    {[(Width::Phone, text::preview_phone()), (Width::Desktop, text::preview_desktop())].map(|(one, label)| view! {
                        <button type="button" aria-pressed=move || (width.get() == one).to_string() on:click=move |_| width.set(one)>{label}</button>
                    })}
                </div>
                <div class="segments" role="group" aria-label=text::language()>
                    {Language::ALL.map(|one| view! {
                        <button type="button" lang=one.tag aria-pressed=move || (language.get() == one).to_string() on:click=move |_| language.set(one)>{one.name}</button>
                    })}
                </div>
            </div>
            <div class="checkout-preview" class:wide=move || width.get() == Width::Desktop>
                {page}
            </div>
        </aside>
    }
}
