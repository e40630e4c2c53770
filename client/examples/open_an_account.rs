//! Opens an account on two chains and adds a payout destination.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_API_KEY=sk_… SETTLEKIT_SIGNING_SECRET=ss_… cargo run -p settlekit --example open_an_account -- till 0x…`

use settlekit::api::account::{
    Account, CreateVirtualAccount, CreateVirtualAccountBody, VirtualChain,
};
use settlekit::api::external_account::{
    CreateExternalAccount, CreateExternalAccountBody, ExternalAccount, ExternalAccountType,
};
use settlekit::api::value::{AccountReference, ChainId, Currency, WalletAddress};
use settlekit::{Call, Client, Error, Settings};

/// Opens an account that accepts a currency on several chains.
pub(crate) async fn open(
    client: &Client,
    reference: AccountReference,
    chains: &[ChainId],
    currency: &Currency,
) -> Result<Account, Error> {
    let chains = chains.iter().map(|chain_id| VirtualChain {
        chain_id: *chain_id,
        currencies: vec![currency.clone()],
        address: None,
        xpub: None,
    });
    let call = Call::<CreateVirtualAccount>::with_body(CreateVirtualAccountBody {
        reference,
        name: None,
        chains: chains.collect(),
        deposit_splits: None,
    });
    client.call(&call).await
}

/// Adds a wallet as a payout destination.
pub(crate) async fn keep_destination(
    client: &Client,
    address: WalletAddress,
    chain_id: ChainId,
    currency: Currency,
) -> Result<ExternalAccount, Error> {
    let call = Call::<CreateExternalAccount>::with_body(CreateExternalAccountBody {
        r#type: ExternalAccountType::Digital,
        reference: None,
        name: Some("Cold wallet".to_owned()),
        address: Some(address),
        chain_id: Some(chain_id),
        currencies: vec![currency],
        payment_rail: None,
        bank_name: None,
        country: None,
        beneficiary_type: None,
        account_holder_name: None,
        account_number: None,
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
    let mut given = std::env::args().skip(1);
    let reference = given
        .next()
        .ok_or("missing argument: account reference")?
        .parse()?;
    let wallet: WalletAddress = given
        .next()
        .ok_or("missing argument: wallet address")?
        .parse()?;
    let chains: [ChainId; 2] = ["1".parse()?, "8453".parse()?];
    let currency: Currency = "USDC".parse()?;
    let account = open(&client, reference, &chains, &currency).await?;
    for below in account.sub_accounts.unwrap_or_default() {
        println!("chain {:?}: {:?}", below.chain_id, below.address);
    }
    let kept = keep_destination(&client, wallet, chains[1], currency).await?;
    println!("destination {}", kept.id);
    Ok(())
}
