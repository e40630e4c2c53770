//! Commands for exchanges.

use std::process::ExitCode;

use serde_json::{Value, json};
use settlekit_core::value::Timestamp;
use settlekit_service::uniswap::{Pool, PoolKind, Slippage};
use settlekit_service::venue_operator::{ConnectedVenue, NewVenue, VenueError};

use super::connect_venue::describe;
use super::failure::Failure;
use super::opening::open;
use super::output::{say, test_mark};
use crate::config::{Store, Venue};
use crate::edge;

/// Millionths of a hundredth of a percent.
const BASIS_POINT: u32 = 100;

pub(super) fn run(command: Venue) -> Result<ExitCode, Failure> {
    match command {
        Venue::Connect {
            store,
            chain,
            name,
            contracts,
            slippage,
        } => {
            let slippage = Slippage::new(slippage * BASIS_POINT);
            let slippage = slippage.ok_or("the slippage is too high")?;
            let mut opened = open(&store)?;
            let contracts = describe(&mut opened, &store, chain, &contracts)?;
            let new = NewVenue {
                name,
                contracts,
                slippage,
            };
            let database = opened.database.as_mut();
            let done = opened
                .service
                .connect_venue(database, chain, &new, edge::now());
            done.map_err(|error| failure(&store, error))?;
        }
        Venue::List { store, json } => list(&store, json)?,
        Venue::Disconnect { store, chain } => {
            let mut opened = open(&store)?;
            let database = opened.database.as_mut();
            let done = opened.service.disconnect_venue(database, chain);
            done.map_err(|error| failure(&store, error))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn failure(store: &Store, error: VenueError) -> Failure {
    match error {
        VenueError::Store(error) => Failure::of(&store.database)(error),
        error => error.to_string().into(),
    }
}

fn list(store: &Store, json: bool) -> Result<(), Failure> {
    let mut opened = open(store)?;
    let venues = opened.call(|service, database, _, _| service.connected_venues(database))?;
    let tests = opened.test_chains()?;
    let is_test = |venue: &ConnectedVenue| tests.contains(&venue.chain);
    if json {
        let venues = venues.iter();
        let venues: Vec<Value> = venues
            .map(|venue| venue_json(venue, is_test(venue)))
            .collect();
        say(&Value::from(venues).to_string())?;
        return Ok(());
    }
    if venues.is_empty() {
        say("no venue is connected")?;
        return Ok(());
    }
    let now = edge::now();
    for venue in &venues {
        say(&venue_line(venue, is_test(venue), now))?;
        for pool in &venue.pools {
            say(&pool_line(pool))?;
        }
    }
    Ok(())
}

fn venue_json(connected: &ConnectedVenue, is_test: bool) -> Value {
    let contracts = &connected.venue.contracts;
    let v2 = contracts
        .v2
        .as_ref()
        .map(|v2| json!({ "factory": v2.factory, "router": v2.router, "fee_millionths": v2.fee }));
    let v3 = contracts.v3.as_ref().map(
        |v3| json!({ "factory": v3.factory, "quoter": v3.quoter, "router": v3.router.address() }),
    );
    let pools = connected.pools.iter().map(|pool| {
        let key = &pool.at.key;
        json!({
            "contract": pool.at.address.to_string(),
            "tokens": [key.token0.to_string(), key.token1.to_string()],
            "version": version(key.kind),
            "fee_millionths": fee(key.kind),
        })
    });
    json!({
        "chain_id": connected.chain,
        "test_network": is_test,
        "name": connected.venue.name,
        "wrapped_native": contracts.wrapped_native.to_string(),
        "v2": v2,
        "v3": v3,
        "slippage_millionths": connected.venue.slippage.millionths(),
        "pools": pools.collect::<Vec<_>>(),
        "succeeded_at": connected.succeeded_at,
        "failures": connected.failures,
        "failing_since": connected.failing_since,
        "last_error": connected.last_error,
    })
}

const fn version(kind: PoolKind) -> u32 {
    match kind {
        PoolKind::V2 => 2,
        PoolKind::V3 { .. } => 3,
    }
}

const fn fee(kind: PoolKind) -> Option<u32> {
    match kind {
        PoolKind::V2 => None,
        PoolKind::V3 { fee } => Some(fee),
    }
}

fn venue_line(connected: &ConnectedVenue, is_test: bool, now: Timestamp) -> String {
    let (chain, name) = (connected.chain, &connected.venue.name);
    let state = match (connected.failing_since, connected.succeeded_at) {
        (Some(since), _) => {
            let error = connected.last_error.as_deref().unwrap_or_default();
            format!("fails for {} s: {error}", now.since(since).as_secs())
        }
        (None, Some(at)) => format!(
            "{} pools, read {} s ago",
            connected.pools.len(),
            now.since(at).as_secs()
        ),
        (None, None) => "its pools were not read yet".to_owned(),
    };
    let mark = test_mark(is_test);
    format!("{name} on chain {chain}{mark}: {state}")
}

fn pool_line(pool: &Pool) -> String {
    let key = &pool.at.key;
    let fee = match fee(key.kind) {
        Some(millionths) => format!(", fee {millionths} millionths"),
        None => String::new(),
    };
    format!(
        "  version {}{fee}: {} and {}",
        version(key.kind),
        key.token0,
        key.token1
    )
}
