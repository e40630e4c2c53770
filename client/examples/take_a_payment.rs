//! Creates a payment link and waits for its payment.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_API_KEY=sk_… cargo run -p settlekit --example take_a_payment`

use std::time::Duration;

use settlekit::api::paylink::{CreatePaylink, CreatePaylinkBody};
use settlekit::api::payment::{ListPayments, ListPaymentsQuery, PaymentStatus};
use settlekit::{Call, Client, Error};

/// Creates a link for 12.50 USDC and returns its id.
pub(crate) async fn make_a_link(client: &Client) -> Result<String, Error> {
    let body = CreatePaylinkBody {
        amount: "12.50".parse().expect("an amount"),
        currency: "USDC".parse().expect("a currency"),
        name: "A bag of coffee".to_owned(),
        account_ids: None,
        account_ref: None,
        after_completion: None,
        available_quantity: None,
        description: None,
        expires_at: None,
        image_url: None,
        intervalCount: None,
        interval: None,
        metadata: None,
        reference: None,
        trial_period: None,
        r#type: None,
    };
    let call = Call::<CreatePaylink>::with_body(body);
    Ok(client.call(&call).await?.id.to_string())
}

/// Counts the confirmed payments of the link.
pub(crate) async fn confirmed(client: &Client, link: &str) -> Result<u64, Error> {
    let call = Call::<ListPayments>::with_query(ListPaymentsQuery {
        paylink_id: Some(link.parse().expect("a link's id")),
        status: Some(PaymentStatus::Confirmed),
        ..ListPaymentsQuery::default()
    });
    Ok(client.call(&call).await?.total)
}

#[tokio::main]
#[allow(dead_code, reason = "the tests run the two functions by themselves")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(
        std::env::var("SETTLEKIT_URL")?,
        std::env::var("SETTLEKIT_API_KEY")?,
    )?;
    let link = make_a_link(&client).await?;
    println!(
        "Pay at {}/pay/{link}",
        std::env::var("SETTLEKIT_URL")?.trim_end_matches('/')
    );
    while confirmed(&client, &link).await? == 0 {
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    println!("Paid.");
    Ok(())
}
