//! Transfers of tokens that their sender signs and somebody else sends (EIP-3009).

use alloy_primitives::{Address, B256, U256, hex};
use alloy_sol_types::{Eip712Domain, SolCall, SolStruct, sol};
use settlekit_core::value::ChainId;

use super::contract_calls::ContractCall;
use super::transaction::Call;
use crate::eip191;

sol! {
    /// The signed message.
    struct TransferWithAuthorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);

    function balanceOf(address account) external view returns (uint256);

    function transfer(address to, uint256 value) external returns (bool);
}

/// The domain of a token's signed messages (EIP-712), beside chain and contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenDomain {
    /// The token's name.
    pub name: String,
    /// The version.
    pub version: String,
}

impl TokenDomain {
    fn of(&self, chain: ChainId, token: Address) -> Eip712Domain {
        Eip712Domain::new(
            Some(self.name.clone().into()),
            Some(self.version.clone().into()),
            Some(U256::from(chain.get().unsigned_abs())),
            Some(token),
            None,
        )
    }

    /// The `DOMAIN_SEPARATOR` of a contract with this domain.
    pub fn separator(&self, chain: ChainId, token: Address) -> B256 {
        self.of(chain, token).separator()
    }
}

/// A transfer that its sender authorizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Authorization {
    pub(crate) from: Address,
    pub(crate) to: Address,
    pub(crate) value: U256,
    /// In seconds since 1970.
    pub(crate) valid_after: u64,
    pub(crate) valid_before: u64,
    pub(crate) nonce: B256,
}

/// A signature as the token takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenSignature {
    v: u8,
    r: B256,
    s: B256,
}

impl Authorization {
    pub(super) fn digest(&self, domain: &TokenDomain, (chain, token): (ChainId, Address)) -> B256 {
        let message = TransferWithAuthorization {
            from: self.from,
            to: self.to,
            value: self.value,
            validAfter: U256::from(self.valid_after),
            validBefore: U256::from(self.valid_before),
            nonce: self.nonce,
        };
        message.eip712_signing_hash(&domain.of(chain, token))
    }

    /// The signature, `0x` and 65 bytes in hex, if it is by `from` and of this authorization; else `None`.
    pub(crate) fn signed(
        &self,
        domain: &TokenDomain,
        of: (ChainId, Address),
        signature: &str,
    ) -> Option<TokenSignature> {
        let signer = eip191::signer_of(&self.digest(domain, of).0, signature).ok()?;
        if signer.parse() != Ok(self.from) {
            return None;
        }
        let bytes = hex::decode(signature).ok()?;
        Some(TokenSignature {
            // Some wallets return 0 and 1. Tokens accept only 27 and 28.
            v: 27 + u8::from(matches!(bytes.get(64), Some(1 | 28))),
            r: B256::try_from(bytes.get(..32)?).ok()?,
            s: B256::try_from(bytes.get(32..64)?).ok()?,
        })
    }

    /// The call of the token that executes it.
    pub(crate) fn call(&self, token: Address, signature: TokenSignature) -> Call {
        let call = transferWithAuthorizationCall {
            from: self.from,
            to: self.to,
            value: self.value,
            validAfter: U256::from(self.valid_after),
            validBefore: U256::from(self.valid_before),
            nonce: self.nonce,
            v: signature.v,
            r: signature.r,
            s: signature.s,
        };
        Call {
            to: token,
            value: U256::ZERO,
            data: call.abi_encode().into(),
        }
    }

    /// Reads of the token on whether it can be executed: whether it was used, what its sender holds, and whether the sender may
    /// send it. The signature is not among them: a node could execute it before it is accepted.
    pub(crate) fn checks(&self, token: Address) -> [ContractCall; 3] {
        let state = authorizationStateCall {
            authorizer: self.from,
            nonce: self.nonce,
        };
        let balance = balanceOfCall { account: self.from };
        let transfer = transferCall {
            to: self.to,
            value: self.value,
        };
        let read = |data: Vec<u8>, from| ContractCall {
            from,
            to: token,
            data: data.into(),
        };
        [
            read(state.abi_encode(), None),
            read(balance.abi_encode(), None),
            read(transfer.abi_encode(), Some(self.from)),
        ]
    }
}

/// Whether an authorization was used or canceled, by the token's answer.
pub(crate) fn was_used(returned: &[u8]) -> Option<bool> {
    authorizationStateCall::abi_decode_returns(returned).ok()
}

/// A balance, by the token's answer.
pub(crate) fn balance(returned: &[u8]) -> Option<U256> {
    balanceOfCall::abi_decode_returns(returned).ok()
}
