//! Metrics of connected chains and hot wallets. They are read from the database when they are asked for, so that each of several
//! servers tells the same.

use std::fmt::Write;

use settlekit_core::value::{Amount, Timestamp};
use settlekit_service::Installation;

use crate::metrics::Metrics;
use crate::{Host, edge};

/// The Prometheus text format, version 0.0.4. `settlekit_chains_readable` reports a failure, so that the other metrics stay.
pub(crate) async fn text(host: &Host) -> String {
    let service = host.service.clone();
    let read = host
        .engine
        .read(move |database| service.installation(database))
        .await;
    match read {
        Ok(installation) => format(&installation, &host.metrics, edge::now()),
        Err(error) => {
            tracing::warn!(%error, "chain metrics query failed");
            readable(0)
        }
    }
}

fn readable(value: u8) -> String {
    let mut family = Family::new(
        "settlekit_chains_readable",
        "Whether the state of the chains could be read; without it the metrics below are missing.",
        "gauge",
    );
    family.add("", value);
    family.0
}

/// A metric with its lines.
pub(crate) struct Family(String, &'static str);

impl Family {
    pub(crate) fn new(name: &'static str, help: &str, kind: &str) -> Self {
        Self(
            format!("# HELP {name} {help}\n# TYPE {name} {kind}\n"),
            name,
        )
    }

    /// The lines as text.
    pub(crate) fn into_text(self) -> String {
        self.0
    }

    pub(crate) fn add(&mut self, labels: &str, value: impl std::fmt::Display) {
        let labels = match labels {
            "" => String::new(),
            labels => format!("{{{labels}}}"),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{}{labels} {value}", self.1);
    }
}

/// Seconds since a time.
pub(crate) fn age(now: Timestamp, at: Timestamp) -> u64 {
    now.since(at).as_secs()
}

fn format(installation: &Installation, metrics: &Metrics, now: Timestamp) -> String {
    let gauge = |name, help| Family::new(name, help, "gauge");
    let mut paused = gauge("settlekit_chain_paused", "Whether a chain is paused.");
    let mut head = gauge("settlekit_chain_head", "Latest recorded block.");
    let mut lag = gauge(
        "settlekit_chain_lag_blocks",
        "Blocks of the nodes that are not recorded yet.",
    );
    let mut head_age = gauge(
        "settlekit_chain_head_age_seconds",
        "Time since the latest block was recorded, when the watching server last reported.",
    );
    let mut report_age = gauge(
        "settlekit_chain_report_age_seconds",
        "Time since the watching server last reported; it grows when no server watches the chain.",
    );
    let mut halted = gauge(
        "settlekit_chain_halted",
        "Whether something keeps the chain from going on; the log and the dashboard say what.",
    );
    let mut ready = gauge(
        "settlekit_chain_provider_ready",
        "Whether a provider of a chain answers.",
    );
    let mut provider_lag = gauge(
        "settlekit_chain_provider_lag_blocks",
        "Blocks that a provider is behind the most advanced one; missing until it has told its latest block.",
    );
    let mut under_way = gauge(
        "settlekit_chain_transactions_under_way",
        "Outgoing transactions that are neither settled nor refused.",
    );
    let mut oldest = gauge(
        "settlekit_chain_oldest_transaction_age_seconds",
        "Age of the oldest of them; 0 without any.",
    );
    let mut oldest_nonce = gauge(
        "settlekit_chain_oldest_transaction_nonce",
        "Nonce of the oldest of them; missing until it is signed.",
    );
    let mut oldest_fee = gauge(
        "settlekit_chain_oldest_transaction_max_fee",
        "Most that the network can take for the oldest of them, in native coins; missing until it is signed.",
    );
    let mut balance = gauge(
        "settlekit_chain_hot_wallet_balance",
        "Money at a hot wallet by the settled transfers, merchants' money among it.",
    );
    let mut gas = gauge(
        "settlekit_chain_gas_money",
        "Native coins of the operator that pay the network, without those reserved.",
    );
    let mut gas_mark = gauge(
        "settlekit_chain_gas_money_mark",
        "Mark below which the hot wallet should be topped up.",
    );
    let mut proxies = gauge(
        "settlekit_chain_unswept_proxies",
        "Proxy wallets with money that is not swept.",
    );
    let mut unswept = gauge(
        "settlekit_chain_unswept_amount",
        "Money at proxy wallets that is not swept.",
    );
    let mut differences = gauge(
        "settlekit_chain_differences",
        "Differences of the latest comparison of the books with the chain.",
    );
    let mut compared_age = gauge(
        "settlekit_chain_comparison_age_seconds",
        "Time since that comparison.",
    );
    let mut alarms = Family::new(
        "settlekit_chain_alarms_total",
        "Alarms of this process; the log has each as `chain alarm`.",
        "counter",
    );
    for chain in &installation.chains {
        let of = format!("chain=\"{}\"", chain.id);
        paused.add(&of, u8::from(chain.paused));
        head.add(&of, chain.head);
        if let Some(blocks) = chain.lag {
            lag.add(&of, blocks);
        }
        if let Some(report) = &chain.report {
            let at = report.reported_at;
            head_age.add(&of, age(at, report.head_at));
            report_age.add(&of, age(now, at));
            halted.add(&of, u8::from(report.problem.is_some()));
            for (number, provider) in (1..).zip(&report.providers) {
                // Two providers may have the same host.
                let host = &provider.host;
                let labels = format!("{of},provider=\"{number}\",host=\"{host}\"");
                ready.add(&labels, u8::from(provider.ready));
                if let Some(blocks) = provider.lag {
                    provider_lag.add(&labels, blocks);
                }
            }
        }
        under_way.add(&of, chain.transactions_under_way);
        oldest.add(
            &of,
            chain.oldest_transaction_at.map_or(0, |at| age(now, at)),
        );
        proxies.add(
            &of,
            chain.unswept.iter().map(|sum| sum.proxies).sum::<u64>(),
        );
        for sum in &chain.unswept {
            let labels = format!("{of},currency=\"{}\"", sum.currency);
            unswept.add(&labels, sum.amount);
        }
        if let Some(comparison) = &chain.comparison {
            differences.add(&of, comparison.difference_count);
            compared_age.add(&of, age(now, comparison.compared_at));
        }
        alarms.add(&of, metrics.chain_alarms(chain.id));
    }
    for transaction in &installation.oldest_transactions {
        let of = format!(
            "chain=\"{}\",wallet=\"{}\"",
            transaction.chain_id, transaction.from
        );
        if let Some(nonce) = transaction.nonce {
            oldest_nonce.add(&of, nonce);
        }
        if let Some(fee) = transaction.max_fee {
            oldest_fee.add(&of, fee);
        }
    }
    for wallet in &installation.wallets {
        for held in &wallet.holdings {
            let labels = format!(
                "chain=\"{}\",wallet=\"{}\",currency=\"{}\"",
                held.chain_id, wallet.address, held.currency
            );
            balance.add(&labels, held.amount);
        }
    }
    for money in installation.wallets.iter().flat_map(|wallet| &wallet.gas) {
        let labels = format!(
            "chain=\"{}\",currency=\"{}\"",
            money.chain_id, money.currency
        );
        let add = |family: &mut Family, amount: Amount| family.add(&labels, amount);
        add(&mut gas, money.available);
        add(&mut gas_mark, money.warn_below);
    }
    let all = [
        paused,
        head,
        lag,
        head_age,
        report_age,
        halted,
        ready,
        provider_lag,
        under_way,
        oldest,
        oldest_nonce,
        oldest_fee,
        balance,
        gas,
        gas_mark,
        proxies,
        unswept,
        differences,
        compared_age,
        alarms,
    ];
    let texts = all.into_iter().map(|family| family.0);
    readable(1) + &texts.collect::<String>()
}
