//! Metrics of connected exchanges, read from the database as those of price sources.

use settlekit_core::value::Timestamp;
use settlekit_service::venue_operator::ConnectedVenue;

use crate::chain_metrics::{Family, age};
use crate::{Host, edge};

/// The Prometheus text format, version 0.0.4; nothing without an exchange.
pub(crate) async fn text(host: &Host) -> String {
    let service = host.service.clone();
    let read = host
        .engine
        .read(move |database| service.connected_venues(database));
    match read.await {
        Ok(venues) if venues.is_empty() => String::new(),
        Ok(venues) => format(&venues, edge::now()),
        Err(error) => {
            tracing::warn!(%error, "venue metrics query failed");
            String::new()
        }
    }
}

fn format(venues: &[ConnectedVenue], now: Timestamp) -> String {
    let gauge = |name, help| Family::new(name, help, "gauge");
    let mut success_age = gauge(
        "settlekit_venue_success_age_seconds",
        "Time since the pools of an exchange were last read; missing before the first time.",
    );
    let mut failures = gauge(
        "settlekit_venue_failures",
        "Failures to read the pools of an exchange since the last success.",
    );
    let mut pools = gauge(
        "settlekit_venue_pools",
        "Pools of an exchange that can be traded.",
    );
    for venue in venues {
        let of = format!("chain=\"{}\"", venue.chain);
        if let Some(at) = venue.succeeded_at {
            success_age.add(&of, age(now, at));
        }
        failures.add(&of, venue.failures);
        pools.add(&of, venue.pools.len());
    }
    let all = [success_age, failures, pools];
    all.into_iter().map(Family::into_text).collect()
}
