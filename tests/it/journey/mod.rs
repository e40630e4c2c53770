//! End-to-end stories through the service's calls.

mod one_chain;
mod one_payment;

use std::path::PathBuf;

use settlekit_service::Mode;
use settlekit_tests::database;
use settlekit_tests::world::World;

/// Tells a story on each database, and compares the bytes with each other and with the recording of this name, which `cargo xtask
/// print` writes.
fn check_recording(name: &str, mode: Mode, tell: impl Fn(&mut World)) {
    let transcript = |database| {
        let mut world = World::with(database, mode);
        tell(&mut world);
        world.transcript()
    };
    let (sqlite, postgres) = (
        transcript(database::sqlite()),
        transcript(database::postgres()),
    );
    for (line, (left, right)) in sqlite.lines().zip(postgres.lines()).enumerate() {
        assert_eq!(left, right, "line {}", line + 1);
    }
    assert_eq!(sqlite.len(), postgres.len());
    let vector = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("vectors")
        .join(name);
    if std::env::var_os("SETTLEKIT_RECORD").is_some() {
        std::fs::write(&vector, &sqlite).expect("the recording is written");
    }
    let recorded = std::fs::read_to_string(vector).expect("the recording is there");
    assert!(
        recorded == sqlite,
        "the recording is out of date: run `cargo xtask print`"
    );
}
