//! The transaction of a payout as its record shows it: the one to be signed, or the one that was sent.

use settlekit_core::payment::{
    NextAction, Payment, PaymentStatus, PreparedTransaction, TransactionStatus, TransactionSummary,
    TransactionType,
};

use crate::chains::queue;
use crate::store;
use crate::store::payout::{Payout, Sent};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The payout with its transaction: the one to be signed, or the one that was sent.
pub(crate) fn with_transaction(
    unit: &mut Unit<'_>,
    payment: Payment,
) -> Result<Payment, StoreError> {
    let payout = store::payout::find(unit.database, payment.org_id, payment.id)?;
    let prepared_transaction = match &payout {
        Some(payout) => to_sign(unit, &payment, payout)?,
        None => None,
    };
    let sent = payout.and_then(|payout| Some((payout.hash?, payout.sent_at?)));
    let hash = sent.as_ref().map(|(hash, _)| hash.clone());
    let payment = Payment {
        prepared_transaction,
        ..with_sent(payment, sent)
    };
    let (Some(hash), Some(summary)) = (hash, payment.settlement_transaction.clone()) else {
        return Ok(payment);
    };
    let settlement_transaction = Some(with_depth(unit, summary, &hash)?);
    Ok(Payment {
        settlement_transaction,
        ..payment
    })
}

/// The transaction that pays a payout out, to be signed by the merchant's own wallet.
fn to_sign(
    unit: &mut Unit<'_>,
    payment: &Payment,
    payout: &Payout,
) -> Result<Option<PreparedTransaction>, StoreError> {
    if payment.next_action != Some(NextAction::SignTransaction) {
        return Ok(None);
    }
    let chain = payment.chain_id.ok_or_else(|| damaged("chain"))?;
    let from = payment.sender_address.clone();
    let from = from.ok_or_else(|| damaged("wallet"))?;
    let derivation_index =
        store::account::derivation_index(unit.database, payment.org_id, (chain, &from))?;
    let call = queue::payout_call(unit, chain, payment, payout)?;
    let asset = store::chain::asset(unit.database, chain, &payment.currency)?;
    let token = asset.and_then(|asset| asset.token_address);
    Ok(Some(PreparedTransaction {
        chain_id: chain,
        from,
        derivation_index,
        to: call.to.to_string(),
        value: format!("{:#x}", call.value),
        data: call.data.to_string(),
        link: crate::evm::link(chain, token.as_deref(), &payout.to, payout.units),
    }))
}

/// A transaction with its block and depth, if it is in a block.
fn with_depth(
    unit: &mut Unit<'_>,
    summary: TransactionSummary,
    hash: &str,
) -> Result<TransactionSummary, StoreError> {
    let block = match store::outgoing_list::block_of(unit.database, hash)? {
        Some(Some(block)) => block,
        // A reorganisation took the block away.
        Some(None) if summary.status == TransactionStatus::Success => {
            return Ok(TransactionSummary {
                confirmations: Some(0),
                ..summary
            });
        }
        _ => return Ok(summary),
    };
    let known = store::chain::find(unit.database, summary.chain_id)?;
    let head = store::connection::find(unit.database, summary.chain_id)?;
    let deep = head.map(|head| head.block.saturating_sub(block).saturating_add(1));
    Ok(TransactionSummary {
        confirmations: deep.map(|deep| u32::try_from(deep).unwrap_or(u32::MAX)),
        confirmations_required: known.map(|known| known.confirmations_required),
        block_number: Some(block),
        ..summary
    })
}

/// As [`with_transaction`], with a transaction that was read before.
pub(super) fn with_sent(payment: Payment, sent: Option<Sent>) -> Payment {
    let summary = sent
        .zip(payment.chain_id)
        .map(|((hash, at), chain)| TransactionSummary {
            chain_id: chain,
            created_at: at,
            payment_id: payment.id,
            status: match payment.status {
                PaymentStatus::Confirmed => TransactionStatus::Success,
                PaymentStatus::Failed => TransactionStatus::Failed,
                _ => TransactionStatus::Pending,
            },
            transaction_hash: hash,
            r#type: TransactionType::Payout,
            confirmations: None,
            confirmations_required: None,
            block_number: None,
            updated_at: payment.updated_at,
        });
    Payment {
        settlement_transaction: summary,
        ..payment
    }
}

pub(super) fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("a payout has no {what}"))
}
