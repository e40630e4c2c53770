//! The shell around every page: navigation, who is signed in, the theme, and the keys.

use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_location;
use settlekit_core::session::DeleteSession;
use wasm_bindgen::JsCast;

use crate::api;
use crate::chunk;
use crate::form::Form;
use crate::kept::{is_kept, keep_whether};
use crate::live::Live;
use crate::part::drawer::{Box, is_box_open, is_open, keep_keys};
use crate::part::field::Tick;
use crate::part::focus::{focus, focused, give_back};
use crate::part::icon::{Icon, icon};
use crate::part::leaving::{Leaving, is_left, keep_typed};
use crate::part::lock::is_covered;
use crate::part::moment::keep_ages;
use crate::part::notice::{Notice, Tone};
use crate::part::paint::way_of;
use crate::part::palette::Palette;
use crate::part::theme::Theme;
use crate::place::{Place, within};
use crate::session::{Session, Who};
use crate::text;

/// Where the choice about single keys is kept.
const KEYS_OFF: &str = "settlekit.keys-off";

/// Two lines of unequal length meeting in the middle: an account and its counter-account.
fn mark() -> impl IntoView {
    view! {
        <svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
            <rect x="1" y="1" width="22" height="22" rx="6" fill="currentColor" />
            <path d="M7 9.5h7.5M17 14.5H9.5" fill="none" stroke="var(--on-accent)" stroke-width="2.2" stroke-linecap="round" />
        </svg>
    }
}

/// The name of the product with its mark.
#[component]
pub(crate) fn Brand(#[prop(into)] below: Signal<String>) -> impl IntoView {
    view! { <span class="brand">{mark()}<span class="brand-text">{text::product()}<small>{below}</small></span></span> }
}

