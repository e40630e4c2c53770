//! Requests a quote and accepts it before it expires.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_API_KEY=sk_… cargo run -p settlekit --example ask_for_a_quote`

use settlekit::api::quote::{
    AcceptQuote, AcceptQuoteBody, AcceptQuotePath, Quote, RequestQuote, RequestQuoteQuery,
};
use settlekit::api::trade::QuickTrade;
use settlekit::api::value::{Amount, Currency, QuoteId};
use settlekit::{Call, Client, Error, Nothing};

/// Requests a quote for selling an exact amount.
pub(crate) async fn ask(
    client: &Client,
    (amount, currency): (Amount, Currency),
    buy_currency: Currency,
) -> Result<Quote, Error> {
    let call = Call::<RequestQuote>::with_query(RequestQuoteQuery {
        buy_amount: None,
        sell_amount: Some(vec![amount]),
        buy_currency,
        buy_chain_id: None,
        buy_token_address: None,
        sell_currency: vec![currency],
        sell_chain_ids: None,
        sell_token_addresses: None,
        account_id: None,
        deposit_method: Some("Balance".into()),
        estimate: None,
        settlement_account_id: None,
        settlement_address: None,
    });
    client.call(&call).await
}

/// Accepts a quote. The answer is the order.
pub(crate) async fn accept(client: &Client, quote_id: QuoteId) -> Result<QuickTrade, Error> {
    let call = Call::<AcceptQuote> {
        path: AcceptQuotePath { quote_id },
        query: Nothing {},
        body: AcceptQuoteBody { reference: None },
    };
    client.call(&call).await
}

#[tokio::main]
#[allow(dead_code, reason = "the tests run the two functions by themselves")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(
        std::env::var("SETTLEKIT_URL")?,
        std::env::var("SETTLEKIT_API_KEY")?,
    )?;
    let quote = ask(&client, ("10".parse()?, "USDC".parse()?), "ETH".parse()?).await?;
    println!(
        "{} {} until {:?}",
        quote.buy_asset.amount, quote.buy_asset.symbol, quote.expires_at
    );
    let order = accept(&client, quote.id).await?;
    println!("order {:?} is {}", order.order_id, order.status);
    Ok(())
}
