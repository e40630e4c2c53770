//! Forms of members: invitation, password link and role. A link is shown only once.

use leptos::prelude::*;
use settlekit_core::member::{InviteMember, InviteMemberAgain, Member, Role, UpdateMember};

use crate::form::{
    DialogButtons, FieldKind, Form, FormView, SelectField, TextField, path_argument,
};
use crate::shell::clear_when_covered;
use crate::text;
use crate::ui::{CopyButton, Notice, Options, Tone};

/// Roles with their labels.
fn roles() -> Options {
    let all = [Role::Owner, Role::Operator, Role::Viewer];
    Signal::stored(
        all.iter()
            .map(|role| (role.as_str().to_owned(), text::role_of(role)))
            .collect(),
    )
}

/// Role selection with a description of the chosen role.
#[component]
fn RoleField(form: Form, first: Role) -> impl IntoView {
    let role = form.input("role", FieldKind::Text, first.as_str().to_owned());
    view! {
        <div class="stack-tight">
            <SelectField form=form name="role" label=text::role() value=role options=roles() set=true />
            <p class="hint">{move || role.with(|role| text::role_description(role))}</p>
        </div>
    }
}

/// A link that is shown only once.
#[component]
fn LinkOnce(url: String, why: &'static str, close: Callback<()>) -> impl IntoView {
    view! {
        <div class="stack">
            <Notice tone=Tone::Warn title=text::invitation_once()>{why}</Notice>
            <div class="secret" id="invitation-link"><span>{url.clone()}</span><CopyButton text=url what=text::invitation_link() /></div>
            <div class="row"><button type="button" class="button primary" on:click=move |_| close.run(())>{text::invitation_sent()}</button></div>
        </div>
    }
}

/// Invites a member, or an invited one again.
#[component]
pub(crate) fn InviteMemberForm(
    /// Member to invite again.
    again: Option<Member>,
    /// Called when the link is created, to refresh the list.
    invited: Callback<()>,
    close: Callback<()>,
) -> impl IntoView {
    let form = Form::new();
    let (email, role) = match again {
        Some(before) => (before.email, before.role),
        None => (String::new(), Role::Operator),
    };
    let email = form.input("email", FieldKind::Text, email);
    let made: RwSignal<Option<String>> = RwSignal::new(None);
    clear_when_covered(made);
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        form.send::<InviteMember>(fields.body(), move |member| {
            made.set(member.invitation_url);
            invited.run(());
        });
    });
    view! {
        {move || made.get().map(|url| view! { <LinkOnce url=url why=text::invitation_once_why() close=close /> })}
        <FormView form=form hidden=Signal::derive(move || made.with(Option::is_some)) submit=submit>
            <TextField form=form name="email" label=text::email() value=email kind="email" hint=text::invite_email_hint() />
            <RoleField form=form first=role />
            <DialogButtons form=form act=text::invite() cancel=close />
        </FormView>
    }
}

/// A password link for a member.
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

/// A member's role change.
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
