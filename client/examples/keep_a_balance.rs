//! As a partner, keeps a sub-merchant's balance between two thresholds.
//!
//! `SETTLEKIT_URL=… SETTLEKIT_API_KEY=sk_… SETTLEKIT_SIGNING_SECRET=ss_… cargo run -p settlekit --example keep_a_balance -- org_… 7 0x…`

use settlekit::api::automation::{
    MaintainBalance, MaintainBalanceBody, MaintainBalancePath, MaintainedBalance,
};
use settlekit::api::value::{AccountKey, OrganisationId, WalletAddress};
use settlekit::{Call, Client, Error, Nothing, Options, Settings};

/// Sends an event below 100 USDC, and pays out the surplus over 100 USDC to a wallet above 500 USDC.
pub(crate) async fn keep(
    partner: &Client,
    sub_merchant: OrganisationId,
    account: AccountKey,
    wallet: WalletAddress,
) -> Result<MaintainedBalance, Error> {
    let call = Call::<MaintainBalance> {
        path: MaintainBalancePath { account },
        query: Nothing {},
        body: MaintainBalanceBody {
            currency: "USDC".parse().expect("a currency"),
            minimum_threshold_amount: "100".parse().expect("a number"),
            payout_address: wallet,
            payout_threshold_amount: "500".parse().expect("a number"),
        },
    };
    let options = Options {
        organisation: Some(sub_merchant),
        ..Options::default()
    };
    partner.call_with(&call, &options).await
}

#[tokio::main]
#[allow(dead_code, reason = "the tests run the function by itself")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let partner = Client::with(Settings {
        base_url: std::env::var("SETTLEKIT_URL")?,
        api_key: Some(std::env::var("SETTLEKIT_API_KEY")?),
        signing_secret: Some(std::env::var("SETTLEKIT_SIGNING_SECRET")?),
        ..Settings::default()
    })?;
    let mut given = std::env::args().skip(1);
    let sub_merchant = given
        .next()
        .ok_or("missing argument: sub-merchant id")?
        .parse()?;
    let account = given
        .next()
        .ok_or("missing argument: account id")?
        .parse()?;
    let wallet = given
        .next()
        .ok_or("missing argument: wallet address")?
        .parse()?;
    let kept = keep(&partner, sub_merchant, AccountKey::Id(account), wallet).await?;
    println!(
        "{} is kept above {} {}",
        kept.account.id, kept.minimum_threshold_amount, kept.currency
    );
    Ok(())
}
