//! Sets the webhook URL and rotates the webhook key.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_API_KEY=sk_… cargo run -p settlekit --example change_settings -- https://…`

use settlekit::api::organisation::{
    Organisation, RotateWebhookKey, RotateWebhookKeyBody, UpdateOrganisation,
    UpdateOrganisationBody,
};
use settlekit::{Call, Client, Error};

/// Sets the webhook URL; other settings stay unchanged.
pub(crate) async fn send_webhooks_to(client: &Client, url: &str) -> Result<Organisation, Error> {
    let call = Call::<UpdateOrganisation>::with_body(UpdateOrganisationBody {
        name: None,
        logo_url: None,
        webhook_url: Some(url.to_owned()),
        fee_payer: None,
        currency: None,
        underpay_thresholds: None,
        time_zone: None,
        checkout_style: None,
        email_notification_options: None,
        forwarded_email_recipients: None,
    });
    client.call(&call).await
}

/// Rotates the webhook key. The old key also signs for a day.
pub(crate) async fn rotate_key(client: &Client) -> Result<Organisation, Error> {
    let call = Call::<RotateWebhookKey>::with_body(RotateWebhookKeyBody { revoke_old: None });
    client.call(&call).await
}

#[tokio::main]
#[allow(dead_code, reason = "the tests run the two functions by themselves")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(
        std::env::var("SETTLEKIT_URL")?,
        std::env::var("SETTLEKIT_API_KEY")?,
    )?;
    let url = std::env::args()
        .nth(1)
        .ok_or("missing argument: webhook URL")?;
    send_webhooks_to(&client, &url).await?;
    let organisation = rotate_key(&client).await?;
    println!("{}", organisation.webhook_public_key.unwrap_or_default());
    Ok(())
}
