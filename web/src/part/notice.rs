//! What happened: toasts for a moment, notices that stay, the three sights of a list that has nothing to show.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{Cause, Trouble};
use crate::form::Form;
use crate::part::icon::{Icon, icon};
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

    /// Says for a moment what was not done.
    pub(crate) fn warn(self, text: String) {
        self.pass(text, true);
    }

    /// Says what failed, where there is no better place for it.
    pub(crate) fn fail(self, trouble: Trouble) {
        let mut text = format!("{}: {}", trouble.title(), trouble.sentence());
        if let Some(id) = trouble.request_id {
            text = format!("{text} {}", text::request_of(&id));
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

/// A failed call: what was wanted, why it failed, the request's id, and a way to try again.
#[component]
pub(crate) fn Failed(
    trouble: Trouble,
    #[prop(optional)] retry: Option<Callback<()>>,
) -> impl IntoView {
    let request = trouble.request_id.clone();
    view! {
        <div class="notice bad failed" role="alert">
            {icon(Icon::Alert)}
            <div class="body">
                <strong>{trouble.title()}</strong>
                <span>{trouble.sentence()}</span>
                {request.map(|id| view! { <small class="mono">{text::request_of(&id)}</small> })}
            </div>
            {retry.map(|retry| view! {
                <button type="button" class="button small" on:click=move |_| retry.run(())>{icon(Icon::Turning)}{text::try_again()}</button>
            })}
        </div>
    }
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
                {(trouble.cause != Cause::Offline).then(|| view! { <p class="quiet">{trouble.sentence()}</p> })}
                {request.map(|id| view! { <small class="mono">{text::request_of(&id)}</small> })}
            }
        })
    };
    let refused = move || {
        form.trouble
            .get()
            .map(|trouble| view! { <Failed trouble=trouble /> })
    };
    view! {
        <Show when=move || form.unknown.get() fallback=move || refused>
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
