//! Reads an invitation and accepts it.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_PASSWORD=… cargo run --example join -- <what follows # in the link>`

use settlekit::api::member::{
    AcceptInvitation, AcceptInvitationBody, Invitation, OpenInvitation, OpenInvitationBody,
};
use settlekit::api::session::Session;
use settlekit::{Call, Client, Error, Settings};

/// Reads an invitation.
pub(crate) async fn invitation(client: &Client, token: &str) -> Result<Invitation, Error> {
    let call = Call::<OpenInvitation>::with_body(OpenInvitationBody {
        token: token.to_owned(),
    });
    client.call(&call).await
}

/// Accepts an invitation and sets the password.
pub(crate) async fn join(
    client: &Client,
    token: &str,
    name: &str,
    password: &str,
) -> Result<Session, Error> {
    let call = Call::<AcceptInvitation>::with_body(AcceptInvitationBody {
        token: token.to_owned(),
        name: name.to_owned(),
        password: password.to_owned(),
    });
    client.call(&call).await
}

#[tokio::main]
#[allow(dead_code, reason = "the tests run the functions by themselves")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let token = std::env::args()
        .nth(1)
        .ok_or("what follows # in the link is missing")?;
    // Invited members have no API key.
    let client = Client::with(Settings {
        base_url: std::env::var("SETTLEKIT_URL")?,
        ..Settings::default()
    })?;
    let invited = invitation(&client, &token).await?;
    println!("{} invites {}", invited.org_name, invited.email);
    let password = std::env::var("SETTLEKIT_PASSWORD")?;
    let session = join(&client, &token, &invited.email, &password).await?;
    println!("{} belongs to {}", session.user.name, session.org_name);
    Ok(())
}
