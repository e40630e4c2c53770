//! A request's way through the service: authenticate, decode, hash the password, run in its lane.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Response;
use futures_util::future::join_all;
use settlekit_service::node_calls::ContractAnswers;
use settlekit_service::store::sql::StoreError;
use settlekit_service::{
    Admission, Answer, Awaited, Database, DecodedRequest, Lane, MatchedOperation, Prepared, Touch,
};

use crate::engine::Ending;
use crate::limit::{Caller, Holder};
use crate::passwords::Full;
use crate::{Host, edge};

/// Larger bodies are decoded on a thread of their own, so that they do not block other requests, in bytes.
const INLINE_BODY_MAX: usize = 64 << 10;

/// How often the nodes of chains are asked for one request.
const NODE_ROUNDS_MAX: usize = 2;

/// The time that nodes have to answer: the caller waits.
const ASK_TIMEOUT: Duration = Duration::from_secs(5);

/// How long notes of read requests are collected. A crash loses them.
const COLLECTED: Duration = Duration::from_secs(2);

/// Collected notes that are written in one transaction: other requests wait no longer than for these.
const NOTES_AT_ONCE: usize = 128;

/// The longest time that a caller waits for a block with a transfer. Facilitator clients give up after 90 s, and after this time the
/// service gives the answer to another request.
const BLOCK_TIMEOUT: Duration = Duration::from_secs(45);

/// Between two looks at what a caller waits for, however much changes.
const POLL_MIN: Duration = Duration::from_millis(100);

/// Between two looks if nothing changes in this process.
const POLL_IDLE: Duration = Duration::from_secs(2);

/// The most requests of payers, and of merchants, that wait for a block, in total and of one caller or organisation. Each reads the database ten times a second at most.
pub(crate) const WAITING_MAX: usize = 512;
const WAITING_MAX_OF_ONE: usize = 64;

/// Authenticates an unknown caller, decodes the request, and answers it.
pub(crate) async fn answer(
    host: &Arc<Host>,
    caller: &Caller,
    route: Arc<MatchedOperation>,
    request: Arc<FullRequest>,
) -> Result<Response<Vec<u8>>, StoreError> {
    // A password hash is computed only for an authenticated caller, even a known one: an attacker could exhaust the CPU.
    // The slots of settlements are counted by organisation: one with many keys would take everybody's.
    let mut holder = host.limiter.holder(caller);
    if !host.limiter.is_known(caller) || route.hashes_password() || route.is_settlement() {
        match authenticate(host, &route, &request).await? {
            Admission::Refused(answer) => return Ok(answer),
            Admission::Admitted(Some(organisation)) if route.is_settlement() => {
                holder = Holder::Organisation(organisation);
            }
            Admission::Admitted(_) => (),
        }
    }
    let most_of_one = holder.share(WAITING_MAX, WAITING_MAX_OF_ONE);
    // Without a slot nothing is accepted: the answer belongs to this request, and later to anybody who has seen the transfer.
    let settlement_slot = match route.is_settlement() {
        true => {
            let slot = host.waiting_merchants.take(holder, most_of_one);
            Some(slot.map_err(|_| StoreError::Busy)?)
        }
        false => None,
    };
    let decoded = Arc::new(decode(route, &request).await?);
    let answer = answer_with_nodes(host, Arc::clone(&request), Arc::clone(&decoded)).await?;
    let Some(awaited) = answer.awaits else {
        return Ok(answer.response);
    };
    let slot = settlement_slot.or_else(|| host.waiting_payers.take(holder, most_of_one).ok());
    let Some(_slot) = slot else {
        // A payer's signature gets the receipt whenever it is sent again.
        return Ok(answer.response);
    };
    if let Ok(ended) = tokio::time::timeout(BLOCK_TIMEOUT, wait_for_transfer(host, awaited)).await {
        ended?;
    }
    let mut again = FullRequest::clone(&request);
    again.extensions_mut().insert(awaited);
    let answer = answer_with_nodes(host, Arc::new(again), decoded).await?;
    Ok(answer.response)
}

async fn authenticate(
    host: &Arc<Host>,
    route: &Arc<MatchedOperation>,
    request: &Arc<FullRequest>,
) -> Result<Admission, StoreError> {
    let (service, route, request) = (host.service.clone(), Arc::clone(route), Arc::clone(request));
    let (now, seed) = (edge::now(), edge::seed()?);
    let authenticate = move |database: &mut dyn Database| {
        service.authenticate_caller(database, &request, &route, now, seed)
    };
    host.engine.read(authenticate).await
}

async fn decode(
    route: Arc<MatchedOperation>,
    request: &Arc<FullRequest>,
) -> Result<DecodedRequest, StoreError> {
    if request.body().len() <= INLINE_BODY_MAX {
        return Ok(route.decode(request));
    }
    let request = Arc::clone(request);
    tokio::task::spawn_blocking(move || route.decode(&request))
        .await
        .map_err(|_| StoreError::Broken("the request could not be decoded".to_owned()))
}

/// A request with its complete body.
pub(crate) type FullRequest = axum::http::Request<Vec<u8>>;

/// Answers a decoded request, without waiting for what its answer awaits.
pub(crate) async fn answer_decoded(
    host: &Arc<Host>,
    request: Arc<FullRequest>,
    decoded: Arc<DecodedRequest>,
) -> Result<Response<Vec<u8>>, StoreError> {
    let answer = answer_with_nodes(host, request, decoded).await?;
    Ok(answer.response)
}

