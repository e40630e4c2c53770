//! Signed transactions (EIP-1559, RFC 6979).

use alloy_consensus::transaction::RlpEcdsaDecodableTx;
use alloy_consensus::{SignableTransaction, TxEip1559};
use alloy_primitives::{Address, B256, Bytes, Signature, TxKind, U256};
use k256::ecdsa::{self, RecoveryId, VerifyingKey};
use settlekit_core::value::ChainId;

use super::key::{Key, address_of};

/// The call of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The receiver.
    pub to: Address,
    /// In wei.
    pub value: U256,
    /// The call of a contract; empty for a plain transfer.
    pub data: Bytes,
}

/// The limits of a transaction's fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gas {
    /// The most gas.
    pub(crate) limit: u64,
    /// The most wei per gas, the priority fee included.
    pub(crate) max_fee: u128,
    /// The wei per gas for the block's proposer.
    pub(crate) priority_fee: u128,
}

/// A transaction as it is broadcast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signed {
    pub(crate) hash: B256,
    pub(crate) bytes: Vec<u8>,
}

/// Signs a transaction. Equal arguments give equal bytes.
pub(crate) fn sign(key: &Key, of: (ChainId, u64), gas: Gas, call: &Call) -> Signed {
    let transaction = unsigned(of, gas, call);
    let (signature, recovery) = key
        .0
        .sign_prehash_recoverable(transaction.signature_hash().as_slice());
    let bytes = signature.to_bytes();
    let (r, s) = bytes.split_at(32);
    let signature = Signature::from_scalars_and_parity(
        B256::from_slice(r),
        B256::from_slice(s),
        recovery.is_y_odd(),
    );
    with_signature(transaction, signature)
}

/// The transaction with the signature in an external signer's answer; `None` unless the sender signed this very transaction. Of the
/// answer only the signature is taken: one over other fields is somebody else's over these.
pub(crate) fn signed_by(
    sender: Address,
    of: (ChainId, u64),
    gas: Gas,
    call: &Call,
    mut answer: &[u8],
) -> Option<Signed> {
    let answered = TxEip1559::eip2718_decode(&mut answer).ok()?;
    let signature = *answered.signature();
    let transaction = unsigned(of, gas, call);
    let of_curve = ecdsa::Signature::from_slice(&signature.as_bytes()[..64]).ok()?;
    // Nodes refuse the upper half (EIP-2).
    if of_curve.normalize_s() != of_curve {
        return None;
    }
    let recovery = RecoveryId::new(signature.v(), false);
    let hash = transaction.signature_hash();
    let key = VerifyingKey::recover_from_prehash(hash.as_slice(), &of_curve, recovery).ok()?;
    (address_of(&key) == sender).then(|| with_signature(transaction, signature))
}

fn unsigned((chain, nonce): (ChainId, u64), gas: Gas, call: &Call) -> TxEip1559 {
    TxEip1559 {
        chain_id: chain.get().unsigned_abs(),
        nonce,
        gas_limit: gas.limit,
        max_fee_per_gas: gas.max_fee,
        max_priority_fee_per_gas: gas.priority_fee,
        to: TxKind::Call(call.to),
        value: call.value,
        access_list: Default::default(),
        input: call.data.clone(),
    }
}

fn with_signature(transaction: TxEip1559, signature: Signature) -> Signed {
    let signed = transaction.into_signed(signature);
    let mut bytes = Vec::with_capacity(signed.eip2718_encoded_length());
    signed.eip2718_encode(&mut bytes);
    Signed {
        hash: *signed.hash(),
        bytes,
    }
}
