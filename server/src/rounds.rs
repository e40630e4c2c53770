//! Requests to outside parties, which the service lists and the server sends: prices, pools, balances, orders, quotes of conversions.
//!
//! A round without a report becomes due again, so a crash at any point loses nothing.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use settlekit_service::{Database, Seed, Service, StoreError};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::engine::Ending;
use crate::{Host, edge, web_client};

/// Lists the due rounds of `what` at an interval and asks each, until the server stops. One that hangs holds up no other.
pub(crate) async fn run<Round, Due, Ask>(
    what: &'static str,
    mut stop: watch::Receiver<bool>,
    poll: Duration,
    due: impl Fn() -> Due,
    ask: impl Fn(Round) -> Ask,
) where
    Due: Future<Output = Result<Vec<Round>, StoreError>>,
    Ask: Future<Output = ()> + Send + 'static,
{
    let mut asked = JoinSet::new();
    loop {
        match due().await {
            Ok(rounds) => {
                for round in rounds {
                    asked.spawn(ask(round));
                }
            }
            Err(error) => tracing::warn!(what, %error, "query of due rounds failed"),
        }
        while asked.try_join_next().is_some() {}
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(poll) => {}
        }
    }
}

/// As [`run`], for rounds that are asked over the web. A sandbox asks nobody.
pub(crate) async fn run_live<Round, Due, Ask>(
    what: &'static str,
    host: Arc<Host>,
    stop: watch::Receiver<bool>,
    poll: Duration,
    due: impl Fn(Arc<Host>) -> Due,
    ask: impl Fn(Arc<Host>, Client, Round) -> Ask,
) where
    Due: Future<Output = Result<Vec<Round>, StoreError>>,
    Ask: Future<Output = ()> + Send + 'static,
{
    if host.service.options().mode.is_sandbox() {
        return;
    }
    let client = match web_client::build() {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(what, %error, "web client failed to start");
            return;
        }
    };
    let due = || due(Arc::clone(&host));
    let ask = |round| ask(Arc::clone(&host), client.clone(), round);
    run(what, stop, poll, due, ask).await;
}

impl Host {
    /// Reads in a transaction of its own.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        call: impl Fn(&Service, &mut dyn Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let service = self.service.clone();
        self.engine
            .read(move |database| call(&service, database))
            .await
    }

    /// Writes in a transaction that is committed.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        call: impl Fn(&Service, &mut dyn Database, Seed) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (service, seed) = (self.service.clone(), edge::seed()?);
        self.engine
            .write(move |database: &mut dyn Database| {
                call(&service, database, seed).map(Ending::Commit)
            })
            .await
    }
}
