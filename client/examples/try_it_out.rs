//! Plays the payer in sandbox mode: opens a link, pays it from the test wallet, and advances the clock until it is confirmed.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_API_KEY=sk_… cargo run -p settlekit --example try_it_out -- pl_…`

use settlekit::api::checkout::{
    CheckoutPath, CheckoutPayment, GetCheckout, GetCheckoutQuery, PayFromTestWallet,
    PayFromTestWalletBody, PayFromTestWalletPath, StartCheckout, StartCheckoutBody,
    StartCheckoutPath,
};
use settlekit::api::sandbox::{AdvanceClock, AdvanceClockBody, Clock};
use settlekit::api::value::PaylinkId;
use settlekit::{Call, Client, Error, Nothing};

/// Pays a link in full with its first option; none if it has no options.
pub(crate) async fn pay(
    client: &Client,
    paylink_id: PaylinkId,
) -> Result<Option<CheckoutPayment>, Error> {
    let shown = Call::<GetCheckout> {
        path: CheckoutPath { paylink_id },
        query: GetCheckoutQuery::default(),
        body: Nothing {},
    };
    let Some(option) = client.call(&shown).await?.options.into_iter().next() else {
        return Ok(None);
    };
    let chosen = Call::<StartCheckout> {
        path: StartCheckoutPath { paylink_id },
        query: Nothing {},
        body: StartCheckoutBody {
            chain_id: option.chain.id,
            currency: option.currency,
            name: None,
            email: Some("payer@example.com".to_owned()),
            customer_ident: None,
            shipping_address: None,
            tax_ident: None,
        },
    };
    let payment_id = client.call(&chosen).await?.payment_id;
    let paid = Call::<PayFromTestWallet> {
        path: PayFromTestWalletPath { payment_id },
        query: Nothing {},
        body: PayFromTestWalletBody { amount: None },
    };
    client.call(&paid).await.map(Some)
}

/// Advances the service's clock and executes the work that becomes due.
pub(crate) async fn wait(client: &Client, seconds: i64) -> Result<Clock, Error> {
    let call = Call::<AdvanceClock>::with_body(AdvanceClockBody {
        advance_seconds: seconds,
    });
    client.call(&call).await
}

#[tokio::main]
#[allow(dead_code, reason = "the tests run the functions by themselves")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(
        std::env::var("SETTLEKIT_URL")?,
        std::env::var("SETTLEKIT_API_KEY")?,
    )?;
    let link = std::env::args()
        .nth(1)
        .ok_or("missing argument: paylink id")?;
    match pay(&client, link.parse().map_err(|_| "not a paylink id")?).await? {
        Some(payment) => {
            let clock = wait(&client, 60).await?;
            println!("{} is paid; it is {}", payment.payment_id, clock.now);
        }
        None => println!("The link offers no way to pay."),
    }
    Ok(())
}
