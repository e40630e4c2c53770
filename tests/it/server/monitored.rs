//! What a live server's metrics and health check say of a database.

use axum::body::Body;
use axum::http::Request;
use settlekit_server::{Setup, build};
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Database, Mode};
use settlekit_tests::chain::Connected;

use super::{metrics, send, setup_on};

/// Metrics and health check as texts.
pub(crate) struct Monitored {
    pub(crate) metrics: String,
    pub(crate) health: String,
}

impl Monitored {
    /// Those of a server on the database that `fill` has filled.
    pub(crate) fn after(fill: impl FnOnce(&mut Connected)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("book.db");
        let database: Box<dyn Database> = Box::new(Sqlite::open(&file).expect("a database"));
        let mut connected = Connected::live(database);
        fill(&mut connected);
        drop(connected);
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let setup = Setup {
                mode: Mode::Live,
                ..setup_on(&file)
            };
            let server = build(&setup).expect("a server");
            let metrics = metrics(&server.router()).await.text().to_owned();
            let request = Request::get("/healthz");
            let health = send(&server.router(), request, Body::empty()).await;
            let health = health.text().to_owned();
            server.close().await;
            Self { metrics, health }
        })
    }

    /// Checks that the metrics have these lines, and that the server is healthy: what fails is outside.
    pub(crate) fn has_lines(&self, lines: &[&str]) {
        let text = &self.metrics;
        for line in lines {
            assert!(text.lines().any(|found| found == *line), "{line}\n{text}");
        }
        assert!(self.health.contains("\"status\":\"ok\""), "{}", self.health);
    }

    /// Whether a line of the metrics begins so.
    pub(crate) fn has_line_from(&self, start: &str) -> bool {
        self.metrics.lines().any(|line| line.starts_with(start))
    }
}
