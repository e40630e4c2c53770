//! Members created by the operator, with a given or generated password.

use std::process::Output;

use serde_json::{Value, json};

use crate::place::{Place, Server, refused, sent};

/// Adds a member with a given or generated password.
fn add(place: &Place, organisation: &str, email: &str, password: Option<&str>) -> Output {
    let words = ["member", "add", "--name", "Ada", "--json"];
    let words = [&words[..], &["--org", organisation, "--email", email]].concat();
    match password {
        None => place.run(&words),
        Some(password) => {
            let words = [&words[..], &["--password-stdin"]].concat();
            place.run_with_input(&words, &format!("{password}\n"))
        }
    }
}

/// The status of a sign-in.
fn sign_in(server: &Server, email: &str, password: &str) -> u16 {
    let body = json!({ "email": email, "password": password });
    sent(&server.address, "", "POST", "/sessions", &body).0
}

#[test]
fn an_added_member_signs_in_with_the_given_or_generated_password() {
    const PASSWORD: &str = "a door that opens quietly";
    let place = Place::sqlite();
    let organisation = place.organisation().id;

    let made = add(&place, &organisation, "Ada@shop.example", None);
    let made: Value = serde_json::from_slice(&made.stdout).expect("JSON");
    assert_eq!(
        (&made["email"], &made["role"]),
        (&"ada@shop.example".into(), &"owner".into())
    );
    let given = add(&place, &organisation, "otto@shop.example", Some(PASSWORD));
    let told = String::from_utf8(given.stdout).expect("text");
    assert!(given.status.success() && !told.contains(PASSWORD), "{told}");

    let nobodys = "org_019cade5a0007000800000000000dead";
    let (own, ada, eve) = (
        organisation.as_str(),
        "ada@shop.example",
        "eve@shop.example",
    );
    for (organisation, email, password, error) in [
        (own, ada, PASSWORD, "already has an account"),
        (own, "nobody", PASSWORD, "e-mail address"),
        (own, eve, "short", "at least 12"),
        (nobodys, eve, PASSWORD, "not found"),
    ] {
        let said = refused(&add(&place, organisation, email, Some(password)));
        assert!(said.contains(error), "{said}");
    }

    let server = Server::start(&place);
    for (email, password) in [
        (ada, made["password"].as_str().expect("text")),
        ("otto@shop.example", PASSWORD),
    ] {
        assert_eq!(sign_in(&server, email, password), 201, "{email}");
    }
}

#[test]
fn a_password_reset_ends_all_sessions() {
    const EMAIL: &str = "ada@shop.example";
    const OLD: &str = "a door that opens quietly";
    let place = Place::sqlite();
    let organisation = place.organisation().id;
    let added = add(&place, &organisation, EMAIL, Some(OLD));
    assert!(added.status.success());
    let server = Server::start(&place);
    let sign_in = |password: &str| sign_in(&server, EMAIL, password);
    assert_eq!(sign_in(OLD), 201);
    let words = ["member", "password", "--email", "Ada@shop.example"];
    let made = place.json(&[&words[..], &["--json"]].concat());
    assert_eq!(
        (&made["org_id"], &made["email"]),
        (&organisation.as_str().into(), &EMAIL.into())
    );
    assert_eq!(sign_in(OLD), 401);
    assert_eq!(sign_in(made["password"].as_str().expect("text")), 201);
    let words = ["member", "password", "--email", "nobody@shop.example"];
    let said = refused(&place.run(&words));
    assert!(said.contains("no member with the email address"), "{said}");
}

#[test]
fn a_member_is_made_an_operator_of_the_installation_and_no_longer() {
    let place = Place::sqlite();
    let organisation = place.organisation().id;
    let words = ["member", "add", "--name", "Olga", "--json", "--operator"];
    let words = [
        &words[..],
        &["--org", &organisation, "--email", "olga@shop.example"],
    ];
    let made = place.json(&words.concat());
    let password = made["password"].as_str().expect("text");
    let server = Server::start(&place);
    let operates = || {
        let body = json!({ "email": "olga@shop.example", "password": password });
        let (status, session) = sent(&server.address, "", "POST", "/sessions", &body);
        assert_eq!(status, 201);
        session["data"]["installation_operator"].clone()
    };
    assert_eq!(operates(), true);
    let words = ["member", "operator", "--email", "Olga@shop.example"];
    let removed = place.json(&[&words[..], &["--remove", "--json"]].concat());
    assert_eq!(removed["installation_operator"], "false");
    assert_eq!(operates(), false);
    place.json(&[&words[..], &["--json"]].concat());
    assert_eq!(operates(), true);
    let words = ["member", "operator", "--email", "nobody@shop.example"];
    let said = refused(&place.run(&words));
    assert!(said.contains("no member with the email address"), "{said}");
}
