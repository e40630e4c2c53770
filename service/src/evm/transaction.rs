//! Signed transactions (EIP-1559, RFC 6979).

use alloy_consensus::{SignableTransaction, TxEip1559};
use alloy_primitives::{Address, B256, Bytes, Signature, TxKind, U256};
use settlekit_core::value::ChainId;

use super::key::Key;

/// What a transaction does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) to: Address,
    /// In wei.
    pub(crate) value: U256,
    /// The call of a contract; empty for a plain transfer.
    pub(crate) data: Bytes,
}

/// What a transaction may cost.
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
pub(crate) fn sign(key: &Key, (chain, nonce): (ChainId, u64), gas: Gas, call: &Call) -> Signed {
    let transaction = TxEip1559 {
        chain_id: chain.get().unsigned_abs(),
        nonce,
        gas_limit: gas.limit,
        max_fee_per_gas: gas.max_fee,
        max_priority_fee_per_gas: gas.priority_fee,
        to: TxKind::Call(call.to),
        value: call.value,
        access_list: Default::default(),
        input: call.data.clone(),
    };
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
    let signed = transaction.into_signed(signature);
    let mut bytes = Vec::with_capacity(signed.eip2718_encoded_length());
    signed.eip2718_encode(&mut bytes);
    Signed {
        hash: *signed.hash(),
        bytes,
    }
}
