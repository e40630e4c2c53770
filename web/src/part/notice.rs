//! What happened: toasts for a moment, notices that stay, the three sights of a list that has nothing to show.

use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::error::Reason;

use crate::api::{Cause, Trouble};
use crate::form::Form;
use crate::load::Loaded;
use crate::part::element::{Element, element};
use crate::part::icon::{Icon, icon};
use crate::place::Place;
use crate::text;

/// How long a toast stays, in milliseconds.
const TOAST_MS: u32 = 3_500;

/// The page's one live region for short news.
#[derive(Clone, Copy)]
pub(crate) struct Toasts(RwSignal<Vec<(u32, Toast)>>);

/// What is said, and whether it is a failure: that stays until the reader has seen it.
type Toast = (String, bool);

impl Toasts {
    /// Makes the region; once, at the root.
    pub(crate) fn provide() {
        provide_context(Self(RwSignal::new(Vec::new())));
    }

    /// The region of this page.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Says something for a moment.
    pub(crate) fn say(self, text: String) {
        self.pass(text, false);
    }

    fn pass(self, text: String, failed: bool) {
        let number = self.add(text, failed);
        spawn_local(async move {
            gloo_timers::future::TimeoutFuture::new(TOAST_MS).await;
            self.take_away(number);
        });
    }

    /// Says what came of something, and keeps it there where some of it failed.
    pub(crate) fn tell(self, text: String, failed: bool) {
        if failed {
            self.add(text, true);
        } else {
            self.say(text);
        }
    }

    /// Says for a moment what was not done.
    pub(crate) fn warn(self, text: String) {
        self.pass(text, true);
    }

    /// Says what failed, where there is no better place for it.
    pub(crate) fn fail(self, trouble: Trouble) {
        let (sentence, english) = trouble.sentences();
        let mut text = trouble.title().to_owned() + ": " + &sentence + " " + &english;
        if let Some(id) = trouble.request_id {
            text.push(' ');
            text.push_str(&text::request_of(&id));
        }
        self.add(text, true);
    }

    fn add(self, text: String, failed: bool) -> u32 {
        let number = self
            .0
            .with_untracked(|toasts| toasts.last().map_or(0, |(number, _)| number + 1));
        self.0
            .update(|toasts| toasts.push((number, (text, failed))));
        number
    }

    fn take_away(self, number: u32) {
        self.0
            .update(|toasts| toasts.retain(|(other, _)| *other != number));
    }
}

/// The toasts themselves.
#[component]
pub(crate) fn ToastRegion() -> impl IntoView {
    let toasts = Toasts::here();
    let element = NodeRef::<leptos::html::Div>::new();
    // Above a dialog that is open: what is shown last is on top.
    Effect::new(move |_| {
        let some = toasts.0.with(|toasts| !toasts.is_empty());
        if let Some(region) = element.get() {
            // Fails where the region is as it should be already.
            let _ = region.hide_popover();
            if some {
                let _ = region.show_popover();
            }
        }
    });
    view! {
        <div class="toasts" role="status" aria-live="polite" popover="manual" node_ref=element>
            <For each=move || toasts.0.get() key=|(number, _)| *number let((number, (text, failed)))>
                <div class="toast">
                    {icon(if failed { Icon::Alert } else { Icon::Check })}
                    <span>{text}</span>
                    {failed.then(|| view! {
                        <button type="button" class="copy" aria-label=text::close() on:click=move |_| toasts.take_away(number)>{icon(Icon::Close)}</button>
                    })}
                </div>
            </For>
        </div>
    }
}

/// How a notice is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Warn,
    Bad,
}

impl Tone {
    const fn class(self) -> &'static str {
        match self {
            Self::Plain => "notice",
            Self::Good => "notice good",
            Self::Warn => "notice warn",
            Self::Bad => "notice bad",
        }
    }

    const fn icon(self) -> Icon {
        match self {
            Self::Plain => Icon::Dash,
            Self::Good => Icon::Done,
            Self::Warn | Self::Bad => Icon::Alert,
        }
    }
}

/// A notice that stays until its cause is gone.
#[component]
pub(crate) fn Notice(tone: Tone, #[prop(into)] title: String, children: Children) -> impl IntoView {
    let role = if tone == Tone::Bad { "alert" } else { "note" };
    view! {
        <div class=tone.class() role=role>
            {icon(tone.icon())}
            <div class="body"><strong>{title}</strong>{children()}</div>
        </div>
    }
}

/// A sentence, and what the service says besides in English.
pub(crate) fn said(sentence: String, english: String) -> Element {
    let english = (!english.is_empty()).then(|| {
        element("small", "english")
            .with("lang", "en")
            .words(english)
    });
    element("span", "").words(sentence).and_some(english)
}

