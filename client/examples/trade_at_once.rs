//! Estimates a trade and executes it.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_API_KEY=sk_… cargo run -p settlekit --example trade_at_once`

use settlekit::api::trade::{CreateQuickTrade, CreateQuickTradeBody, QuickTrade};
use settlekit::api::value::{Amount, Currency};
use settlekit::{Call, Client, Error};

/// Trades an amount of one currency for another; with `dry_run` only estimates it.
pub(crate) async fn trade(
    client: &Client,
    (amount, currency): (Amount, Currency),
    to_currency: Currency,
    dry_run: bool,
) -> Result<QuickTrade, Error> {
    let call = Call::<CreateQuickTrade>::with_body(CreateQuickTradeBody {
        amount,
        currency,
        to_currency,
        account_id: None,
        account_reference: None,
        chain_id: None,
        to_chain_id: None,
        dry_run: Some(dry_run),
        reference: None,
        settlement_account_id: None,
        settlement_address: None,
    });
    client.call(&call).await
}

#[tokio::main]
#[allow(dead_code, reason = "the tests run the function by itself")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(
        std::env::var("SETTLEKIT_URL")?,
        std::env::var("SETTLEKIT_API_KEY")?,
    )?;
    let sold: (Amount, Currency) = ("10".parse()?, "USDC".parse()?);
    let bought: Currency = "ETH".parse()?;
    for dry_run in [true, false] {
        let trade = trade(&client, sold.clone(), bought.clone(), dry_run).await?;
        println!(
            "{} {} for {} {}: {}",
            trade.to_amount,
            trade.to_currency,
            trade.from_amount,
            trade.from_currency,
            trade.status
        );
    }
    Ok(())
}
