//! Saved views of the dashboard's lists.

mod create_saved_view;
mod delete_saved_view;
mod list_saved_views;
mod update_saved_view;

use serde_json::{Value, json};
use settlekit_core::member::Role;
use settlekit_tests::world::{Answer, Shop, SignedIn, World, texts};

const VIEWS: &str = "/v1/saved-views";

/// An owner, an operator and a viewer of one organisation.
struct Team {
    shop: Shop,
    owner: SignedIn,
    operator: SignedIn,
    viewer: SignedIn,
}

fn team(world: &mut World, name: &str) -> Team {
    let shop = world.shop(name, None);
    let mut member = |word: &str, role| {
        let email = format!("{word}@{}.example", name.to_lowercase());
        world.sign_in_as(&shop, &email, Some(role))
    };
    Team {
        owner: member("owner", Role::Owner),
        operator: member("operator", Role::Operator),
        viewer: member("viewer", Role::Viewer),
        shop,
    }
}

/// Saves a view of the payments; returns the answer.
fn save(world: &mut World, who: &SignedIn, name: &str, shared: bool) -> Answer {
    let body =
        json!({ "page": "/payments", "name": name, "query": "status=Failed", "shared": shared });
    world.session(who, "POST", VIEWS, body)
}

/// Saves a view; returns its path.
fn saved(world: &mut World, who: &SignedIn, name: &str, shared: bool) -> String {
    let answer = save(world, who, name, shared);
    assert_eq!(answer.status, 201, "{}", answer.body);
    format!("{VIEWS}/{}", answer.id())
}

fn list(world: &mut World, who: &SignedIn) -> Vec<Value> {
    let answer = world.session(who, "GET", VIEWS, Value::Null);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.data().as_array().expect("a list").clone()
}

/// The names of the views that a member sees.
fn names(world: &mut World, who: &SignedIn) -> Vec<String> {
    texts(&list(world, who), "name")
}