/// What happened and what to do.
pub(crate) fn why(trouble: &Trouble) -> Element {
    let (sentence, english) = trouble.sentences();
    said(sentence, english)
}

/// A failed call: what was wanted, why it failed, the request's id, and a way to try again. Where the address asks for what
/// cannot be read, or for what there is not, to try again is of no use: it says for what, as written, and the way on is to
/// leave that out; or the way back to the list. Nor does it help who has not the right.
#[component]
pub(crate) fn Failed(
    trouble: Trouble,
    #[prop(optional_no_strip)] retry: Option<Callback<()>>,
) -> impl IntoView {
    let place = Place::here();
    let mut unread: Vec<String> = Vec::new();
    let mut written = Vec::new();
    for (field, ..) in trouble.complaints() {
        let field = field.filter(|_| retry.is_some()).unwrap_or_default();
        // One of several values of a parameter is complained of as its entry.
        let name = field.split('[').next().unwrap_or_default();
        if unread.iter().any(|known| known == name) {
            continue;
        }
        if let Some(value) = untrack(|| place.get(name)) {
            written.push(element("code", "").words(format!("{name}={value}")));
            unread.push(name.to_owned());
        }
    }
    let (title, act, picture) = if unread.is_empty() {
        (trouble.title(), text::try_again(), Icon::Turning)
    } else {
        (text::unread(), text::leave_out(), Icon::Close)
    };
    let is_nothing = trouble.reason() == Some(Reason::NotFound);
    let back = retry.filter(|_| is_nothing).and_then(|_| place.back());
    let retry = retry.filter(|_| !is_nothing && !trouble.is_forbidden());
    let request = trouble.request_id.as_deref();
    let body = element("div", "body")
        .and(element("strong", "").words(title))
        .and_some(written)
        .and(why(&trouble))
        .and_some(request.map(|id| element("small", "mono").words(text::request_of(id))));
    let button = retry.map(|retry| {
        element("button", "button small")
            .with("type", "button")
            .and(icon(picture))
            .words(act)
            .press(move |_| {
                if unread.is_empty() {
                    retry.run(());
                } else {
                    place.clear(&unread);
                }
            })
    });
    element("div", "notice bad failed")
        .with("role", "alert")
        .and(icon(Icon::Alert))
        .and(body)
        .and_some(button)
        .and_some(back.map(|to| {
            element("a", "button small")
                .with("href", to)
                .words(text::back_to_list())
        }))
}

/// Why an act came to nothing, where no field is to blame.
pub(crate) fn refusal(form: Form) -> AnyView {
    failure(form.trouble.into(), None)
}

/// That what was asked for did not come, and another try.
pub(crate) fn missing<T: Send + Sync + 'static>(loaded: Loaded<T>) -> AnyView {
    failure(loaded.failed().into(), Some(loaded.retry()))
}

/// A failed call for as long as there is one.
pub(crate) fn failure(trouble: Signal<Option<Trouble>>, retry: Option<Callback<()>>) -> AnyView {
    (move || {
        trouble
            .get()
            .map(|trouble| view! { <Failed trouble=trouble retry=retry /> })
    })
    .into_any()
}

/// Why an act on money came to nothing; where no answer came, that nobody knows, and the safe way on.
#[component]
pub(crate) fn MoneyTrouble(
    form: Form,
    /// Where to look for what may have happened, and its words.
    look: (&'static str, &'static str),
) -> impl IntoView {
    let why = move || {
        form.trouble.get().map(|trouble| {
            let request = trouble.request_id.clone();
            view! {
                {(trouble.cause != Cause::Offline).then(|| view! { <p class="quiet">{why(&trouble)}</p> })}
                {request.map(|id| view! { <small class="mono">{text::request_of(&id)}</small> })}
            }
        })
    };
    view! {
        <Show when=move || form.unknown.get() fallback=move || refusal(form)>
            <Notice tone=Tone::Warn title=text::money::outcome_unknown()>
                <p>{text::money::outcome_unknown_why()}</p>
                {why}
                <div class="row">
                    <button type="button" class="button small" disabled=form.busy on:click=move |_| form.send_again()>{icon(Icon::Turning)}{text::money::ask_again()}</button>
                    <a class="button small" href=look.0>{look.1}</a>
                </div>
            </Notice>
        </Show>
    }
}

/// A list without items: what would stand here and the first step towards it.
#[component]
pub(crate) fn Empty(
    picture: Icon,
    #[prop(into)] title: String,
    #[prop(into)] lesson: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty">
            {icon(picture)}
            <strong>{title}</strong>
            <p>{lesson}</p>
            {children.map(|children| view! { <div class="row">{children()}</div> })}
        </div>
    }
}
