//! A member's role change.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::member::{Member, UpdateMember};

use crate::form::Form;
use crate::form::body::{Fields, path_argument};
use crate::form::failure::form_failure;
use crate::form::form_view::FormView;
use crate::form::invite_member::RoleField;
use crate::text;

#[component]
pub(crate) fn UpdateMemberForm(
    member: Member,
    saved: Callback<Member>,
    close: Callback<()>,
) -> impl IntoView {
    let form = Form::new();
    let id = member.id;
    let role = RwSignal::new(member.role.as_str().to_owned());
    let submit = Callback::new(move |()| {
        let body = Fields::default().text("role", &role.get_untracked()).body();
        let arguments = Arguments {
            path: path_argument("user_id", id).path,
            ..body
        };
        form.send::<UpdateMember>(arguments, move |member| saved.run(member));
    });
    view! {
        <FormView form=form submit=submit>
            {form_failure(form)}
            <RoleField form=form role=role />
            <div class="row">
                <button type="button" class="button" on:click=move |_| close.run(())>{text::cancel()}</button>
                <button class="button primary" disabled=form.busy>{text::save()}</button>
            </div>
        </FormView>
    }
}
