//! The server's metrics and their Prometheus text. They contain no name, amount or id.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

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
        let mut out = String::new();
        let mut family = |name: &str, kind: &str, help: &str, samples: &[(String, String)]| {
            // Writing to a String cannot fail.
            let _ = writeln!(
                out,
                "# HELP settlekit_{name} {help}\n# TYPE settlekit_{name} {kind}"
            );
            for (suffix, value) in samples {
                let _ = writeln!(out, "settlekit_{name}{suffix} {value}");
            }
        };
        let one = |value: u64| [(String::new(), value.to_string())];

        let version = format!("{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
        family(
            "info",
            "gauge",
            "Version of the program.",
            &[(version, "1".to_owned())],
        );

        let by_status: Vec<_> = (self.requests.iter().enumerate())
            .map(|(index, count)| {
                (
                    format!("{{status=\"{}xx\"}}", index + 1),
                    get(count).to_string(),
                )
            })
            .collect();
        family(
            "http_requests_total",
            "counter",
            "Answered requests by status class.",
            &by_status,
        );
        family(
            "http_requests_in_flight",
            "gauge",
            "Requests in flight.",
            &one(get(&self.in_flight)),
        );

        let mut so_far = 0;
        let mut buckets = Vec::new();
        for (place, count) in self.durations.iter().enumerate() {
            so_far += get(count);
            let bound = BOUNDS
                .get(place)
                .map_or("+Inf".to_owned(), |bound| seconds(*bound));
            buckets.push((format!("_bucket{{le=\"{bound}\"}}"), so_far.to_string()));
        }
        buckets.push(("_sum".to_owned(), seconds(get(&self.duration_sum))));
        buckets.push(("_count".to_owned(), so_far.to_string()));
        family(
            "http_request_duration_seconds",
            "histogram",
            "Time from request to response, in seconds.",
            &buckets,
        );

        family(
            "connections",
            "gauge",
            "Open connections.",
            &one(get(&self.connections)),
        );
        family(
            "connections_refused_total",
            "counter",
            "Connections refused at the connection limit.",
            &one(get(&self.connections_refused)),
        );
        family(
            "commits_total",
            "counter",
            "Committed write transactions.",
            &one(get(&self.groups)),
        );
        family(
            "committed_requests_total",
            "counter",
            "Writing requests in committed transactions.",
            &one(get(&self.committed)),
        );
        family(
            "conflicts_total",
            "counter",
            "Write transactions rerun after a conflict.",
            &one(get(&self.conflicts)),
        );
        let deliveries = [("success", &self.delivered), ("failure", &self.undelivered)]
            .map(|(outcome, count)| (format!("{{outcome=\"{outcome}\"}}"), get(count).to_string()));
        family(
            "webhook_attempts_total",
            "counter",
            "Webhook delivery attempts by outcome.",
            &deliveries,
        );
        family(
            "due_jobs_failed_total",
            "counter",
            "Failed due jobs; the log has each error.",
            &one(get(&self.due_jobs_failed)),
        );
        out
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
