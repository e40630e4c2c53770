//! Sums the incoming amounts of an account by currency, over all its movements.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_API_KEY=sk_… cargo run -p settlekit --example read_the_ledger -- shop-eu`

use std::collections::BTreeMap;

use futures_util::TryStreamExt;
use settlekit::api::account::{
    Direction, ListMovements, ListMovementsPath, ListMovementsQuery, MovementStatus,
};
use settlekit::api::page::{Limit, ListQuery};
use settlekit::api::value::{AccountKey, Amount};
use settlekit::{Call, Client, Error, Nothing};

/// Incoming amounts by currency; fetches pages of `limit` movements one at a time.
pub(crate) async fn received(
    client: &Client,
    account: AccountKey,
    limit: u32,
) -> Result<BTreeMap<String, Amount>, Error> {
    let call = Call::<ListMovements> {
        path: ListMovementsPath { account },
        query: ListMovementsQuery {
            list: ListQuery {
                limit: Limit::new(limit),
                ..ListQuery::default()
            },
            ..ListMovementsQuery::default()
        },
        body: Nothing {},
    };
    let mut sums = BTreeMap::new();
    let mut movements = std::pin::pin!(client.pages(call).items());
    while let Some(movement) = movements.try_next().await? {
        if movement.direction == Direction::In && movement.status == MovementStatus::Confirmed {
            let sum = sums
                .entry(movement.currency.to_string())
                .or_insert(Amount::ZERO);
            *sum = sum
                .plus(movement.amount)
                .expect("a sum that an account can hold");
        }
    }
    Ok(sums)
}

#[tokio::main]
#[allow(dead_code, reason = "the tests run the function by itself")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(
        std::env::var("SETTLEKIT_URL")?,
        std::env::var("SETTLEKIT_API_KEY")?,
    )?;
    let account = std::env::args()
        .nth(1)
        .ok_or("missing argument: account reference")?;
    let account = AccountKey::Reference(account.parse().map_err(|_| "not a reference")?);
    for (currency, sum) in received(&client, account, 100).await? {
        println!("{sum} {currency}");
    }
    Ok(())
}
