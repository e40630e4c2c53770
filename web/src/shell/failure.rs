//! Failed calls on a page, aware of the URL, which may be the cause.

use leptos::prelude::*;
use settlekit_core::error::Reason;

use crate::call_failure::{CallFailure, Cause};
use crate::shell::live::Live;
use crate::shell::load::Loaded;
use crate::shell::navigation::Location;
use crate::text;
use crate::ui::{Icon, element, failure_text, icon};

/// A failed call: cause, request id, and a retry button.
///
/// A retry is useless for an invalid URL parameter, a missing record or a missing role. Then the parameter is shown with a button
/// that removes it, or a link leads back to the list. A lost connection is a quiet line here: the shell tells of it once.
#[component]
pub(crate) fn Failed(
    failure: CallFailure,
    #[prop(optional_no_strip)] retry: Option<Callback<()>>,
) -> impl IntoView {
    let location = Location::from_context();
    let mut unread: Vec<String> = Vec::new();
    let mut written = Vec::new();
    for (field, ..) in failure.errors() {
        let field = field.filter(|_| retry.is_some()).unwrap_or_default();
        // Errors about one of several values name the entry: `status[0]`.
        let name = field.split('[').next().unwrap_or_default();
        if unread.iter().any(|known| known == name) {
            continue;
        }
        if let Some(value) = untrack(|| location.get(name)) {
            written.push(element("code", "").words(format!("{name}={value}")));
            unread.push(name.to_owned());
        }
    }
    let (title, act, picture) = if unread.is_empty() {
        (failure.title(), text::try_again(), Icon::Turning)
    } else {
        (text::unread(), text::leave_out(), Icon::Close)
    };
    let is_nothing = failure.reason() == Some(Reason::NotFound);
    let back = retry.filter(|_| is_nothing).and_then(|_| location.back());
    let retry = retry.filter(|_| !is_nothing && !failure.is_forbidden());
    let request = failure.request_id.as_deref();
    let body = element("div", "body")
        .child(element("strong", "").words(title))
        .children(written)
        .child(failure_text(&failure))
        .children(request.map(|id| element("small", "mono").words(text::request_of(id))));
    let button = retry.map(|retry| {
        element("button", "button small")
            .attr("type", "button")
            .child(icon(picture))
            .words(act)
            .on_click(move |_| {
                if unread.is_empty() {
                    retry.run(());
                } else {
                    location.clear(&unread);
                }
            })
    });
    if failure.cause == Cause::Offline && button.is_some() && use_context::<Live>().is_some() {
        let title = element("span", "").words(failure.title());
        return element("div", "row quiet failed")
            .attr("role", "status")
            .child(icon(Icon::Alert))
            .child(title)
            .children(button);
    }
    element("div", "notice bad failed")
        .attr("role", "alert")
        .child(icon(Icon::Alert))
        .child(body)
        .children(button)
        .children(back.map(|to| {
            element("a", "button small")
                .attr("href", to)
                .words(text::back_to_list())
        }))
}

/// Why a record could not be loaded, with a retry button.
pub(crate) fn load_failure<T: Send + Sync + 'static>(loaded: Loaded<T>) -> AnyView {
    failure_notice(loaded.failed().into(), Some(loaded.retry()))
}

/// Notice about a failed call, if any.
pub(crate) fn failure_notice(
    failure: Signal<Option<CallFailure>>,
    retry: Option<Callback<()>>,
) -> AnyView {
    (move || {
        failure
            .get()
            .map(|failure| view! { <Failed failure=failure retry=retry /> })
    })
    .into_any()
}
