//! Asking before an act that cannot be taken back.

use leptos::prelude::*;

use crate::part::drawer::Box;
use crate::text;

/// A question with the act's own word on the button.
#[component]
pub(crate) fn Confirm(
    open: RwSignal<bool>,
    #[prop(into)] title: Signal<String>,
    #[prop(into)] consequence: Signal<String>,
    act: &'static str,
    #[prop(into)] busy: Signal<bool>,
    on_confirm: Callback<()>,
) -> impl IntoView {
    let close = Callback::new(move |()| open.set(false));
    view! {
        <Box open=open close=close title=title>
            <p>{consequence}</p>
            <div class="row">
                <button type="button" class="button" on:click=move |_| close.run(())>{text::CANCEL}</button>
                <button type="button" class="button danger" disabled=busy on:click=move |_| on_confirm.run(())>{act}</button>
            </div>
        </Box>
    }
}
