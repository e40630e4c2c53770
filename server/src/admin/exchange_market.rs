//! Commands for markets at exchange accounts.

use serde_json::{Value, json};
use settlekit_core::value::Timestamp;
use settlekit_service::exchange::{BestPrices, ExchangeMarket, ExchangeMarketError, NewMarket};
use settlekit_service::web_answer::WebAnswer;

use super::failure::Failure;
use super::opening::open;
use super::output::say;
use crate::config::{Market, Store};
use crate::exchange_rounds::BODY_MAX;
use crate::{edge, web_client};

/// Millionths of a hundredth of a percent.
const BASIS_POINT: u32 = 100;

pub(super) fn run(command: Market) -> Result<(), Failure> {
    match command {
        Market::Add {
            store,
            name,
            market,
            margin,
        } => {
            let new = NewMarket {
                account: name,
                market,
                margin: margin * BASIS_POINT,
            };
            add(&store, &new)
        }
        Market::List { store, json } => list(&store, json),
        Market::Remove {
            store,
            name,
            market,
        } => {
            let mut opened = open(&store)?;
            let database = opened.database.as_mut();
            let done = opened
                .service
                .remove_exchange_market(database, &name, &market);
            done.map_err(|error| failure(&store, error))
        }
    }
}

fn failure(store: &Store, error: ExchangeMarketError) -> Failure {
    match error {
        ExchangeMarketError::Store(error) => Failure::of(&store.database)(error),
        error => error.to_string().into(),
    }
}

/// Adds a market as the exchange describes it.
fn add(store: &Store, new: &NewMarket) -> Result<(), Failure> {
    let mut opened = open(store)?;
    let database = opened.database.as_mut();
    let url = opened.service.exchange_market_url(database, new);
    let answer = get(&url.map_err(|error| failure(store, error))?)?;
    let database = opened.database.as_mut();
    let done = opened
        .service
        .add_exchange_market(database, new, &answer, edge::now());
    done.map_err(|error| failure(store, error))
}

fn get(url: &str) -> Result<WebAnswer, Failure> {
    let client = web_client::build()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    Ok(runtime.block_on(web_client::send(client.get(url), BODY_MAX)))
}

fn list(store: &Store, json: bool) -> Result<(), Failure> {
    let mut opened = open(store)?;
    let markets =
        opened.call(|service, database, _, _| service.exchange_market_prices(database))?;
    if json {
        let markets: Vec<Value> = markets.iter().map(market_json).collect();
        say(&Value::from(markets).to_string())?;
        return Ok(());
    }
    if markets.is_empty() {
        say("quotes are traded in no market of an exchange account")?;
    }
    let now = edge::now();
    for market in &markets {
        say(&market_line(market, now))?;
    }
    Ok(())
}

fn market_json((market, (bid, ask)): &(ExchangeMarket, BestPrices)) -> Value {
    json!({
        "account": market.market.account,
        "market": market.market.market,
        "margin_millionths": market.market.margin,
        "fee_millionths": market.fee,
        "volume_min": market.volume_min.to_string(),
        "refusal": market.refusal,
        "bid": bid.map(|price| price.to_string()),
        "ask": ask.map(|price| price.to_string()),
        "succeeded_at": market.succeeded_at,
        "failures": market.failures,
        "failing_since": market.failing_since,
        "last_error": market.last_error,
    })
}

fn market_line((market, (bid, ask)): &(ExchangeMarket, BestPrices), now: Timestamp) -> String {
    let shown = |price: &Option<_>| match price {
        Some(price) => format!("{price}"),
        None => "nobody".to_owned(),
    };
    let known = match market.succeeded_at {
        Some(at) => {
            let age = now.since(at).as_secs();
            format!("bid {}, ask {}, read {age} s ago", shown(bid), shown(ask))
        }
        None => "its prices were not read yet".to_owned(),
    };
    let name = format!("{} at {}", market.market.market, market.market.account);
    if let Some(refusal) = &market.refusal {
        return format!(
            "{name} has no quotes until it is added again: an order was refused, {refusal}; {known}"
        );
    }
    match market.failing_since {
        Some(since) => {
            let error = market.last_error.as_deref().unwrap_or_default();
            let age = now.since(since).as_secs();
            format!("{name} fails for {age} s: {error}; {known}")
        }
        None => format!("{name}: {known}"),
    }
}
