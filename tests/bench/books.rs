//! Export and import of books: memory use with few and many rows.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use settlekit_core::value::{OrganisationId, Timestamp};
use settlekit_service::books::Imported;
use settlekit_service::store::migrate;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Database, Seed, Service};
use settlekit_tests::world::World;

use crate::deliveries::resident;
use crate::filters::fill;
use crate::row;

const FEW: i64 = 10_000;

/// Lines between memory measurements.
const LOOK: u64 = 5_000;

/// Cost of an export or import.
struct Cost {
    /// Peak memory above the start, in MB.
    memory: f64,
    lines_per_second: f64,
}

pub(crate) fn run(many: i64) {
    let [few, much] = [FEW, many].map(measure);
    for (what, few, much) in [("exported", &few.0, &much.0), ("imported", &few.1, &much.1)] {
        row(
            &format!(
                "memory while {many} events are {what}, {:.0} lines/s",
                much.lines_per_second
            ),
            &format!("{:.1} MB more", much.memory),
            &format!("while {FEW} are, {:.1} MB more", few.memory),
            much.memory / few.memory.max(0.1),
        );
    }
}

/// Measures memory and time of line-by-line work.
struct Meter {
    before: f64,
    most: f64,
    lines: u64,
    since: Instant,
}

impl Meter {
    fn begin() -> Self {
        let before = resident();
        Self {
            before,
            most: before,
            lines: 0,
            since: Instant::now(),
        }
    }

    fn line(&mut self) {
        self.lines += 1;
        if self.lines.is_multiple_of(LOOK) {
            self.most = self.most.max(resident());
        }
    }

    fn end(self) -> Cost {
        Cost {
            memory: self.most.max(resident()) - self.before,
            lines_per_second: self.lines as f64 / self.since.elapsed().as_secs_f64(),
        }
    }
}

fn measure(rows: i64) -> (Cost, Cost) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut world = World::new(Box::new(
        Sqlite::open(&folder.path().join("from.db")).expect("a file"),
    ));
    let (shop, now) = (world.shop("Shop", None), world.now);
    let (service, database) = world.parts();
    fill(database, &shop.id.to_string(), rows, rows / 10);
    let file = folder.path().join("books.jsonl");
    let out = export(service, database, shop.id, &file);
    let mut empty = Sqlite::open(&folder.path().join("to.db")).expect("a file");
    migrate::migrate(&mut empty).expect("the history");
    (out, import(service, &mut empty, &file, now))
}

fn export(
    service: &Service,
    database: &mut dyn Database,
    organisation: OrganisationId,
    file: &Path,
) -> Cost {
    let mut out = BufWriter::new(File::create(file).expect("a file"));
    let mut watch = Meter::begin();
    let exported = service.export(database, organisation, &mut |line| {
        watch.line();
        writeln!(out, "{line}").is_ok()
    });
    assert!(exported.expect("an export").is_some());
    watch.end()
}

fn import(service: &Service, database: &mut dyn Database, file: &Path, now: Timestamp) -> Cost {
    let lines = BufReader::new(File::open(file).expect("the file")).lines();
    let mut watch = Meter::begin();
    let mut lines = lines.map(|line| {
        watch.line();
        line.expect("a line")
    });
    let imported = service.import(database, &mut lines, now, Seed([1; 32]));
    drop(lines);
    let imported = imported.expect("an import");
    assert!(matches!(imported, Imported::Made { .. }), "{imported:?}");
    watch.end()
}
