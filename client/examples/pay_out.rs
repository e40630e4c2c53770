//! Estimates a payout and sends it. Payouts must be signed.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_API_KEY=sk_… SETTLEKIT_SIGNING_SECRET=ss_… cargo run -p settlekit --example pay_out -- 0x…`

use settlekit::api::payment::Payment;
use settlekit::api::payout::{
    CreatePayout, CreatePayoutBody, EstimatePayout, EstimatePayoutQuery, PayoutEstimate,
};
use settlekit::api::value::{AccountKey, Amount, ChainId, Currency, WalletAddress};
use settlekit::{Call, Client, Error, Settings};

/// Source and amount of a payout.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) account: AccountKey,
    pub(crate) chain_id: ChainId,
    pub(crate) currency: Currency,
    pub(crate) amount: Amount,
}

/// Estimates its current cost, and whether the balance covers it.
pub(crate) async fn estimate(client: &Client, wanted: &Wanted) -> Result<PayoutEstimate, Error> {
    let call = Call::<EstimatePayout>::with_query(EstimatePayoutQuery {
        account: wanted.account.clone(),
        amount: wanted.amount,
        currency: wanted.currency.clone(),
        chain_id: wanted.chain_id,
    });
    client.call(&call).await
}

/// Sends the payout.
pub(crate) async fn send(
    client: &Client,
    wanted: &Wanted,
    to: WalletAddress,
) -> Result<Payment, Error> {
    let call = Call::<CreatePayout>::with_body(CreatePayoutBody {
        account: wanted.account.clone(),
        amount: wanted.amount,
        currency: wanted.currency.clone(),
        chain_id: Some(wanted.chain_id),
        external_account_id: None,
        address: Some(to),
        reference: None,
        metadata: None,
    });
    client.call(&call).await
}

#[tokio::main]
#[allow(dead_code, reason = "the tests run the two functions by themselves")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::with(Settings {
        base_url: std::env::var("SETTLEKIT_URL")?,
        api_key: Some(std::env::var("SETTLEKIT_API_KEY")?),
        signing_secret: Some(std::env::var("SETTLEKIT_SIGNING_SECRET")?),
        ..Settings::default()
    })?;
    let to = std::env::args()
        .nth(1)
        .ok_or("missing argument: destination address")?;
    let wanted = Wanted {
        account: AccountKey::Reference("shop-eu".parse()?),
        chain_id: "8453".parse()?,
        currency: "USDC".parse()?,
        amount: "5".parse()?,
    };
    let cost = estimate(&client, &wanted).await?;
    println!("The network takes {} {}.", cost.fee, cost.fee_currency);
    if cost.covered {
        let sent = send(&client, &wanted, to.parse()?).await?;
        println!("{} is {}.", sent.id, sent.status);
    }
    Ok(())
}
