//! Keys from the command line: scopes of a new API key, and rotation of the master key with kills at any time.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use crate::place::{Organisation, Place, Server, ask, refused, request, sign};
use serde_json::Value;

const ROTATE: [&str; 2] = ["key", "rotate-master"];

#[test]
fn a_key_has_read_and_write_scopes_by_default() {
    let place = Place::sqlite();
    let made = place.organisation();
    let words = ["key", "create", "--org", &made.id, "--json"];
    let plain = place.json(&words);
    assert_eq!(plain["scopes"], "read,write");
    assert!(plain.get("notice").is_none(), "{plain}");
    let more = [words.as_slice(), &["--scope", "read,payout"]].concat();
    let more = place.json(&more);
    assert_eq!(more["scopes"], "read,payout");
    assert!(
        more["notice"]
            .as_str()
            .is_some_and(|text| text.contains("send money out"))
    );
    let output = place.run(&[words.as_slice(), &["--scope", "all"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("read, write, payout or manage"),
        "{said}"
    );
    // The first key has all scopes, which is explained.
    let output = place.run(&["org", "create", "--name", "Second"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("notice: with `payout`") && said.contains("with `manage`"),
        "{said}"
    );
}

/// Whether the signing secret can be decrypted: a signed call succeeds.
fn opens(place: &Place, made: &Organisation, more: &[&str]) {
    let server = Server::start_with(place, more);
    let mut asked = request(&made.key, "GET", "/partners/accounts/nobodys", &Value::Null);
    sign(&mut asked, made);
    let (status, answer) = ask(&server.address, &asked).expect("an answer");
    assert_eq!(status, 404, "{answer}");
}

fn file(place: &Place, name: &str) -> PathBuf {
    place.folder.path().join(name)
}

#[test]
fn rotating_the_master_key_keeps_the_old_key_file() {
    let place = Place::sqlite();
    let made = place.organisation();
    let before = fs::read_to_string(file(&place, "book.db.key")).expect("the key");
    let output = place.run(&ROTATE);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("secrets_sealed: 2") && said.contains("book.db.key.old"),
        "{said}"
    );
    let after = fs::read_to_string(file(&place, "book.db.key")).expect("the key");
    let old = fs::read_to_string(file(&place, "book.db.key.old")).expect("the old key");
    assert!(before != after && before == old);
    assert!(!said.contains(after.trim()), "the key is not printed");
    assert!(!file(&place, "book.db.key.new").exists());
    opens(&place, &made, &[]);
    // The old key is never overwritten: backups may need it.
    let text = refused(&place.run(&ROTATE));
    assert!(
        text.contains("book.db.key.old holds an earlier key"),
        "{text}"
    );
    fs::remove_file(file(&place, "book.db.key.old")).expect("the old key");
    assert!(place.run(&ROTATE).status.success());
    opens(&place, &made, &[]);
}

#[test]
fn a_master_key_from_the_environment_is_rotated() {
    let place = Place::postgres();
    let made = place.organisation();
    let text = refused(&place.run(&ROTATE));
    assert!(text.contains("SETTLEKIT_NEW_MASTER_KEY"), "{text}");
    let (old, new) = ("7".repeat(64), "8".repeat(64));
    let given = [ROTATE.as_slice(), &["--new-master-key", &old]].concat();
    assert!(refused(&place.run(&given)).contains("is the current one"));
    let given = [ROTATE.as_slice(), &["--new-master-key", &new]].concat();
    assert!(place.run(&given).status.success());
    let text = refused(&place.run(&["key", "create", "--org", &made.id]));
    assert!(text.contains("not the master key"), "{text}");
    opens(&place, &made, &["--master-key", &new]);
}

#[test]
fn an_interrupted_rotation_leaves_one_working_key() {
    let place = Place::sqlite();
    let made = place.organisation();
    let key = file(&place, "book.db.key");
    let (draft, old) = (
        file(&place, "book.db.key.new"),
        file(&place, "book.db.key.old"),
    );
    // Killed before the database has the new key: the old one stays valid, and the next rotation uses the draft.
    let present = fs::read_to_string(&key).expect("the key");
    let next = format!("{}\n", "5".repeat(64));
    fs::write(&draft, &next).expect("a draft");
    private(&draft);
    opens(&place, &made, &[]);
    assert_eq!(fs::read_to_string(&key).expect("the key"), present);
    assert!(place.run(&ROTATE).status.success());
    assert_eq!(fs::read_to_string(&key).expect("the key"), next);
    // Killed after the database has it but before the key file has, with and without the backup of the old key.
    for linked in [false, true] {
        fs::rename(&key, &draft).expect("the new key");
        fs::rename(&old, &key).expect("the old key");
        if linked {
            fs::hard_link(&key, &old).expect("a second name");
        }
        opens(&place, &made, &[]);
        assert_eq!(fs::read_to_string(&key).expect("the key"), next);
        assert_eq!(fs::read_to_string(&old).expect("the key"), present);
        assert!(!draft.exists());
    }
    fs::remove_file(&old).expect("the old key");
    // Killed at any time.
    for pause in 0..40 {
        let mut child = place
            .command(&ROTATE)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(pause));
        let _killed = child.kill();
        child.wait().expect("its end");
        let words = ["key", "create", "--org", &made.id, "--json"];
        let output = place.run(&words);
        assert!(output.status.success(), "after {pause} ms: {output:?}");
        // A completed rotation leaves no draft.
        let _gone = fs::remove_file(&old);
    }
    opens(&place, &made, &[]);
}

fn private(file: &PathBuf) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("its mode");
}

#[test]
fn concurrent_rotations_leave_one_working_key() {
    let place = Place::sqlite();
    let made = place.organisation();
    for _ in 0..5 {
        let start = || {
            let mut command = place.command(&ROTATE);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().expect("the program starts")
        };
        let both = [start(), start()];
        let ends = both.map(|mut child| child.wait().expect("its end").success());
        assert!(ends.contains(&true), "{ends:?}");
        let words = ["key", "create", "--org", &made.id, "--json"];
        assert!(place.run(&words).status.success());
        let _gone = fs::remove_file(file(&place, "book.db.key.old"));
    }
    opens(&place, &made, &[]);
}
