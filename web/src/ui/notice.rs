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
    /// Class, role and icon.
    const fn look(self) -> (&'static str, &'static str, Icon) {
        match self {
            Self::Plain => ("notice", "note", Icon::Dash),
            Self::Good => ("notice good", "note", Icon::Done),
            Self::Warn => ("notice warn", "note", Icon::Alert),
            Self::Bad => ("notice bad", "alert", Icon::Alert),
        }
    }
}

/// A notice that stays until its cause is gone.
#[component]
pub(crate) fn Notice(tone: Tone, #[prop(into)] title: String, children: Children) -> impl IntoView {
    let (class, role, picture) = tone.look();
    view! {
        <div class=class role=role>
            {icon(picture)}
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
    #[prop(into)] hint: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty">
            {icon(picture)}
            <strong>{title}</strong>
            <p>{hint}</p>
            {children.map(|children| view! { <div class="row">{children()}</div> })}
        </div>
    }
}
