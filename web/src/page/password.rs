//! Change of the user's own password.

use leptos::prelude::*;

use crate::form::update_password::UpdatePasswordForm;

#[component]
pub(crate) fn Password() -> impl IntoView {
    view! { <UpdatePasswordForm /> }
}
