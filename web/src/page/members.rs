//! Members: list, invite, change role, remove. An invitation link is shown once and not stored.

use leptos::prelude::*;
use settlekit_core::member::{ListMembers, Member, RemoveMember};
use settlekit_core::operation::Scope;
use settlekit_core::page::{Limit, ListQuery};

use crate::api;
use crate::form::member::{InviteMemberAgainForm, InviteMemberForm, UpdateMemberForm};
use crate::form::{Form, form_failure, path_argument};
use crate::list::{Column, Table, TableSpec, newest_note};
use crate::session::Session;
use crate::shell::load;
use crate::text;
use crate::ui::{Confirm, Dialog, Icon, Toasts, icon, open_while, service_now, status_badge_as};

#[derive(Debug, Clone, PartialEq)]
enum MemberDialog {
    /// Invite a new member, or an invited one again.
    Invite(Option<Member>),
    Change(Member),
    /// New password link for a member.
    Again(Member),
    Remove(Member),
    Withdraw(Member),
}

/// Name of a member; the e-mail address until the invitation is accepted.
fn display_name(member: &Member) -> String {
    member.name.clone().unwrap_or_else(|| member.email.clone())
}

/// Status badge of a member: the word that selects its look, and its text.
fn status_of(member: &Member) -> (&'static str, &'static str) {
    let now = service_now();
    match (member.removed_at, member.joined_at) {
        (Some(_), _) => ("Removed", text::member_removed()),
        (None, Some(_)) => ("Active", text::member_active()),
        (None, None) if member.invitation_expires_at.is_none_or(|at| at <= now) => {
            ("Over", text::member_late())
        }
        (None, None) => ("Pending", text::member_invited()),
    }
}

fn buttons(member: &Member) -> AnyView {
    let act = expect_context::<RwSignal<Option<MemberDialog>>>();
    let own = is_own(member);
    let press = move |act_of: MemberDialog| move |_| act.set(Some(act_of.clone()));
    let mine = || member.clone();
    match (member.removed_at, member.joined_at) {
        (Some(_), _) => ().into_any(),
        (None, Some(_)) => view! {
            <span class="row end" data-scope=Scope::Manage.as_str()>
                <button type="button" class="button small" on:click=press(MemberDialog::Change(mine()))>{text::change_role()}</button>
                // Users change their own password in the settings, and only another owner can remove them.
                {(!own).then(|| view! { <button type="button" class="button small" on:click=press(MemberDialog::Again(mine()))>{text::password_link()}</button> })}
                {(!own).then(|| view! { <button type="button" class="button small danger" on:click=press(MemberDialog::Remove(mine()))>{text::remove()}</button> })}
            </span>
        }
        .into_any(),
        (None, None) => view! {
            <span class="row end" data-scope=Scope::Manage.as_str()>
                <button type="button" class="button small" on:click=press(MemberDialog::Invite(Some(mine())))>{text::invite_again()}</button>
                <button type="button" class="button small danger" on:click=press(MemberDialog::Withdraw(mine()))>{text::withdraw()}</button>
            </span>
        }
        .into_any(),
    }
}

fn is_own(member: &Member) -> bool {
    let record = untrack(|| Session::from_context().record());
    record.is_some_and(|record| record.user.id == member.id)
}

fn table_spec() -> TableSpec<Member> {
    TableSpec {
        caption: text::members(),
        columns: vec![
            Column::new(text::person(), "title", |member| {
                let own =
                    is_own(member).then(|| view! { " " <span class="own">{text::you()}</span> });
                let email = member
                    .name
                    .is_some()
                    .then(|| view! { <small>{member.email.clone()}</small> });
                view! { {display_name(member)}{own}{email} }.into_any()
            }),
            Column::text(text::role(), "fit named", |member| {
                Some(text::role_of(&member.role))
            }),
            Column::new(text::status(), "fit", |member| {
                let (word, shown) = status_of(member);
                status_badge_as(word, shown.to_owned()).into_any()
            }),
            Column::time(text::last_signed_in(), "fit named", |member| {
                member.last_signed_in_at
            }),
            Column::time(text::member_since(), "fit named", |member| {
                Some(member.joined_at.unwrap_or(member.created_at))
            }),
            Column::new(text::actions(), "end last", buttons),
        ],
        id: |member| member.id.to_string(),
    }
}