/// The shell of a signed-in reader.
#[component]
pub(crate) fn Shell(children: Children) -> impl IntoView {
    let session = Session::here();
    let live = Live::here();
    let record = Memo::new(move |_| session.record());
    let organisation = Signal::derive(move || {
        record
            .get()
            .map(|record| record.org_name)
            .unwrap_or_default()
    });
    let count = move |of: fn(&settlekit_core::overview::Overview) -> u64| {
        Memo::new(move |_| {
            live.overview
                .with(|overview| overview.ready().map(of))
                .filter(|count| *count > 0)
        })
    };
    let processing = count(|overview| overview.payments_processing);
    let failed = count(|overview| overview.deliveries_failed);
    // Wherever the reader is: why nothing can be done.
    let suspended = Memo::new(move |_| {
        live.overview.with(|overview| {
            let overview = overview.ready().filter(|overview| overview.is_suspended)?;
            let why = overview.suspension_type.clone();
            Some(why.unwrap_or_else(|| text::suspended_why().to_owned()))
        })
    });
    let (help, palette) = (RwSignal::new(false), RwSignal::new(false));
    keys(help, palette);
    // Whoever goes back or forward is done with what stood over the page.
    let back = window_event_listener_untyped("popstate", move |_| {
        help.set(false);
        palette.set(false);
    });
    on_cleanup(move || back.remove());
    keep_keys();
    keep_typed();
    keep_ages();

    // On a narrow screen the navigation is a popover: going somewhere closes it.
    let path = use_location().pathname;
    Effect::new(move |before: Option<()>| {
        let _ = path.get();
        if let Some(side) = document()
            .get_element_by_id("side")
            .and_then(|side| side.dyn_into::<web_sys::HtmlElement>().ok())
            && side.matches(":popover-open").unwrap_or_default()
        {
            let _ = side.hide_popover();
        }
        // What was pressed to come here may have gone with the page before; on the first page nothing was.
        if before.is_some() {
            is_left();
            give_back(None);
        }
    });

    let place = Place::here();
    let follow = move |event: web_sys::MouseEvent| {
        if let Some(to) = way_of(&event) {
            event.prevent_default();
            place.follow(&to);
        }
    };

    view! {
        <a class="skip" href="#main" on:click=|event| { event.prevent_default(); focus("#main"); }>{text::skip()}</a>
        <div class="shell" on:click=follow>
            <header class="side" id="side" popover="auto">
                <Brand below=organisation />
                <button type="button" class="find" on:pointerover=|_| chunk::expect("/settings") on:click=move |_| palette.set(true)>{icon(Icon::Search)}{text::palette_button()}<kbd>{text::palette_keys()}</kbd></button>
                <nav
                    aria-label=text::main_nav()
                    on:pointerover=move |event| expect(event.target())
                    on:focusin=move |event| expect(event.target())
                >
                    <ul class="nav">
                        <li><A href="/" exact=true>{icon(Icon::Home)}{text::overview()}</A></li>
                        <li><A href="/movements">{icon(Icon::Movements)}{text::movements()}</A></li>
                        <li><A href="/accounts">{icon(Icon::Accounts)}{text::money::accounts()}</A></li>
                        <li><A href="/payments">{icon(Icon::Payments)}{text::payments()}{move || processing.get().map(|count| view! { <span class="count">{count}<span class="hidden-text">" " {text::processing()}</span></span> })}</A></li>
                        <li><A href="/paylinks">{icon(Icon::Link)}{text::paylinks()}</A></li>
                        <li><A href="/plans">{icon(Icon::Plan)}{text::plans()}</A></li>
                        <li><A href="/subscriptions">{icon(Icon::Turning)}{text::subscriptions()}</A></li>
                        <li><A href="/invoices">{icon(Icon::Invoice)}{text::invoices()}</A></li>
                        <li><A href="/customers">{icon(Icon::People)}{text::customers()}</A></li>
                        <li><A href="/payouts">{icon(Icon::Payout)}{text::money::payouts()}</A></li>
                        <li><A href="/external-accounts">{icon(Icon::Bank)}{text::money::external_accounts()}</A></li>
                        <li><A href="/trade">{icon(Icon::Trade)}{text::money::trading()}</A></li>
                        <li><A href="/automations">{icon(Icon::Partner)}{text::money::automations()}</A></li>
                        <li><A href="/events">{icon(Icon::Events)}{text::events()}{move || failed.get().map(|count| view! { <span class="count bad">{count}<span class="hidden-text">" " {text::failed()}</span></span> })}</A></li>
                        <li><A href="/settings">{icon(Icon::Settings)}{text::settings()}</A></li>
                        // Served beside the dashboard, not a page of it.
                        <li><a href="/docs" rel="external">{icon(Icon::Leave)}{text::interface()}</a></li>
                    </ul>
                </nav>
                <div class="side-foot">
                    <Show when=move || record.with(|record| record.as_ref().is_some_and(|record| record.sandbox))>
                        <a class="sandbox" href="/sandbox">{icon(Icon::Flask)}{text::sandbox()}</a>
                    </Show>
                    <Theme />
                    <Signed />
                </div>
            </header>
            <div>
                <nav class="top" aria-label=text::menu()>
                    <button type="button" class="button plain square" popovertarget="side" aria-label=text::menu()>{icon(Icon::Menu)}</button>
                    <Brand below=organisation />
                </nav>
                <main class="main" id="main" tabindex="-1">
                    // Wherever the reader is: what is shown may be old.
                    <div class="offline" role="status">{move || live.is_stale().then(|| view! { <p>{icon(Icon::Alert)}{text::stale()}</p> })}</div>
                    <div role="status">{move || suspended.get().map(|why| view! { <div class="banner"><Notice tone=Tone::Bad title=text::suspended()>{why}</Notice></div> })}</div>
                    {children()}
                </main>
            </div>
        </div>
        <Help open=help />
        <Palette open=palette inside=chunk::palette />
    }
}

/// Who is signed in, and the way out.
#[component]
fn Signed() -> impl IntoView {
    let session = Session::here();
    let form = Form::new();
    Live::here().rests_during(form);
    let user = move || session.record().map(|record| record.user);
    let leaving = Leaving::here();
    let sign_out = move || {
        form.send::<DeleteSession>(settlekit_core::call::Arguments::default(), move |_| {
            session.set(Who::Nobody { ended: false })
        });
    };
    view! {
        <div class="who">
            <span><strong>{move || user().map(|user| user.name)}</strong><small>{move || user().map(|user| user.email)}</small></span>
            <button type="button" class="button plain square small push" aria-label=text::sign_out() title=text::sign_out() disabled=form.busy on:click=move |_| leaving.go("", false, std::boxed::Box::new(sign_out))>
                {icon(Icon::SignOut)}
            </button>
        </div>
    }
}

/// That what is shown is current; when it is not, the shell says so.
#[component]
pub(crate) fn Pulse() -> impl IntoView {
    let live = Live::here();
    view! {
        <span role="status">
            {move || live.is_current().then(|| view! { <span class="live">{text::live()}</span> })}
        </span>
    }
}

/// The reader points at a link, or has come to it by key.
fn expect(target: Option<web_sys::EventTarget>) {
    let link = target
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
        .and_then(|element| element.closest("a").ok().flatten());
    if let Some(address) = link.and_then(|link| link.get_attribute("href")) {
        chunk::expect(&within(&address));
    }
}

