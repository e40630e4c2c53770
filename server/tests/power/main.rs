//! The program on a disk that loses power, and on a full disk: a file system in a loop device.
//!
//! Needs Linux and root, so `cargo test` leaves it out: `cargo xtask test power`, or
//! `cargo test -p settlekit-server --test power` as root.

mod disk;
#[path = "../program/load.rs"]
mod load;
#[path = "../program/place.rs"]
#[expect(dead_code, reason = "some of it serves the other tests alone")]
mod place;

use serde_json::{Value, json};
use settlekit_tests::postgres::Durable;

use disk::Disk;
use load::Load;
use place::{Organisation, Place, Server, ask, request, wait_for};

/// Default number of power cuts under load; set by `SETTLEKIT_CUTS`.
const CUTS: u64 = 12;

fn cuts() -> u64 {
    std::env::var("SETTLEKIT_CUTS").map_or(CUTS, |cuts| cuts.parse().expect("a count"))
}

/// The disk with the database on it: SQLite's file with its key, or PostgreSQL's files.
struct Machine {
    // Fields are dropped in order: users of the disk first.
    postgres: Option<Durable>,
    place: Place,
    disk: Disk,
}

impl Machine {
    fn sqlite(megabytes: u64) -> Self {
        let disk = Disk::new(megabytes);
        let place = Place::within(disk.folder(), "sqlite:book.db".to_owned());
        Self {
            postgres: None,
            place,
            disk,
        }
    }

    fn postgres(megabytes: u64) -> Self {
        let disk = Disk::new(megabytes);
        let files = disk.folder().join("postgres");
        std::fs::create_dir(&files).expect("a folder");
        let postgres = Durable::new(&files);
        let place = Place::within(&std::env::temp_dir(), postgres.database());
        Self {
            postgres: Some(postgres),
            place,
            disk,
        }
    }

    /// Cuts the power and restores it: unsynced writes are lost. Servers must be stopped before.
    fn power_returns(&mut self) {
        if let Some(postgres) = &mut self.postgres {
            postgres.kill();
        }
        self.disk.mount_again();
        if let Some(postgres) = &mut self.postgres {
            postgres.start(&[]);
        }
    }
}

/// Suspends a server; after this returns it runs no more code.
fn stop(server: &Server) {
    server.signal("STOP");
    let tasks = format!("/proc/{}/task", server.child.id());
    wait_for("the server stands still", || {
        let tasks = std::fs::read_dir(&tasks).expect("its threads").flatten();
        // Stopped, or inside an uninterruptible system call that does not return.
        tasks.map(|task| task.path().join("stat")).all(|stat| {
            let stat = std::fs::read_to_string(stat).unwrap_or_default();
            let state = stat.rsplit_once(") ").map(|(_, rest)| rest.chars().next());
            matches!(state, Some(Some('T' | 'D')))
        })
    });
}

fn nothing_acknowledged_is_lost_without_power(mut stand: Machine) {
    let made: Organisation = stand.place.organisation();
    // The output is kept: the first key is shown once.
    stand.disk.cut();
    stand.power_returns();
    let load = Load::new(&made.key);
    let server = Server::start(&stand.place);
    load.prepare(&server.address);
    stop(&server);
    stand.disk.cut();
    drop(server);
    stand.power_returns();

    for cut in 1..=cuts() {
        let server = Server::start(&stand.place);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| load.run(&server.address));
            }
            load.wait_for_more(1 + cut % 7);
            // Suspended first: errors of the dead disk must not become answers.
            stop(&server);
            stand.disk.cut();
            server.signal("KILL");
        });
        drop(server);
        stand.power_returns();
        stand.place.is_sound();
    }
    let server = Server::start(&stand.place);
    load.finish(&server.address);
    drop(server);
    stand.place.is_sound();
}

#[test]
fn sqlite_loses_no_acknowledged_write_on_power_loss() {
    nothing_acknowledged_is_lost_without_power(Machine::sqlite(64));
}

#[test]
fn postgresql_loses_no_acknowledged_write_on_power_loss() {
    nothing_acknowledged_is_lost_without_power(Machine::postgres(400));
}

#[test]
fn backups_and_exports_survive_power_loss() {
    let mut stand = Machine::sqlite(64);
    let made = stand.place.organisation();
    let commands: [&[&str]; 2] = [
        &["backup", "--to", "copy.db"],
        &["export", "--org", &made.id, "--to", "books.jsonl"],
    ];
    for words in commands {
        let output = stand.place.run(words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        stand.disk.cut();
        stand.power_returns();
    }
    let folder = stand.place.folder.path();
    let verified = stand.place.run(&["verify", "--database", "sqlite:copy.db"]);
    assert!(verified.status.success(), "{verified:?}");
    let books = std::fs::read_to_string(folder.join("books.jsonl")).expect("the export");
    assert!(
        books.lines().count() > 1 && books.ends_with('\n'),
        "{books}"
    );
}

fn a_full_disk_refuses_and_goes_on_when_there_is_room(mut stand: Machine) {
    let made = stand.place.organisation();
    let key = made.key.as_str();
    let load = Load::new(key);
    let server = Server::start(&stand.place);
    load.prepare(&server.address);
    // Deposits accepted before the first error.
    let mut taken = 0;
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| load.run(&server.address));
        load.wait_for_more(5);
        stand.disk.fill();
        let body = json!({ "account": "main", "chain_id": 1, "currency": "USDC", "amount": "0.5" });
        let one_more = request(key, "POST", "/sandbox/deposits", &body);
        let mut refused = Value::Null;
        wait_for("a refusal", || match ask(&server.address, &one_more) {
            Some((201, _)) => {
                taken += 1;
                false
            }
            Some((503, answer)) => {
                refused = answer;
                true
            }
            Some((429, _)) => false,
            other => panic!("{other:?}"),
        });
        let reason = &refused["error"]["errors"][0];
        assert_eq!(reason["reason"], "UNAVAILABLE", "{refused}");
        let says_why = refused.to_string().contains("disk is full");
        // PostgreSQL exits if it cannot write its WAL, and is unreachable then.
        assert!(says_why || stand.postgres.is_some(), "{refused}");
        // Reads work on a full disk.
        if says_why {
            let read = request(key, "GET", "/accounts/main/movement?limit=1", &Value::Null);
            let (status, answer) = ask(&server.address, &read).expect("an answer");
            assert_eq!(status, 200, "{answer}");
        }
        stand.disk.make_room();
        if let Some(postgres) = &mut stand.postgres {
            postgres.start_if_ended();
        }
        // The same server recovers by itself.
        load.wait_for_more(5);
        server.signal("KILL");
        worker.join().expect("no panic");
    });
    drop(server);
    let server = Server::start(&stand.place);
    load.finish_beside(&server.address, taken);
    drop(server);
    stand.place.is_sound();
}

#[test]
fn sqlite_recovers_from_a_full_disk() {
    a_full_disk_refuses_and_goes_on_when_there_is_room(Machine::sqlite(64));
}

#[test]
fn postgresql_recovers_from_a_full_disk() {
    a_full_disk_refuses_and_goes_on_when_there_is_room(Machine::postgres(400));
}