#[component]
pub(crate) fn Members() -> impl IntoView {
    let (form, toasts, session) = (Form::new(), Toasts::from_context(), Session::from_context());
    let members = load::<ListMembers>(|| {
        Some(api::with_query(ListQuery {
            limit: Limit::new(100),
            ..ListQuery::default()
        }))
    });
    let alone = Memo::new(move |_| members.read(|page| page.items.len()) == Some(1));
    let act: RwSignal<Option<MemberDialog>> = RwSignal::new(None);
    provide_context(act);
    let asking = open_while(act, |act| {
        matches!(
            act,
            MemberDialog::Invite(_) | MemberDialog::Change(_) | MemberDialog::Again(_)
        )
    });
    let removing = open_while(act, |act| matches!(act, MemberDialog::Remove(_)));
    let withdrawing = open_while(act, |act| matches!(act, MemberDialog::Withdraw(_)));
    let close = Callback::new(move |()| act.set(None));
    let title = Signal::derive(move || match act.get() {
        Some(MemberDialog::Change(member)) => text::role_for(&display_name(&member)),
        Some(MemberDialog::Again(member)) => text::password_link_for(&display_name(&member)),
        _ => text::invite_member().to_owned(),
    });
    let of = move |of: fn(&Member) -> String| {
        Signal::derive(move || match act.get() {
            Some(MemberDialog::Remove(member) | MemberDialog::Withdraw(member)) => of(&member),
            _ => String::new(),
        })
    };
    let remove = Callback::new(move |()| {
        let Some(MemberDialog::Remove(member) | MemberDialog::Withdraw(member)) =
            act.get_untracked()
        else {
            return;
        };
        form.send::<RemoveMember>(path_argument("user_id", member.id), move |_| {
            toasts.say(text::member_removed().to_owned());
            members.reload();
        });
    });
    let saved = Callback::new(move |member: Member| {
        act.set(None);
        toasts.say(text::role_changed().to_owned());
        members.reload();
        // If it is the user's own role, apply it immediately.
        session.update_role_of(&member);
    });
    let invited = Callback::new(move |()| members.reload());
    let invite = move |_| act.set(Some(MemberDialog::Invite(None)));
    view! {
        {form_failure(form)}
        <section class="panel">
            <div class="panel-head">
                <h2>{text::members()}</h2>
                <button type="button" class="button primary small push" data-scope=Scope::Manage.as_str() on:click=invite>{icon(Icon::Plus)}{text::invite_member()}</button>
                <p>{text::members_why()}</p>
                {move || (!session.is_allowed(Scope::Manage)).then(|| view! { <p>{text::members_ask()}</p> })}
            </div>
            <Table spec=table_spec() rows=members.items() busy=members.busy retry=members.retry() empty=ViewFn::from(|| ()) />
            {newest_note(members)}
            <Show when=move || alone.get()>
                <div class="panel-body"><p class="quiet"><strong>{text::alone()}</strong>" " {text::no_members_hint()}</p></div>
            </Show>
        </section>
        <Dialog open=asking close=close title=title>
            {move || match act.get()? {
                MemberDialog::Invite(again) => Some(view! { <InviteMemberForm again=again invited=invited close=close /> }.into_any()),
                MemberDialog::Change(member) => Some(view! { <UpdateMemberForm member=member saved=saved close=close /> }.into_any()),
                MemberDialog::Again(member) => Some(view! { <InviteMemberAgainForm member=member invited=invited close=close /> }.into_any()),
                MemberDialog::Remove(_) | MemberDialog::Withdraw(_) => None,
            }}
        </Dialog>
        <Confirm
            open=removing title=of(|member| text::remove_of(&display_name(member))) consequence=text::remove_why()
            name=of(|member| member.email.clone()) act=text::remove() busy=form.busy on_confirm=remove
        />
        <Confirm
            open=withdrawing title=of(|member| text::withdraw_of(&member.email)) consequence=text::withdraw_why()
            act=text::withdraw() busy=form.busy on_confirm=remove
        />
    }
}
