//! The server's metrics and their Prometheus text. They contain no name, amount or id of a merchant.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use settlekit_core::value::ChainId;

/// Upper bounds of the request duration histogram, in microseconds.
const BOUNDS: [u64; 11] = [
    1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000,
];

/// Metrics since the start of the process.
#[derive(Debug, Default)]
pub struct Metrics {
    /// By the first digit of the status, 1 to 5.
    requests: [AtomicU64; 5],
    /// The last bucket is for durations above all bounds.
    durations: [AtomicU64; BOUNDS.len() + 1],
    duration_sum: AtomicU64,
    in_flight: AtomicU64,
    groups: AtomicU64,
    committed: AtomicU64,
    conflicts: AtomicU64,
    delivered: AtomicU64,
    undelivered: AtomicU64,
    due_jobs_failed: AtomicU64,
    connections: AtomicU64,
    connections_refused: AtomicU64,
    /// By chain.
    chain_alarms: Mutex<BTreeMap<ChainId, u64>>,
}

impl Metrics {
    /// Counts a request as in flight.
    pub fn begun(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    /// Ends a request; without a status the caller has gone.
    pub fn ended(&self, status: Option<u16>, took: Duration) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
        let Some(status) = status else { return };
        if let Some(count) = self.requests.get(usize::from(status / 100).wrapping_sub(1)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let place = BOUNDS
            .iter()
            .position(|bound| micros <= *bound)
            .unwrap_or(BOUNDS.len());
        self.durations[place].fetch_add(1, Ordering::Relaxed);
        self.duration_sum.fetch_add(micros, Ordering::Relaxed);
    }

    /// Counts a commit with this many write requests.
    pub fn committed(&self, requests: usize) {
        self.groups.fetch_add(1, Ordering::Relaxed);
        self.committed.fetch_add(requests as u64, Ordering::Relaxed);
    }

    /// Counts a transaction that reruns after a conflict.
    pub fn conflicted(&self) {
        self.conflicts.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a webhook delivery; success is a 2xx status.
    pub fn delivered(&self, success: bool) {
        if success {
            &self.delivered
        } else {
            &self.undelivered
        }
        .fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a failed due job.
    pub fn due_job_failed(&self) {
        self.due_jobs_failed.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a failure on a chain that needs an operator.
    pub fn chain_alarm(&self, chain: ChainId) {
        let mut alarms = self
            .chain_alarms
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *alarms.entry(chain).or_default() += 1;
    }

    /// The alarms of a chain.
    pub(crate) fn chain_alarms(&self, chain: ChainId) -> u64 {
        let alarms = self
            .chain_alarms
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        alarms.get(&chain).copied().unwrap_or(0)
    }

    /// Counts an open connection.
    pub fn connection_opened(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
    }

    /// Ends an open connection.
    pub fn connection_closed(&self) {
        self.connections.fetch_sub(1, Ordering::Relaxed);
    }

    /// Counts a connection refused because too many are open.
    pub fn connection_refused(&self) {
        self.connections_refused.fetch_add(1, Ordering::Relaxed);
    }

    /// The Prometheus text format, version 0.0.4.
    pub fn text(&self) -> String {
        let get = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let [status_1xx, status_2xx, status_3xx, status_4xx, status_5xx] =
            self.requests.each_ref().map(get);
        let mut count = 0;
        let mut buckets = String::new();
        for (place, durations) in self.durations.iter().enumerate() {
            count += get(durations);
            let bound = BOUNDS
                .get(place)
                .map_or("+Inf".to_owned(), |bound| seconds(*bound));
            let name = "settlekit_http_request_duration_seconds_bucket";
            // Writing to a String cannot fail.
            let _ = writeln!(buckets, "{name}{{le=\"{bound}\"}} {count}");
        }
        format!(
            "\
# HELP settlekit_info Version of the program.
# TYPE settlekit_info gauge
settlekit_info{{version=\"{version}\"}} 1
# HELP settlekit_http_requests_total Answered requests by status class.
# TYPE settlekit_http_requests_total counter
settlekit_http_requests_total{{status=\"1xx\"}} {status_1xx}
settlekit_http_requests_total{{status=\"2xx\"}} {status_2xx}
settlekit_http_requests_total{{status=\"3xx\"}} {status_3xx}
settlekit_http_requests_total{{status=\"4xx\"}} {status_4xx}
settlekit_http_requests_total{{status=\"5xx\"}} {status_5xx}
# HELP settlekit_http_requests_in_flight Requests in flight.
# TYPE settlekit_http_requests_in_flight gauge
settlekit_http_requests_in_flight {in_flight}
# HELP settlekit_http_request_duration_seconds Time from request to response, in seconds.
# TYPE settlekit_http_request_duration_seconds histogram
{buckets}settlekit_http_request_duration_seconds_sum {sum}
settlekit_http_request_duration_seconds_count {count}
# HELP settlekit_connections Open connections.
# TYPE settlekit_connections gauge
settlekit_connections {connections}
# HELP settlekit_connections_refused_total Connections refused at the connection limit.
# TYPE settlekit_connections_refused_total counter
settlekit_connections_refused_total {refused}
# HELP settlekit_commits_total Committed write transactions.
# TYPE settlekit_commits_total counter
settlekit_commits_total {commits}
# HELP settlekit_committed_requests_total Writing requests in committed transactions.
# TYPE settlekit_committed_requests_total counter
settlekit_committed_requests_total {committed}
# HELP settlekit_conflicts_total Write transactions rerun after a conflict.
# TYPE settlekit_conflicts_total counter
settlekit_conflicts_total {conflicts}
# HELP settlekit_webhook_attempts_total Webhook delivery attempts by outcome.
# TYPE settlekit_webhook_attempts_total counter
settlekit_webhook_attempts_total{{outcome=\"success\"}} {delivered}
settlekit_webhook_attempts_total{{outcome=\"failure\"}} {undelivered}
# HELP settlekit_due_jobs_failed_total Failed due jobs; the log has each error.
# TYPE settlekit_due_jobs_failed_total counter
settlekit_due_jobs_failed_total {due_jobs_failed}
",
            version = env!("CARGO_PKG_VERSION"),
            in_flight = get(&self.in_flight),
            sum = seconds(get(&self.duration_sum)),
            connections = get(&self.connections),
            refused = get(&self.connections_refused),
            commits = get(&self.groups),
            committed = get(&self.committed),
            conflicts = get(&self.conflicts),
            delivered = get(&self.delivered),
            undelivered = get(&self.undelivered),
            due_jobs_failed = get(&self.due_jobs_failed),
        )
    }
}

/// Microseconds as decimal seconds.
fn seconds(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_histogram_is_cumulative_and_in_seconds() {
        let metrics = Metrics::default();
        for millis in [1, 3, 30_000] {
            metrics.begun();
            metrics.ended(Some(200), Duration::from_millis(millis));
        }
        let text = metrics.text();
        for line in [
            "settlekit_http_requests_total{status=\"2xx\"} 3",
            "settlekit_http_request_duration_seconds_bucket{le=\"0.001\"} 1",
            "settlekit_http_request_duration_seconds_bucket{le=\"0.005\"} 2",
            "settlekit_http_request_duration_seconds_bucket{le=\"5\"} 2",
            "settlekit_http_request_duration_seconds_bucket{le=\"+Inf\"} 3",
            "settlekit_http_request_duration_seconds_sum 30.004",
            "settlekit_http_request_duration_seconds_count 3",
            "settlekit_http_requests_in_flight 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
