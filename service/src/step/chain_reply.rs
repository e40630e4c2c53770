//! Replies to the steps of real chains. The sandbox of the npm package has no real chains, and its module is 250 KB smaller without
//! their code.

use settlekit_core::value::Timestamp;

use super::{Command, Reply};
use crate::Service;
use crate::random::Seed;
use crate::store::sql::{Database, StoreError};

#[cfg(any(not(target_family = "wasm"), feature = "chain-steps"))]
use super::chain::{WirePendingTransfer, parse, signature};
#[cfg(any(not(target_family = "wasm"), feature = "chain-steps"))]
use crate::chains::block::Observed;
#[cfg(any(not(target_family = "wasm"), feature = "chain-steps"))]
use crate::evm::key::Words;

#[cfg(any(not(target_family = "wasm"), feature = "chain-steps"))]
fn observed((outcome, failures): (Observed, Vec<String>)) -> Reply {
    Reply::Observed {
        outcome: outcome.into(),
        failures,
    }
}

#[cfg(any(not(target_family = "wasm"), feature = "chain-steps"))]
impl Service {
    /// Runs a step of a real chain.
    pub(super) fn reply_to_chain(
        &self,
        database: &mut dyn Database,
        command: &Command,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Reply, StoreError> {
        Ok(match command {
            Command::ImportWallet { words } => {
                let Ok(words) = Words::parse(words) else {
                    return Ok(Reply::Failed("the words are not valid".to_owned()));
                };
                match self.import_wallet(database, &words, now, seed) {
                    Ok(wallet) => Reply::Wallet(wallet.to_string()),
                    Err(error) => Reply::Failed(error.to_string()),
                }
            }
            Command::ConnectChain { connection } => {
                let connection = connection.to_connection()?;
                match self.connect_chain(database, &connection, now, seed) {
                    Ok(()) => Reply::Done,
                    Err(error) => Reply::Failed(error.to_string()),
                }
            }
            Command::ObserveBlock { block } => {
                observed(self.observe_blocks(database, &[block.to_block()?], now, seed)?)
            }
            Command::ObservePending { chain, transfers } => {
                let transfers = transfers.iter().map(WirePendingTransfer::to_transfer);
                let transfers: Vec<_> = transfers.collect::<Result<_, _>>()?;
                self.observe_pending(database, *chain, &transfers, now, seed)?;
                Reply::Done
            }
            Command::Rewind { chain, to } => {
                observed(self.rewind(database, *chain, to.to_id()?, now, seed)?)
            }
            Command::NodeRequests { chain } => {
                let (requests, failures) = self.node_requests(database, *chain, now, seed)?;
                Reply::NodeRequests {
                    requests: requests.into_iter().map(Into::into).collect(),
                    failures,
                }
            }
            Command::ReportEstimate { id, estimate } => {
                let estimate = estimate.to_estimate()?;
                Reply::Reported(self.report_estimate(database, *id, &estimate, now, seed)?)
            }
            Command::ReportSignature { id, number, signed } => {
                let answer = signature(signed.as_deref())?;
                let form = (*id, *number);
                Reply::Reported(self.report_signature(database, form, &answer, now, seed)?)
            }
            Command::ReportBroadcast { id, hash, answer } => {
                let form = (*id, parse("hash", hash)?);
                let answer = (*answer).into();
                Reply::Reported(self.report_broadcast(database, form, answer, now, seed)?)
            }
            Command::ReportBalances { chain, balances } => {
                let balances = balances.to_balances()?;
                self.report_balances(database, *chain, &balances, now, seed)?;
                Reply::Done
            }
            _ => Reply::Failed("this is no step of a chain".to_owned()),
        })
    }
}

#[cfg(all(target_family = "wasm", not(feature = "chain-steps")))]
impl Service {
    /// Refuses a step of a real chain.
    pub(super) fn reply_to_chain(
        &self,
        _database: &mut dyn Database,
        _command: &Command,
        _now: Timestamp,
        _seed: Seed,
    ) -> Result<Reply, StoreError> {
        Ok(Reply::Failed(
            "this build has no real chains: enable the feature chain-steps".to_owned(),
        ))
    }
}
