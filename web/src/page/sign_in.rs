//! Sign-in, shown in place of the requested page, which follows it.

use leptos::prelude::*;

use crate::form::create_session::CreateSessionForm;
use crate::text;
use crate::ui::{Brand, Notice, Tone};

#[component]
pub(crate) fn SignIn(ended: bool) -> impl IntoView {
    document().set_title(&crate::text::title(text::sign_in()));
    view! {
        <main class="gate" id="main">
            <div class="gate-box">
                <Brand below=text::sign_in_below() />
                <h1>{text::sign_in_title()}</h1>
                {ended.then(|| view! { <Notice tone=Tone::Warn title=text::session_ended()>{text::session_ended_why()}</Notice> })}
                <CreateSessionForm />
            </div>
        </main>
    }
}
