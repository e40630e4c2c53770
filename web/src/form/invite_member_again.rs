//! A password link for a member, shown once.

use leptos::prelude::*;
use settlekit_core::member::{InviteMemberAgain, Member};

use crate::form::invite_member::LinkOnce;
use crate::form::{DialogButtons, Form, FormView, path_argument};
use crate::shell::clear_when_covered;
use crate::text;

#[component]
pub(crate) fn InviteMemberAgainForm(
    member: Member,
    /// Called when the link is created, to refresh the list.
    invited: Callback<()>,
    close: Callback<()>,
) -> impl IntoView {
    let form = Form::new();
    let made: RwSignal<Option<String>> = RwSignal::new(None);
    clear_when_covered(made);
    let id = member.id;
    let submit = Callback::new(move |()| {
        form.send::<InviteMemberAgain>(path_argument("user_id", id), move |member| {
            made.set(member.invitation_url);
            invited.run(());
        });
    });
    view! {
        {move || made.get().map(|url| view! { <LinkOnce url=url why=text::password_link_once_why() close=close /> })}
        <FormView form=form hidden=Signal::derive(move || made.with(Option::is_some)) submit=submit>
            <p>{text::password_link_why()}</p>
            <DialogButtons form=form act=text::make_link() cancel=close />
        </FormView>
    }
}
