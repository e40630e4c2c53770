//! Members created by the operator, with a given or generated password.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use crate::place::{Place, Server, ask, refused, request};

/// Adds a member with a given or generated password.
fn add(place: &Place, organisation: &str, email: &str, password: Option<&str>) -> Output {
    let words = [
        "member",
        "add",
        "--org",
        organisation,
        "--email",
        email,
        "--name",
        "Ada",
        "--json",
    ];
    let mut command = place.command(&words);
    let Some(password) = password else {
        return command.output().expect("the program runs");
    };
    let mut child = command
        .arg("--password-stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe was asked for");
    writeln!(input, "{password}").expect("the password is taken");
    drop(input);
    child.wait_with_output().expect("the program ends")
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
    for (organisation, email, password, error) in [
        (
            &*organisation,
            "ada@shop.example",
            PASSWORD,
            "is already a member",
        ),
        (&*organisation, "nobody", PASSWORD, "e-mail address"),
        (&*organisation, "eve@shop.example", "short", "at least 12"),
        (nobodys, "eve@shop.example", PASSWORD, "not found"),
    ] {
        let said = refused(&add(&place, organisation, email, Some(password)));
        assert!(said.contains(error), "{said}");
    }

    let server = Server::start(&place);
    for (email, password) in [
        ("ada@shop.example", made["password"].as_str().expect("text")),
        ("otto@shop.example", PASSWORD),
    ] {
        let body = json!({ "email": email, "password": password });
        let (status, answer) =
            ask(&server.address, &request("", "POST", "/sessions", &body)).expect("an answer");
        assert_eq!(status, 201, "{answer}");
    }
}

#[test]
fn a_password_reset_ends_all_sessions() {
    const EMAIL: &str = "ada@shop.example";
    const OLD: &str = "a door that opens quietly";
    let place = Place::sqlite();
    let organisation = place.organisation().id;
    assert!(
        add(&place, &organisation, EMAIL, Some(OLD))
            .status
            .success()
    );
    let server = Server::start(&place);
    let sign_in = |password: &str| {
        let body = json!({ "email": EMAIL, "password": password });
        let (status, _) =
            ask(&server.address, &request("", "POST", "/sessions", &body)).expect("an answer");
        status
    };
    assert_eq!(sign_in(OLD), 201);
    let made = place.json(&[
        "member",
        "password",
        "--email",
        "Ada@shop.example",
        "--json",
    ]);
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