/// Waits until a block has a transfer, or none ever will.
async fn wait_for_transfer(host: &Arc<Host>, awaited: Awaited) -> Result<(), StoreError> {
    let mut changed = host.changed.subscribe();
    let mut stopping = host.stopping.subscribe();
    loop {
        let service = host.service.clone();
        let look = move |database: &mut dyn Database| service.has_ended(database, awaited);
        if host.engine.read(look).await? {
            return Ok(());
        }
        tokio::time::sleep(POLL_MIN).await;
        tokio::select! {
            changed = changed.changed() => if changed.is_err() { return Ok(()) },
            // Another server on the same database may read the chain.
            () = tokio::time::sleep(POLL_IDLE) => {},
            _ = stopping.wait_for(|stopping| *stopping) => return Ok(()),
        }
    }
}

/// Answers a decoded request. What its answer depends on is asked of the nodes between two runs, never while a transaction is open.
async fn answer_with_nodes(
    host: &Arc<Host>,
    mut request: Arc<FullRequest>,
    decoded: Arc<DecodedRequest>,
) -> Result<Answer, StoreError> {
    let mut answers = ContractAnswers::default();
    for _ in 0..NODE_ROUNDS_MAX {
        let answer = answer_once(host, Arc::clone(&request), Arc::clone(&decoded)).await?;
        if answer.asked.is_empty() {
            return Ok(answer);
        }
        let asked = answer.asked.iter();
        let asked = asked.map(|calls| host.contracts.ask(calls, ASK_TIMEOUT));
        let answered = join_all(asked).await;
        for (calls, answered) in answer.asked.into_iter().zip(answered) {
            answers.add(calls, answered);
        }
        let mut again = FullRequest::clone(&request);
        again.extensions_mut().insert(answers.clone());
        request = Arc::new(again);
    }
    answer_once(host, request, decoded).await
}

async fn answer_once(
    host: &Arc<Host>,
    request: Arc<FullRequest>,
    decoded: Arc<DecodedRequest>,
) -> Result<Answer, StoreError> {
    let now = edge::now();
    let seed = edge::seed()?;
    let mut lane = decoded.lane();
    let mut prepared = Prepared::default();
    if lane == Lane::Slow {
        let (service, asked, decoded) = (
            host.service.clone(),
            Arc::clone(&request),
            Arc::clone(&decoded),
        );
        let find = move |database: &mut dyn Database| {
            service.find_password(database, &asked, &decoded, now)
        };
        let task = host.engine.read(find).await?;
        prepared = match host.passwords.run(task, seed).await {
            Ok(prepared) => prepared,
            Err(Full) => return Err(StoreError::Busy),
        };
        if prepared.is_blocked() {
            lane = Lane::Read;
        }
    }
    let service = host.service.clone();
    let answer = match lane {
        Lane::Read => {
            let run = move |database: &mut dyn Database| {
                service.answer_in(database, &request, &decoded, prepared.clone(), now, seed)
            };
            host.engine.read(run).await?
        }
        Lane::Write | Lane::Slow => {
            let run = move |database: &mut dyn Database| {
                let answer =
                    service.answer_in(database, &request, &decoded, prepared.clone(), now, seed)?;
                Ok(if answer.keep {
                    Ending::Commit(answer)
                } else {
                    Ending::RollBack(answer)
                })
            };
            let answer = host.engine.write(run).await?;
            if answer.keep {
                // The request may have recorded an event.
                host.due.notify_one();
                host.changed.send_replace(());
            }
            answer
        }
    };
    // It runs again.
    if !answer.asked.is_empty() {
        return Ok(answer);
    }
    if let Some(touch) = answer.touch.filter(Touch::is_collected) {
        collect(host, touch);
    } else if let Some(touch) = answer.touch {
        let host = Arc::clone(host);
        let note = async move {
            let service = host.service.clone();
            let noted = host
                .engine
                .write(move |database| service.touch(database, touch, 1, now).map(Ending::Commit))
                .await;
            if let Err(error) = noted {
                tracing::warn!(%error, "usage not saved");
            }
        };
        if touch.comes_first() {
            note.await;
        } else {
            tokio::spawn(note);
        }
    }
    Ok(answer)
}

/// Collects a note. The first one has them written some seconds later.
fn collect(host: &Arc<Host>, touch: Touch) {
    if !host.notes.add(touch) {
        return;
    }
    let host = Arc::clone(host);
    tokio::spawn(async move {
        tokio::time::sleep(COLLECTED).await;
        write_notes(&host).await;
    });
}

/// Writes the collected notes.
pub(crate) async fn write_notes(host: &Host) {
    let notes: Vec<(Touch, u32)> = host.notes.take().into_iter().collect();
    for part in notes.chunks(NOTES_AT_ONCE) {
        let (service, now, part) = (host.service.clone(), edge::now(), part.to_vec());
        let write = move |database: &mut dyn Database| {
            for (touch, times) in &part {
                service.touch(database, *touch, *times, now)?;
            }
            Ok(Ending::Commit(()))
        };
        if let Err(error) = host.engine.write(write).await {
            tracing::warn!(%error, "usage not saved");
        }
    }
}
