//! Members: invite, change, remove.

mod accept_invitation;
mod events;
mod invite_member;
mod invite_member_again;
mod list_members;
mod open_invitation;
mod remove_member;
mod roles;
mod update_member;

use serde_json::{Value, json};
use settlekit_tests::world::{Answer, PASSWORD, Shop, SignedIn, World, text};

pub(crate) const OWNER: &str = "ada@shop.example";
pub(crate) const NEW_PASSWORD: &str = "a door that opens quietly";

/// A shop with its owner.
pub(crate) fn shop(world: &mut World) -> (Shop, SignedIn) {
    let shop = world.shop("Shop", None);
    let owner = world.sign_in(&shop, OWNER);
    (shop, owner)
}

pub(crate) fn invite(world: &mut World, who: &SignedIn, email: &str, role: &str) -> Answer {
    let body = json!({ "email": email, "role": role });
    world.session_with_step_up(who, "POST", "/v1/members", body)
}

/// A new link for an invited or existing member.
fn invite_again(world: &mut World, who: &SignedIn, id: &str) -> Answer {
    let path = format!("/v1/members/{id}/invitation");
    world.session_with_step_up(who, "POST", &path, Value::Null)
}

/// Sets a password through a link.
fn choose(world: &mut World, token: &str) -> Answer {
    let body = json!({ "token": token, "name": "Somebody else", "password": NEW_PASSWORD });
    world.public("POST", "/v1/invitations/accept", body)
}

pub(crate) fn token_of(invited: &Answer) -> String {
    let url = text(invited.data(), "invitation_url");
    let (page, token) = url.split_once('#').expect("a token in the link");
    assert_eq!(page, "http://127.0.0.1:8080/invitation");
    token.to_owned()
}

pub(crate) fn accept(world: &mut World, token: &str) -> Answer {
    let body = json!({ "token": token, "name": "Grace", "password": PASSWORD });
    world.public("POST", "/v1/invitations/accept", body)
}

fn open(world: &mut World, token: &str) -> Answer {
    world.public("POST", "/v1/invitations/open", json!({ "token": token }))
}

/// The session that an answer begins.
pub(crate) fn session_of(answer: &Answer) -> SignedIn {
    let cookie = answer.header("set-cookie").expect("a cookie");
    SignedIn {
        cookie: cookie.split(';').next().expect("a value").to_owned(),
        csrf: text(answer.data(), "csrf_token"),
    }
}

fn members(world: &mut World, who: &SignedIn) -> Vec<Value> {
    let listed = world.session(who, "GET", "/v1/members?sort=asc", Value::Null);
    assert_eq!(listed.status, 200, "{}", listed.body);
    listed.items().to_vec()
}

pub(crate) fn id_of(world: &mut World, who: &SignedIn, email: &str) -> String {
    let found = members(world, who)
        .into_iter()
        .find(|member| member["email"] == email && member["removed_at"].is_null());
    text(&found.expect("a member"), "id")
}
