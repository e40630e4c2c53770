//! The sign-in, shown in place of whatever page was asked for: after it, that page is there.

use leptos::prelude::*;

use crate::form::create_session::CreateSessionForm;
use crate::part::nav::Brand;
use crate::part::notice::{Notice, Tone};
use crate::text;

#[component]
pub(crate) fn SignIn(ended: bool) -> impl IntoView {
    document().set_title(&crate::text::title(text::SIGN_IN));
    view! {
        <main class="gate" id="main">
            <div class="gate-box">
                <Brand below=text::SIGN_IN_BELOW />
                <h1>{text::SIGN_IN_TITLE}</h1>
                {ended.then(|| view! { <Notice tone=Tone::Warn title=text::SESSION_ENDED>{text::SESSION_ENDED_WHY}</Notice> })}
                <CreateSessionForm />
            </div>
        </main>
    }
}