/// Whether the reader has turned single keys off.
pub(crate) fn keys_off() -> bool {
    is_kept(KEYS_OFF)
}

/// `/` for the first filter or the first row, `?` for help. Never while the reader types or a dialog is open.
///
/// Ctrl or Cmd with K opens the palette wherever the reader is; `[` and `]` walk the records while one is open.
fn keys(help: RwSignal<bool>, palette: RwSignal<bool>) {
    let listener = window_event_listener(leptos::ev::keydown, move |event| {
        if is_covered() {
            return;
        }
        let with_other = event.ctrl_key() || event.meta_key();
        if with_other && event.key().eq_ignore_ascii_case("k") {
            event.prevent_default();
            palette.update(|open| *open = !*open);
            return;
        }
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        if matches!(event.key().as_str(), "[" | "]") && !with_other && !keys_off() {
            let writes = target.as_ref().is_some_and(|element| {
                element
                    .matches("input, select, textarea")
                    .unwrap_or_default()
            });
            if !writes && !is_box_open() {
                neighbour(event.key() == "]");
            }
            return;
        }
        let typing = target.is_some_and(|element| {
            element
                .matches("input, select, textarea, dialog *")
                .unwrap_or_default()
        });
        if typing
            || is_open()
            || keys_off()
            || event.ctrl_key()
            || event.meta_key()
            || event.alt_key()
        {
            return;
        }
        let to_focus = match event.key().as_str() {
            "/" => ".filters input, .filters select",
            // In a row they are the row's own.
            "j" if !event.default_prevented() => ".table tr[tabindex]",
            "ArrowDown" if focused().is_none_or(|element| element.id() == "main") => {
                ".table tr[tabindex]"
            }
            "?" => {
                help.set(true);
                return;
            }
            "n" => return turn_page("next"),
            "p" => return turn_page("previous"),
            _ => return,
        };
        if focus(to_focus) {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}

/// Turns to the neighbouring page of the list, where there is one.
fn turn_page(which: &str) {
    let button = document().query_selector(&format!(".page .pager button[name='{which}']:enabled"));
    if let Some(button) = button.ok().flatten() {
        button.unchecked_into::<web_sys::HtmlElement>().click();
    }
}

/// Opens the record after the open one in the list, or before it.
fn neighbour(after: bool) {
    let open = document().query_selector("tr[aria-selected='true']");
    let Some(row) = open.ok().flatten() else {
        return;
    };
    let next = if after {
        row.next_element_sibling()
    } else {
        row.previous_element_sibling()
    };
    if let Some(next) = next.and_then(|next| next.dyn_into::<web_sys::HtmlElement>().ok()) {
        next.click();
    }
}

/// The help and the way out of it.
#[component]
fn Help(open: RwSignal<bool>) -> impl IntoView {
    let close = Callback::new(move |()| open.set(false));
    view! {
        <Box open=open close=close title=text::keys()>
            {chunk::help()}
            <div class="row"><button type="button" class="button" on:click=move |_| close.run(())>{text::close()}</button></div>
        </Box>
    }
}

/// The keys, and the switch that turns single keys off: the first sight does without them.
#[component]
pub(crate) fn Keys() -> impl IntoView {
    view! {
        <dl class="keys">
            {text::key_list().map(|(key, meaning)| view! { <dt><kbd>{key}</kbd></dt><dd>{meaning}</dd> })}
        </dl>
        <KeysOff />
    }
}

/// The switch that turns single keys off, as it was chosen by now.
#[component]
pub(crate) fn KeysOff() -> impl IntoView {
    let off = RwSignal::new(keys_off());
    Effect::new(move |_| keep_whether(KEYS_OFF, off.get()));
    view! { <Tick label=text::keys_off() value=off /> }
}

/// Asks the service who is signed in; once, at the start.
pub(crate) fn recognise(session: Session) {
    if !crate::session::perhaps() {
        session.set(Who::Nobody { ended: false });
        return;
    }
    leptos::task::spawn_local(async move {
        let answer = api::call::<settlekit_core::session::GetSession>(session, api::plain()).await;
        session.set(match answer {
            Ok(record) => Who::Signed(std::boxed::Box::new(record)),
            Err(trouble) => match &trouble.cause {
                api::Cause::Answered(settlekit_core::call::Failure::Refused(error))
                    if error.code == 401 =>
                {
                    Who::Nobody { ended: false }
                }
                _ => Who::Unreachable(trouble),
            },
        });
    });
}
