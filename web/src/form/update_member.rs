//! A member's role change.

use leptos::prelude::*;
use settlekit_core::member::{Member, UpdateMember};

use crate::form::invite_member::RoleField;
use crate::form::{DialogButtons, Form, FormView};
use crate::text;

#[component]
pub(crate) fn UpdateMemberForm(
    member: Member,
    saved: Callback<Member>,
    close: Callback<()>,
) -> impl IntoView {
    let form = Form::new();
    let id = member.id;
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        form.send::<UpdateMember>(fields.body_at("user_id", id), move |member| {
            saved.run(member)
        });
    });
    view! {
        <FormView form=form submit=submit>
            <RoleField form=form first=member.role />
            <DialogButtons form=form act=text::save() cancel=close />
        </FormView>
    }
}
