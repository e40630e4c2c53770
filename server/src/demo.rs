//! The demo, for whoever looks at Settlekit for the first time: made once, and how to sign in told each time.

use settlekit_core::value::Timestamp;
use settlekit_service::demo::{self, Demo, EMAIL, OPERATOR, PASSWORD, Standing, VIEWER};
use settlekit_service::store::nested::Nested;
use settlekit_service::store::sql::StoreError;
use settlekit_service::{Database, Seed, Service};

use crate::engine::{Address, Kept};
use crate::{Host, edge, tls};

/// Makes the demo if it is not there; returns what its visitor must know, in lines. None when an
/// interrupted demo is there.
pub(crate) async fn fill(
    host: &Host,
    address: &Address,
) -> Result<Option<Vec<String>>, StoreError> {
    let standing = host
        .engine
        .read(|database| demo::standing(database))
        .await?;
    let made = match standing {
        Standing::Begun => return Ok(None),
        Standing::Made => None,
        Standing::Absent => Some(make(host, address).await?),
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
                fill_on(&service, &mut Nested::new(database), now, seed).map(Kept::Keep)
            };
            host.engine.write(fill).await
        }
        // PostgreSQL keeps every version of a row until a transaction ends, and walks all of them to read it: a year in one
        // would take hours.
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
