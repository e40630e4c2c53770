//! Confidentiality: file permissions, and no secrets in the log.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;

use serde_json::{Value, json};
use settlekit_core::header;

use crate::place::{
    Place, SERVE, Server, answer_of, ask, call, deposit, request, sent, sign, wait_for,
};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path)
        .expect("a file")
        .permissions()
        .mode()
        & 0o777
}

#[test]
fn files_are_readable_by_their_owner_only_with_any_umask() {
    let place = Place::sqlite();
    // The most permissive umask.
    let widest = |words: &[&str]| place.command_after("umask 000", words);
    let made = widest(&["org", "create", "--name", "Acme", "--json"])
        .output()
        .expect("it runs");
    let made: Value = serde_json::from_slice(&made.stdout).expect("JSON");
    let org = made["org_id"].as_str().expect("an id");
    let server = Server::of(widest(&SERVE).process_group(0));
    let key = made["api_key"].as_str().expect("a key");
    let main = json!({ "name": "Main", "chain_id": 1, "currencies": ["USDC"] });
    call(&server.address, key, "POST", "/accounts", main);
    for words in [
        vec!["backup", "--to", "copy.db"],
        vec!["export", "--org", org, "--to", "books.jsonl"],
    ] {
        let done = widest(&words).output().expect("it runs");
        assert!(done.status.success(), "{done:?}");
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(place.folder.path()).expect("a folder") {
        let entry = entry.expect("an entry");
        assert_eq!(mode(&entry.path()), 0o600, "{:?}", entry.path());
        names.push(entry.file_name().into_string().expect("text"));
    }
    names.sort();
    let expected = [
        "book.db",
        "book.db-shm",
        "book.db-wal",
        "book.db.key",
        "books.jsonl",
        "copy.db",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_readable_database_is_reported_at_startup() {
    let place = Place::sqlite();
    place.organisation();
    let file = place.folder.path().join("book.db");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("its mode");
    let log = place.folder.path().join("log");
    let words = ["serve", "--listen", "127.0.0.1:0", "--log", "warn"];
    let mut command = place.command(&words);
    command.stderr(std::fs::File::create(&log).expect("a log"));
    drop(Server::of(&mut command));
    let said = std::fs::read_to_string(&log).expect("a log");
    assert!(
        said.contains("book.db") && said.contains("644") && said.contains("chmod 600"),
        "{said}"
    );
}

/// Uses all features of an organisation at the most verbose log level; returns its secrets by name.
fn day(place: &Place, server: &Server) -> Vec<(&'static str, String)> {
    const PASSWORD: &str = "a door that opens quietly";
    const OTHER_PASSWORD: &str = "a window that closes slowly";
    const EMAIL: &str = "ada.lovelace@shop.example";
    let organisation = place.organisation();
    let words = ["member", "add", "--name", "Ada", "--password-stdin"];
    let whose = ["--org", &organisation.id, "--email", EMAIL];
    let added = place.run_with_input(&[&words[..], &whose].concat(), &format!("{PASSWORD}\n"));
    assert!(added.status.success(), "{added:?}");
    let text = |value: &Value| value.as_str().expect("text").to_owned();

    let body = json!({ "email": EMAIL, "password": PASSWORD });
    let signed_in = answer_of(&server.address, &request("", "POST", "/sessions", &body));
    assert_eq!(signed_in.status, 201, "{}", signed_in.body);
    let cookies: Vec<String> = signed_in.cookies();
    let csrf = text(&signed_in.body["data"]["csrf_token"]);
    let session = |method: &str, path: &str, body: &Value, proof: Option<&str>| {
        let mut asked = request("", method, path, body);
        let headers = asked.headers_mut();
        headers.remove(header::API_KEY);
        headers.insert("cookie", cookies.join("; ").parse().expect("cookies"));
        headers.insert(header::CSRF, csrf.parse().expect("a token"));
        if let Some(proof) = proof {
            headers.insert(header::STEP_UP, proof.parse().expect("a proof"));
        }
        let (status, answer) = ask(&server.address, &asked).expect("an answer");
        assert!(status < 300, "{method} {path}: {status} {answer}");
        answer["data"].clone()
    };
    let password = json!({ "password": PASSWORD });
    let proof = text(&session("POST", "/sessions/step-up", &password, None)["token"]);
    let till = json!({ "name": "till" });
    let made = session("POST", "/api-keys", &till, Some(&proof));
    let another_key = text(&made["key"]);
    let invited = json!({ "email": "eve.online@shop.example", "role": "viewer" });
    let invited = session("POST", "/members", &invited, Some(&proof));
    let invitation = text(&invited["invitation_url"]);
    let invitation = invitation.split_once('#').expect("a token").1.to_owned();
    let password = json!({ "new_password": OTHER_PASSWORD });
    session("PUT", "/sessions/password", &password, Some(&proof));

    // A webhook with a token in its URL, and a signed payout.
    let hooks = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let hook = format!(
        "http://{}/hooks?token=hook_token_4711",
        hooks.local_addr().expect("an address")
    );
    let key = &organisation.key;
    let endpoint = json!({ "webhook_url": hook });
    call(&server.address, key, "PUT", "/orgs", endpoint);
    let account =
        json!({ "name": "Main", "reference": "main", "chain_id": 8453, "currencies": ["USDC"] });
    call(&server.address, key, "POST", "/accounts", account);
    deposit(&server.address, key, "main", "USDC", "5");
    let (mut got, _) = hooks.accept().expect("a webhook");
    let mut sent = vec![0; 8 << 10];
    let length = std::io::Read::read(&mut got, &mut sent).expect("a webhook");
    let sent = String::from_utf8_lossy(&sent[..length]).into_owned();
    let signature = sent
        .lines()
        .find_map(|line| line.strip_prefix("webhook-signature: v1a,"));
    let webhook_signature = signature.expect("a signature").to_owned();
    got.write_all(b"HTTP/1.1 204 No Content\r\n\r\n")
        .expect("an answer");

    let payout = json!({ "account": "main", "amount": "1", "currency": "USDC", "chain_id": 8453,
        "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" });
    let mut asked = request(key, "POST", "/payouts", &payout);
    sign(&mut asked, &organisation);
    let (status, answer) = ask(&server.address, &asked).expect("an answer");
    assert!(status != 401 && status < 500, "{status} {answer}");
    let signature = asked.headers()[header::SIGNATURE]
        .to_str()
        .expect("text")
        .to_owned();

    let mut secrets = vec![
        ("password", PASSWORD.to_owned()),
        ("password", OTHER_PASSWORD.to_owned()),
        ("e-mail address", EMAIL.to_owned()),
        ("e-mail address", "eve.online".to_owned()),
        ("forgery token", csrf.clone()),
        ("proof", proof.clone()),
        ("API key", organisation.key.clone()),
        ("API key", another_key),
        ("signing secret", organisation.secret.clone()),
        ("signature", signature),
        ("invitation", invitation),
        ("webhook's address", "hook_token_4711".to_owned()),
        ("webhook's signature", webhook_signature),
        ("master key", "7".repeat(64)),
    ];
    for cookie in &cookies {
        let (_, value) = cookie.split_once('=').expect("a value");
        secrets.push(("cookie", value.to_owned()));
    }
    secrets
}

#[test]
fn no_log_level_contains_secrets() {
    for place in [Place::sqlite(), Place::postgres()] {
        for format in ["text", "json"] {
            let log = place.folder.path().join(format!("{format}.log"));
            let words = [
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--sandbox",
                "--allow-private-webhooks",
                "--log",
                "trace,tokio_postgres=trace,hyper=trace,h2=trace,reqwest=trace,rustls=trace,log=trace",
                "--log-format",
                format,
            ];
            let mut command = place.command(&words);
            command.stderr(std::fs::File::create(&log).expect("a log"));
            let mut server = Server::of(&mut command);
            if format == "json" {
                // The first round's organisation exists, so its e-mail addresses are taken.
                let wrong = "sk_wrong_key_0815";
                let (status, _) = sent(&server.address, wrong, "GET", "/orgs", &Value::Null);
                assert_eq!(status, 401);
                server.signal("TERM");
                server.child.wait().expect("an end");
                let said = std::fs::read_to_string(&log).expect("a log");
                assert!(
                    said.contains("\"request completed\"") && !said.contains("sk_wrong_key_0815"),
                    "{said}"
                );
                continue;
            }
            let secrets = day(&place, &server);
            wait_for("the request log", || {
                std::fs::read_to_string(&log).is_ok_and(|said| {
                    said.contains("path=\"/v1/payouts\"") || said.contains("/v1/payouts")
                })
            });
            server.signal("TERM");
            server.child.wait().expect("an end");
            let said = std::fs::read_to_string(&log).expect("a log");
            assert!(said.contains("request completed"), "it logs at all: {said}");
            for (what, secret) in &secrets {
                assert!(secret.len() > 6, "{what}");
                if let Some(line) = said.lines().find(|line| line.contains(secret.as_str())) {
                    panic!("{what} in the log: {line}");
                }
            }
            // Secrets are stored as bytes, which a driver would log as numbers or hex.
            let digest = |secret: &str| {
                secret
                    .bytes()
                    .map(|byte| format!("{byte:02x}"))
                    .collect::<String>()
            };
            for (what, secret) in &secrets {
                assert!(!said.contains(&digest(secret)), "{what} in the log, in hex");
            }
        }
    }
}
