//! A partner reads the balances of a sub-merchant's account: a signed request.
//!
//! `SETTLEKIT_URL=… SETTLEKIT_API_KEY=… SETTLEKIT_SIGNING_SECRET=… cargo run -p settlekit --example act_for_a_sub_merchant -- <org id> <account>`

use settlekit::api::partner::{Balance, ListPartnerBalances, ListPartnerBalancesPath};
use settlekit::api::value::{AccountKey, AccountReference, OrganisationId};
use settlekit::{Call, Client, Error, Options, Settings};

/// Reads the balances of an account of `organisation`.
pub(crate) async fn balances(
    partner: &Client,
    organisation: OrganisationId,
    account: AccountReference,
) -> Result<Vec<Balance>, Error> {
    let call = Call::<ListPartnerBalances>::at(ListPartnerBalancesPath {
        account_ref: AccountKey::Reference(account),
    });
    let options = Options {
        organisation: Some(organisation),
        ..Options::default()
    };
    Ok(partner.call_with(&call, &options).await?.balances)
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
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [organisation, account] = words.as_slice() else {
        return Err("missing arguments: organisation id and account".into());
    };
    let organisation = organisation.parse().map_err(|_| "not an organisation id")?;
    let account = account.parse().map_err(|_| "not a reference")?;
    for balance in balances(&partner, organisation, account).await? {
        println!("{} {}", balance.amount, balance.currency);
    }
    Ok(())
}
