//! Notices, failure texts, and the empty state of a list.

use leptos::prelude::*;

use crate::call_failure::CallFailure;
use crate::ui::element::{Element, element};
use crate::ui::icon::{Icon, icon};

/// Severity of a notice.
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

/// A text, and the service's English message if it has no translation.
pub(crate) fn bilingual(sentence: String, english: String) -> Element {
    let english = (!english.is_empty()).then(|| {
        element("small", "english")
            .attr("lang", "en")
            .words(english)
    });
    element("span", "").words(sentence).children(english)
}

/// Cause of a failed call, and what to do.
pub(crate) fn failure_text(failure: &CallFailure) -> Element {
    let (sentence, english) = failure.sentences();
    bilingual(sentence, english)
}

/// Empty state of a list: what will appear here, and the first step.
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
