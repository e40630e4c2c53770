//! The demo: created once; its sign-in is printed at each start.

use settlekit_core::value::Timestamp;
use settlekit_service::demo::{self, Demo, DemoState, EMAIL, OPERATOR, PASSWORD, VIEWER};
use settlekit_service::store::sql::StoreError;
use settlekit_service::{Database, Seed, Service};

use crate::engine::{Address, Ending};
use crate::{Host, edge, tls};

/// Creates the demo if missing; returns the lines for its visitor, or `None` for an interrupted demo.
pub(crate) async fn fill(
    host: &Host,
    address: &Address,
) -> Result<Option<Vec<String>>, StoreError> {
    let state = host.engine.read(|database| demo::state(database)).await?;
    let made = match state {
        DemoState::Begun => return Ok(None),
        DemoState::Made => None,
        DemoState::Absent => Some(make(host, address).await?),
    };
    let mut lines = vec![
        format!("Sign in with {EMAIL} and the password: {PASSWORD}"),
        format!("The same password signs in {OPERATOR} (operator) and {VIEWER} (viewer)."),
    ];
    if let Some(made) = made {
        for (who, made) in [("merchant", made.merchant), ("partner", made.partner)] {
            lines.push(format!("The demo's {who} is {}, shown this once:", made.id));
            lines.push(format!("  API key: {}", made.api_key));
            lines.push(format!("  Signing secret: {}", made.signing_secret));
        }
    }
    Ok(Some(lines))
}

async fn make(host: &Host, address: &Address) -> Result<Demo, StoreError> {
    let (service, now, seed) = (host.service.clone(), edge::now(), edge::seed()?);
    match address {
        // One transaction: an interrupted demo leaves nothing.
        Address::Sqlite(_) => {
            let fill = move |database: &mut dyn Database| {
                fill_on(&service, database, now, seed).map(Ending::Commit)
            };
            host.engine.write(fill).await
        }
        // Not one transaction: PostgreSQL keeps every row version until it ends and scans all of them on each read, which would
        // take hours for a year.
        Address::Postgres(address) => {
            let address = address.clone();
            let fill = move || fill_on(&service, &mut tls::open(&address)?, now, seed);
            tokio::task::spawn_blocking(fill)
                .await
                .map_err(|error| StoreError::Broken(error.to_string()))?
        }
    }
}

fn fill_on(
    service: &Service,
    database: &mut dyn Database,
    now: Timestamp,
    seed: Seed,
) -> Result<Demo, StoreError> {
    demo::fill(service, database, now, seed, &mut |_, _| {})
}
