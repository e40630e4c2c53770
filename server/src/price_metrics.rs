//! Metrics of price sources. They are read from the database when they are asked for, so that each of several servers tells the
//! same.

use settlekit_core::value::Timestamp;
use settlekit_service::StoreError;
use settlekit_service::price_operator::{ConnectedSource, CurrencyPrice};

use crate::chain_metrics::{Family, age};
use crate::{Host, edge};

/// The Prometheus text format, version 0.0.4; nothing without a source.
pub(crate) async fn text(host: &Host) -> String {
    let service = host.service.clone();
    let read = host.engine.read(move |database| {
        let sources = service.connected_price_sources(database)?;
        let prices = match sources.is_empty() {
            true => Vec::new(),
            false => service.currency_prices(database, edge::now())?,
        };
        Ok::<_, StoreError>((sources, prices))
    });
    match read.await {
        Ok((sources, _)) if sources.is_empty() => String::new(),
        Ok((sources, prices)) => format(&sources, &prices, edge::now()),
        Err(error) => {
            tracing::warn!(%error, "price metrics query failed");
            String::new()
        }
    }
}

fn format(sources: &[ConnectedSource], prices: &[CurrencyPrice], now: Timestamp) -> String {
    let gauge = |name, help| Family::new(name, help, "gauge");
    let mut success_age = gauge(
        "settlekit_price_source_success_age_seconds",
        "Time since a price source last answered with prices; missing before its first answer.",
    );
    let mut failures = gauge(
        "settlekit_price_source_failures",
        "Failures of a price source since its last success.",
    );
    let mut available = gauge(
        "settlekit_price_available",
        "Whether the sources give a price for a currency now.",
    );
    let mut strays = gauge(
        "settlekit_price_stray",
        "Whether the price of a source strays from the median of all.",
    );
    for source in sources {
        let of = format!("source=\"{}\"", source.source);
        if let Some(at) = source.succeeded_at {
            success_age.add(&of, age(now, at));
        }
        failures.add(&of, source.failures);
    }
    for price in prices {
        let of = format!("currency=\"{}\"", price.currency);
        available.add(&of, u8::from(price.used.is_ok()));
        for reported in &price.reported {
            let labels = format!("{of},source=\"{}\"", reported.source);
            strays.add(&labels, u8::from(reported.strays));
        }
    }
    let all = [success_age, failures, available, strays];
    all.into_iter().map(Family::into_text).collect()
}
