//! Members, invitations and passwords.

use settlekit_core::member::Role;

use crate::text::language::{filled, said, translated};

texts! {
    members = "Members";
    members_why = "Who signs in to this dashboard, and what each of them may do.";
    person = "Who";
    you = "You";
    role = "Role";
    role_owner = "Owner";
    role_operator = "Operator";
    role_viewer = "Viewer";
    role_owner_why = "May do everything, members and keys included.";
    role_operator_why = "Works with everything but keys, secrets, settings and members.";
    role_viewer_why = "Looks at everything and changes nothing.";
    last_signed_in = "Last signed in";
    member_since = "Since";
    member_active = "Active";
    member_invited = "Invited";
    member_late = "Invitation over";
    member_removed = "Removed";
    invite = "Invite";
    invite_member = "Invite a member";
    invite_email_hint = "Their link is shown here next: Settlekit sends no e-mail.";
    invitation_link = "Invitation link";
    invitation_once = "Copy the link now: it is not shown again";
    invitation_once_why = "Send it to them yourself. It works once, for seven days. Whoever has it can join, so send it where only they read.";
    invitation_sent = "I have copied it";
    invite_again = "New link";
    password_link = "Password link";
    password_link_why = "They choose another password by it, within a day. Until then they sign in as before; after it their other sessions have ended.";
    password_link_once_why = "Send it to them yourself. It works once, for a day. Whoever has it can sign in as them, so send it where only they read.";
    make_link = "Make link";
    choose_password = "Choose a new password";
    change_role = "Change role";
    role_changed = "Role changed";
    remove_member = "Remove";
    remove_why = "Their sessions end at once and they can no longer sign in. What they did stays as it is.";
    withdraw = "Take back";
    withdraw_why = "The link stops working at once.";
    member_gone = "Removed";
    no_members_lesson = "Invite whoever works with you: each signs in as themselves, with no more rights than they need.";
    alone = "You are the only one who signs in";
    for_owners = "Only owners see this";
    for_owners_why = "Your role does not show you keys and secrets. An owner of the organisation can give you another.";
    members_ask = "Only an owner invites, removes and changes roles.";
    new_password = "New password";
    new_password_hint = "Twelve characters or more. A few words you remember are better than signs you do not.";
    password_why = "What you sign in with. Everywhere else you are signed in, you are signed out.";
    change_password = "Change password";
    password_changed = "Password changed. Every other session has ended.";
    invitation = "Invitation";
    invitation_bad = "This link does not lead anywhere";
    invitation_bad_why = "It was used, withdrawn or replaced by a newer one, or a part of it is missing. Ask whoever sent it for another.";
    invitation_late = "This invitation is over";
    invitation_late_why = "Its time has passed. Ask whoever sent it for another.";
    your_name = "Your name";
    your_name_hint = "As the others will see it.";
    join = "Join";
    to_sign_in = "Go to the sign-in";
}

/// Translated role.
pub(crate) fn role_of(role: &Role) -> String {
    match role {
        Role::Owner => role_owner().to_owned(),
        Role::Operator => role_operator().to_owned(),
        Role::Viewer => role_viewer().to_owned(),
        Role::Other(word) => translated(word).unwrap_or(word).to_owned(),
    }
}

/// Description of a role.
pub(crate) fn role_why(role: &str) -> &'static str {
    match Role::from(role) {
        Role::Owner => role_owner_why(),
        Role::Operator => role_operator_why(),
        Role::Viewer => role_viewer_why(),
        Role::Other(_) => "",
    }
}

/// `Remove Grace?`
pub(crate) fn remove_of(name: &str) -> String {
    say!("Remove {name}?", name)
}

/// `Withdraw the invitation of grace@shop.example?`
pub(crate) fn withdraw_of(email: &str) -> String {
    say!("Withdraw the invitation of {email}?", email)
}

/// `A link for Grace to choose a password`.
pub(crate) fn password_link_for(name: &str) -> String {
    say!("A link for {name} to choose a password", name)
}

/// Account and organisation of a new password.
pub(crate) fn choose_password_for(email: &str, organisation: &str) -> String {
    say!(
        "You sign in to {organisation} as {email}.",
        email,
        organisation
    )
}

/// `Role of Grace`.
pub(crate) fn role_for(name: &str) -> String {
    say!("Role of {name}", name)
}

/// `Join Acme`.
pub(crate) fn join_of(organisation: &str) -> String {
    say!("Join {organisation}", organisation)
}

/// Account and role of an invitation.
pub(crate) fn invited_as(email: &str, role: &str) -> String {
    say!("You sign in as {email}. Your role: {role}.", email, role)
}
