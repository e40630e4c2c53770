//! Members, invitations and passwords.

use settlekit_core::member::Role;

use crate::text::language::{filled, translate, translated};

texts! {
    members = "Members";
    members_why = "People who can sign in to this dashboard, and their roles.";
    person = "Member";
    you = "You";
    role = "Role";
    role_owner = "Owner";
    role_operator = "Operator";
    role_viewer = "Viewer";
    role_owner_why = "Full access, including members and keys.";
    role_operator_why = "Everything except keys, secrets, settings and members.";
    role_viewer_why = "Can view everything, change nothing.";
    last_signed_in = "Last sign-in";
    member_since = "Added";
    member_active = "Active";
    member_invited = "Invited";
    member_late = "Invitation expired";
    member_removed = "Removed";
    invite = "Invite";
    invite_member = "Invite a member";
    invite_email_hint = "You get a link to share: Settlekit sends no email.";
    invitation_link = "Invitation link";
    invitation_once = "Copy the link now. It won’t be shown again";
    invitation_once_why = "It works once, within seven days. Anyone with the link can join, so share it privately.";
    invitation_sent = "I have copied it";
    invite_again = "New link";
    password_link = "Password link";
    password_link_why = "They choose a new password with it, within a day. The old one works until then; after that, their other sessions end.";
    password_link_once_why = "It works once, within a day. Anyone with the link can sign in as them, so share it privately.";
    make_link = "Create link";
    choose_password = "Choose a new password";
    change_role = "Change role";
    role_changed = "Role changed";
    remove = "Remove";
    remove_why = "Their sessions end now and they lose access to this organisation. Their work stays.";
    withdraw = "Revoke";
    withdraw_why = "The link stops working now.";
    no_members_hint = "Invite your team. Everyone signs in with their own account and role.";
    alone = "You’re the only member";
    for_owners = "Owners only";
    for_owners_why = "Your role can’t see keys and secrets. Ask an owner for another role.";
    members_ask = "Only owners can invite, remove or change roles.";
    new_password = "New password";
    new_password_hint = "At least 12 characters. A few random words are easy to remember.";
    password_why = "Changing it signs you out everywhere else.";
    change_password = "Change password";
    password_changed = "Password changed. Other sessions were signed out.";
    invitation = "Invitation";
    invitation_bad = "This link is invalid";
    invitation_bad_why = "It was used, revoked or replaced, or part of it is missing. Ask for a new one.";
    invitation_late = "This invitation has expired";
    invitation_late_why = "Ask the sender for a new one.";
    account_password = "Your password";
    account_password_hint = "This address already has an account. Enter its password to accept the invitation.";
    organisations = "Organisations";
    switch_organisation = "Switch organisation";
    your_name = "Your name";
    your_name_hint = "Shown to other members.";
    join = "Join";
    to_sign_in = "Go to sign-in";

    remove_of(name: &str) = "Remove {name}?";
    withdraw_of(email: &str) = "Revoke the invitation for {email}?";
    password_link_for(name: &str) = "Password link for {name}";
    choose_password_for(email: &str, organisation: &str) = "You sign in to {organisation} as {email}.";
    role_for(name: &str) = "Role of {name}";
    join_of(organisation: &str) = "Join {organisation}";
    invitation_summary(email: &str, role: &str) = "You sign in as {email}. Your role: {role}.";
}

pub(crate) fn role_of(role: &Role) -> String {
    match role {
        Role::Owner => role_owner().to_owned(),
        Role::Operator => role_operator().to_owned(),
        Role::Viewer => role_viewer().to_owned(),
        Role::Other(word) => translated(word).unwrap_or(word).to_owned(),
    }
}

pub(crate) fn role_description(role: &str) -> &'static str {
    match Role::from(role) {
        Role::Owner => role_owner_why(),
        Role::Operator => role_operator_why(),
        Role::Viewer => role_viewer_why(),
        Role::Other(_) => "",
    }
}
