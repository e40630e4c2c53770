//! Notes of members on records.

mod create_note;
mod delete_note;
mod list_notes;

use serde_json::{Value, json};
use settlekit_core::member::Role;
use settlekit_tests::world::{Answer, Shop, SignedIn, World, texts};

const NOTES: &str = "/v1/notes";

/// An owner, an operator and a viewer of one organisation, and an open payment of it.
struct Team {
    shop: Shop,
    owner: SignedIn,
    operator: SignedIn,
    viewer: SignedIn,
    payment: String,
}

fn team(world: &mut World, name: &str) -> Team {
    let shop = world.shop_with_till(name);
    let mut member = |word: &str, role| {
        let email = format!("{word}@{}.example", name.to_lowercase());
        world.sign_in_as(&shop, &email, Some(role))
    };
    let owner = member("owner", Role::Owner);
    let operator = member("operator", Role::Operator);
    let viewer = member("viewer", Role::Viewer);
    let body = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": "till" });
    let payment = world.post(&shop, "/v1/payments", body).id();
    Team {
        shop,
        owner,
        operator,
        viewer,
        payment,
    }
}

/// Writes a note on the payment of a team; returns the answer.
fn write(world: &mut World, team: &Team, who: &SignedIn, text: &str) -> Answer {
    let body = json!({ "record_type": "Payment", "record_id": team.payment, "text": text });
    world.session(who, "POST", NOTES, body)
}

/// Writes a note; returns its path.
fn written(world: &mut World, team: &Team, who: &SignedIn, text: &str) -> String {
    let answer = write(world, team, who, text);
    assert_eq!(answer.status, 201, "{}", answer.body);
    format!("{NOTES}/{}", answer.id())
}

fn list(world: &mut World, team: &Team, who: &SignedIn) -> Vec<Value> {
    let path = format!("{NOTES}?record_type=Payment&record_id={}", team.payment);
    let answer = world.session(who, "GET", &path, Value::Null);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.data().as_array().expect("a list").clone()
}

/// The texts of the notes on the payment of a team.
fn notes(world: &mut World, team: &Team, who: &SignedIn) -> Vec<String> {
    texts(&list(world, team, who), "text")
}
