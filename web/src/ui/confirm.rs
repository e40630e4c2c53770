//! Confirmation before irreversible operations.

use leptos::prelude::*;

use crate::text;
use crate::ui::field::input_id;
use crate::ui::overlay::Dialog;

/// Open state of a dialog about a subject: open while the subject is of this kind; closing clears it.
pub(crate) fn open_while<T: Send + Sync + 'static>(
    confirming: RwSignal<Option<T>>,
    about: fn(&T) -> bool,
) -> RwSignal<bool> {
    let is_confirming = move |confirming: &Option<T>| confirming.as_ref().is_some_and(about);
    let open = RwSignal::new(false);
    Effect::new(move |_| open.set(confirming.with(is_confirming)));
    Effect::new(move |_| {
        if !open.get() && confirming.with_untracked(is_confirming) {
            confirming.set(None);
        }
    });
    open
}

/// A question with the action's verb on the button. For a deletion, the user types `name` first. Confirming closes it.
#[component]
pub(crate) fn Confirm(
    open: RwSignal<bool>,
    #[prop(into)] title: Signal<String>,
    #[prop(into)] consequence: Signal<String>,
    /// Text to type.
    #[prop(optional, into)]
    name: Option<Signal<String>>,
    act: &'static str,
    #[prop(into)] busy: Signal<bool>,
    on_confirm: Callback<()>,
) -> impl IntoView {
    let close = Callback::new(move |()| open.set(false));
    let confirm = Callback::new(move |()| {
        open.set(false);
        on_confirm.run(());
    });
    let inside = move || {
        match name {
        Some(name) => view! { <Typed name=name act=act busy=busy on_confirm=confirm cancel=close><p>{consequence}</p></Typed> }.into_any(),
        None => view! {
            <p>{consequence}</p>
            <div class="row">
                <button type="button" class="button" on:click=move |_| close.run(())>{text::cancel()}</button>
                <button type="button" class="button danger" disabled=busy on:click=move |_| confirm.run(())>{act}</button>
            </div>
        }
        .into_any(),
    }
    };
    view! { <Dialog open=open close=close title=title>{inside()}</Dialog> }
}

/// Form for typing `name` before the action.
#[component]
pub(crate) fn Typed(
    #[prop(into)] name: Signal<String>,
    act: &'static str,
    #[prop(into)] busy: Signal<bool>,
    on_confirm: Callback<()>,
    cancel: Callback<()>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let fits = move || name.with(|name| typed.with(|typed| typed.trim() == name));
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if fits() {
            on_confirm.run(());
        }
    };
    view! {
        <form class="stack" novalidate on:submit=submit>
            {children.map(|children| children())}
            <div class="field">
                <label for=input_id("typed")>{text::money::type_to_confirm()} " " <strong class="mono">{name}</strong></label>
                <input class="input" id=input_id("typed") autocomplete="off" spellcheck="false" prop:value=typed on:input=move |event| typed.set(event_target_value(&event)) />
            </div>
            <div class="row">
                <button type="button" class="button" on:click=move |_| cancel.run(())>{text::cancel()}</button>
                <button class="button danger" disabled=move || busy.get() || !fits()>{act}</button>
            </div>
        </form>
    }
}
