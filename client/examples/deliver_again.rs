//! Reads the event log and redelivers failed events.
//!
//! `SETTLEKIT_URL=http://127.0.0.1:8080 SETTLEKIT_API_KEY=sk_… cargo run -p settlekit --example deliver_again`

use std::time::Duration;

use settlekit::api::event::{
    CountReplay, CountReplayQuery, CreateReplay, CreateReplayBody, DeliveryStatus, GetReplay,
    GetReplayPath, Replay, ReplayStatus,
};
use settlekit::api::value::ReplayId;
use settlekit::{Call, Client, Error};

/// Counts the events with a delivery status.
pub(crate) async fn count(client: &Client, outcome: DeliveryStatus) -> Result<u64, Error> {
    let call = Call::<CountReplay>::with_query(CountReplayQuery {
        since: None,
        until: None,
        r#type: None,
        action: None,
        delivery_status: Some(outcome),
    });
    Ok(client.call(&call).await?.count)
}

/// Starts a replay.
pub(crate) async fn begin(client: &Client, outcome: DeliveryStatus) -> Result<Replay, Error> {
    let call = Call::<CreateReplay>::with_body(CreateReplayBody {
        since: None,
        until: None,
        r#type: None,
        action: None,
        delivery_status: Some(outcome),
    });
    client.call(&call).await
}

/// Reads the progress of a replay.
pub(crate) async fn read_replay(client: &Client, replay_id: ReplayId) -> Result<Replay, Error> {
    let call = Call::<GetReplay>::at(GetReplayPath { replay_id });
    client.call(&call).await
}

#[tokio::main]
#[allow(dead_code, reason = "the tests run the three functions by themselves")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(
        std::env::var("SETTLEKIT_URL")?,
        std::env::var("SETTLEKIT_API_KEY")?,
    )?;
    println!("{} failed", count(&client, DeliveryStatus::Failed).await?);
    let mut replay = begin(&client, DeliveryStatus::Failed).await?;
    while replay.status == ReplayStatus::Running {
        tokio::time::sleep(Duration::from_secs(1)).await;
        replay = read_replay(&client, replay.id).await?;
        println!("{} of {}", replay.queued, replay.total);
    }
    Ok(())
}
