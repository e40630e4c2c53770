//! Reads balances and chains, finds records by text, and creates a read-only key.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_API_KEY=sk_… cargo run -p settlekit --example look_around -- shop-eu`

use settlekit::api::api_key::{ApiKey, CreateApiKey, CreateApiKeyBody};
use settlekit::api::chain::ListChains;
use settlekit::api::find::{FindRecords, FindRecordsQuery, Found};
use settlekit::api::installation::{InstallationChain, ListInstallationChains};
use settlekit::api::note::{ListNotes, ListNotesQuery, Note, NotedRecord};
use settlekit::api::overview::{GetOverview, Overview};
use settlekit::api::rate::{ListRates, Rate};
use settlekit::api::saved_view::{ListSavedViews, SavedView};
use settlekit::api::session::{CreateSession, CreateSessionBody, Session};
use settlekit::{Call, Client, Error};

/// Reads the overview: balances, volume, open issues.
pub(crate) async fn overview(client: &Client) -> Result<Overview, Error> {
    let call = Call::<GetOverview>::plain();
    client.call(&call).await
}

/// Lists the names of the supported chains.
pub(crate) async fn chains(client: &Client) -> Result<Vec<String>, Error> {
    let call = Call::<ListChains>::plain();
    let chains = client.call(&call).await?;
    Ok(chains.into_iter().map(|chain| chain.name).collect())
}

/// Lists what currencies are worth in US dollars; one without a price says why.
pub(crate) async fn rates(client: &Client) -> Result<Vec<Rate>, Error> {
    let call = Call::<ListRates>::plain();
    Ok(client.call(&call).await?.items)
}

/// Lists the connected chains with their nodes. Refused to API keys: it needs a session of a member who operates the installation.
pub(crate) async fn installation(client: &Client) -> Result<Vec<InstallationChain>, Error> {
    let call = Call::<ListInstallationChains>::plain();
    client.call(&call).await
}

/// Lists the views of the dashboard that a member saved. Refused to API keys: it needs a session.
pub(crate) async fn saved_views(client: &Client) -> Result<Vec<SavedView>, Error> {
    let call = Call::<ListSavedViews>::plain();
    client.call(&call).await
}

/// Lists the notes of members on an account. Refused to API keys: it needs a session.
pub(crate) async fn notes(client: &Client, account: &str) -> Result<Vec<Note>, Error> {
    let call = Call::<ListNotes>::with_query(ListNotesQuery {
        record_type: NotedRecord::Account,
        record_id: account.to_owned(),
    });
    client.call(&call).await
}

/// Finds records by id, reference, address or transaction hash.
pub(crate) async fn find(client: &Client, text: &str) -> Result<Vec<Found>, Error> {
    let call = Call::<FindRecords>::with_query(FindRecordsQuery {
        text: text.to_owned(),
    });
    client.call(&call).await
}

/// Creates a read-only key for a report. The secret is shown only once.
pub(crate) async fn key_to_look(client: &Client) -> Result<ApiKey, Error> {
    let call = Call::<CreateApiKey>::with_body(CreateApiKeyBody {
        name: "monthly report".to_owned(),
        scopes: Some(vec!["read".to_owned()]),
        expires_at: None,
    });
    client.call(&call).await
}

/// Signs in as a dashboard user, to check a password. Programs use API keys instead.
pub(crate) async fn sign_in(
    client: &Client,
    email: &str,
    password: &str,
) -> Result<Session, Error> {
    let call = Call::<CreateSession>::with_body(CreateSessionBody {
        email: email.to_owned(),
        password: password.to_owned(),
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
    println!("Chains: {}", chains(&client).await?.join(", "));
    for rate in rates(&client).await? {
        match (rate.usd, rate.gap) {
            (Some(usd), _) => println!("1 {} = {usd} USD", rate.currency),
            (None, Some(gap)) => println!("{}: no price ({gap})", rate.currency),
            (None, None) => println!("{}: no price", rate.currency),
        }
    }
    if let Err(error) = installation(&client).await {
        println!("Installation: {error}");
    }
    if let Err(error) = saved_views(&client).await {
        println!("Saved views: {error}");
    }
    if let Err(error) = notes(&client, "1").await {
        println!("Notes: {error}");
    }
    for held in overview(&client).await?.balances {
        println!(
            "{} {} on {}",
            held.available, held.currency, held.chain.name
        );
    }
    if let Some(text) = std::env::args().nth(1) {
        for found in find(&client, &text).await? {
            println!("{} {}", found.kind.as_str(), found.id);
        }
    }
    if let (Ok(email), Ok(password)) = (
        std::env::var("SETTLEKIT_EMAIL"),
        std::env::var("SETTLEKIT_PASSWORD"),
    ) {
        let session = sign_in(&client, &email, &password).await?;
        println!("{} belongs to {}", session.user.name, session.org_name);
    }
    let key = key_to_look(&client).await?;
    println!("A key that may only look: {}", key.key.unwrap_or_default());
    Ok(())
}
