//! Whether a token takes transfers signed by their sender (EIP-3009), and under which domain (EIP-712).

use alloy_primitives::{Address, B256};
use alloy_sol_types::{SolCall, sol};
use settlekit_core::value::ChainId;
use settlekit_service::authorization::TokenDomain;

use super::account::AtBlock;
use super::rpc::{Rpc, RpcError};
use super::rpc_error::RpcFailure;

sol! {
    function name() external view returns (string);
    function version() external view returns (string);
    function DOMAIN_SEPARATOR() external view returns (bytes32);
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
}

/// The most bytes of a name or a version.
const BYTES_MAX: usize = 100;

impl Rpc {
    /// The domain of a token's signed transfers; `None` if it takes none, or if name and version do not give its separator, so that no
    /// wallet could sign for it.
    ///
    /// # Errors
    /// If the node does not answer.
    pub(crate) async fn token_domain(
        &self,
        chain: ChainId,
        token: Address,
    ) -> Result<Option<TokenDomain>, RpcError> {
        let state = authorizationStateCall {
            authorizer: Address::ZERO,
            nonce: B256::ZERO,
        };
        let (Some(_), Some(separator), Some(name), Some(version)) = (
            self.told(token, state).await?,
            self.told(token, DOMAIN_SEPARATORCall {}).await?,
            self.told(token, nameCall {}).await?,
            self.told(token, versionCall {}).await?,
        ) else {
            return Ok(None);
        };
        let domain = TokenDomain { name, version };
        let is_short = domain.name.len() <= BYTES_MAX && domain.version.len() <= BYTES_MAX;
        let is_right = is_short && domain.separator(chain, token) == separator;
        Ok(is_right.then_some(domain))
    }

    /// The result of a contract; `None` if it has no such function.
    async fn told<C: SolCall>(
        &self,
        token: Address,
        call: C,
    ) -> Result<Option<C::Return>, RpcError> {
        let call = call.abi_encode();
        match self.call_contract(token, &call, AtBlock::Latest).await {
            Ok(returned) => Ok(C::abi_decode_returns(&returned).ok()),
            Err(error) if is_revert(&error.failure) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Whether the contract refused a call, and not the node. Nodes differ in the code, not in the word.
fn is_revert(failure: &RpcFailure) -> bool {
    match failure {
        RpcFailure::Refused { code, message } => {
            *code == 3 || message.to_ascii_lowercase().contains("revert")
        }
        _ => false,
    }
}
