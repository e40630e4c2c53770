//! The calls that settle a quote: the allowance of the router, and the swap.

use alloy_primitives::{Address, Bytes, U256, address};
use alloy_sol_types::SolCall;

use super::contracts::{Router, Router02, Token, V2Router, read, returned};
use super::pool::PoolKind;
use super::route::Route;
use super::{Call, SwapError, Uniswap, V3Router};
use crate::evm::contract_calls::ContractCall;

/// `SwapRouter` keeps what it sends to zero, to unwrap it afterwards.
const KEPT: Address = Address::ZERO;

/// `SwapRouter02`'s constants for the sender and for itself.
const SENDER_02: Address = address!("0000000000000000000000000000000000000001");
const KEPT_02: Address = address!("0000000000000000000000000000000000000002");

/// The amounts of a swap, in smallest units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwapAmounts {
    /// Sells exactly this.
    ExactInput {
        /// Sold amount.
        input: U256,
        /// The least that is bought, or the swap reverts.
        least_output: U256,
    },
    /// Buys exactly this.
    ExactOutput {
        /// Bought amount.
        output: U256,
        /// The most that is sold, or the swap reverts.
        most_input: U256,
    },
}

impl SwapAmounts {
    /// The most that is sold.
    const fn most_input(self) -> U256 {
        match self {
            Self::ExactInput { input, .. } => input,
            Self::ExactOutput { most_input, .. } => most_input,
        }
    }
}

/// Which side of a swap is the native coin itself, not its wrapped token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NativeCoin {
    /// Neither.
    None,
    /// Sold amount.
    Sold,
    /// Bought amount.
    Bought,
}

/// A swap along a route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap<'a> {
    /// The contracts.
    pub uniswap: &'a Uniswap,
    /// The route.
    pub route: &'a Route,
    /// Sold and bought amounts.
    pub amounts: SwapAmounts,
    /// Which side is the native coin.
    pub native: NativeCoin,
    /// Receiver of the bought amount.
    pub recipient: Address,
    /// The last second, by the clock of the chain, at which the swap does not revert.
    pub deadline: u64,
}

impl Swap<'_> {
    fn router(&self) -> Result<(PoolKind, Address), SwapError> {
        let kind = self.route.kind().ok_or(SwapError::Route)?;
        let router = self.uniswap.router(kind).ok_or(SwapError::NoRouter)?;
        Ok((kind, router))
    }

    /// The call that reads the router's allowance; `None` if the native coin is sold.
    ///
    /// # Errors
    /// If the route has no router.
    pub fn allowance(&self, owner: Address) -> Result<Option<ContractCall>, SwapError> {
        let (_, spender) = self.router()?;
        let sold = self.route.sold().ok_or(SwapError::Route)?;
        let call = read(sold, &Token::allowanceCall { owner, spender });
        Ok((self.native != NativeCoin::Sold).then_some(call))
    }

    /// The allowance that [`Self::allowance`] returned; `None` if it is no amount.
    pub fn read_allowance(bytes: &[u8]) -> Option<U256> {
        returned::<Token::allowanceCall>(bytes)
    }

    /// The calls before the swap: the router may take exactly what is sold. What is left of an earlier allowance is taken back first;
    /// some tokens, USDT among them, refuse to replace one.
    ///
    /// # Errors
    /// If the route has no router.
    pub fn approvals(&self, allowance: U256) -> Result<Vec<Call>, SwapError> {
        let (_, spender) = self.router()?;
        let to = self.route.sold().ok_or(SwapError::Route)?;
        let value = self.amounts.most_input();
        if self.native == NativeCoin::Sold || allowance == value {
            return Ok(Vec::new());
        }
        let revoked = (!allowance.is_zero()).then_some(U256::ZERO);
        let approvals = revoked.into_iter().chain([value]);
        Ok(approvals.map(|value| approve(to, spender, value)).collect())
    }

    /// The swap.
    ///
    /// # Errors
    /// If the routers would understand something else by it.
    pub fn call(&self) -> Result<Call, SwapError> {
        let (kind, to) = self.router()?;
        let hops = self.route.hops();
        if !hops
            .iter()
            .all(|hop| hop.pool.key.kind.is_same_version(kind))
        {
            return Err(SwapError::Route);
        }
        let native_end = match self.native {
            NativeCoin::None => None,
            NativeCoin::Sold => Some(self.route.sold()),
            NativeCoin::Bought => Some(self.route.bought()),
        };
        if native_end.is_some_and(|end| end != Some(self.uniswap.wrapped_native)) {
            return Err(SwapError::NotNative);
        }
        if [Address::ZERO, SENDER_02, KEPT_02].contains(&self.recipient) {
            return Err(SwapError::Recipient);
        }
        let (SwapAmounts::ExactInput {
            input: one,
            least_output: other,
        }
        | SwapAmounts::ExactOutput {
            output: one,
            most_input: other,
        }) = self.amounts;
        if one.is_zero() || other.is_zero() {
            return Err(SwapError::Amount);
        }
        let data = match (kind, self.uniswap.v3.as_ref().map(|v3| v3.router)) {
            (PoolKind::V2, _) => self.v2(),
            (PoolKind::V3 { .. }, Some(V3Router::SwapRouter(_))) => self.v3(),
            (PoolKind::V3 { .. }, Some(V3Router::SwapRouter02(_))) => self.v3_02(),
            (PoolKind::V3 { .. }, None) => return Err(SwapError::NoRouter),
        };
        Ok(Call {
            to,
            value: match self.native {
                NativeCoin::Sold => self.amounts.most_input(),
                NativeCoin::None | NativeCoin::Bought => U256::ZERO,
            },
            data: data.into(),
        })
    }

    fn v2(&self) -> Vec<u8> {
        let (path, to) = (self.route.tokens(), self.recipient);
        let deadline = U256::from(self.deadline);
        match self.amounts {
            SwapAmounts::ExactInput {
                input,
                least_output,
            } => match self.native {
                NativeCoin::None => V2Router::swapExactTokensForTokensCall {
                    amountIn: input,
                    amountOutMin: least_output,
                    path,
                    to,
                    deadline,
                }
                .abi_encode(),
                NativeCoin::Sold => V2Router::swapExactETHForTokensCall {
                    amountOutMin: least_output,
                    path,
                    to,
                    deadline,
                }
                .abi_encode(),
                NativeCoin::Bought => V2Router::swapExactTokensForETHCall {
                    amountIn: input,
                    amountOutMin: least_output,
                    path,
                    to,
                    deadline,
                }
                .abi_encode(),
            },
            SwapAmounts::ExactOutput { output, most_input } => match self.native {
                NativeCoin::None => V2Router::swapTokensForExactTokensCall {
                    amountOut: output,
                    amountInMax: most_input,
                    path,
                    to,
                    deadline,
                }
                .abi_encode(),
                NativeCoin::Sold => V2Router::swapETHForExactTokensCall {
                    amountOut: output,
                    path,
                    to,
                    deadline,
                }
                .abi_encode(),
                NativeCoin::Bought => V2Router::swapTokensForExactETHCall {
                    amountOut: output,
                    amountInMax: most_input,
                    path,
                    to,
                    deadline,
                }
                .abi_encode(),
            },
        }
    }

    fn v3(&self) -> Vec<u8> {
        let deadline = U256::from(self.deadline);
        let recipient = self.receiver(KEPT);
        let swap = match self.amounts {
            SwapAmounts::ExactInput {
                input,
                least_output,
            } => {
                let params = Router::ExactInputParams {
                    path: self.route.path(),
                    recipient,
                    deadline,
                    amountIn: input,
                    amountOutMinimum: least_output,
                };
                Router::exactInputCall { params }.abi_encode()
            }
            SwapAmounts::ExactOutput { output, most_input } => {
                let params = Router::ExactOutputParams {
                    path: self.route.reversed_path(),
                    recipient,
                    deadline,
                    amountOut: output,
                    amountInMaximum: most_input,
                };
                Router::exactOutputCall { params }.abi_encode()
            }
        };
        match self.native {
            NativeCoin::None => swap,
            NativeCoin::Sold | NativeCoin::Bought => {
                let data = self.with_coins(swap);
                Router::multicallCall { data }.abi_encode()
            }
        }
    }

    fn v3_02(&self) -> Vec<u8> {
        let recipient = self.receiver(KEPT_02);
        let swap = match self.amounts {
            SwapAmounts::ExactInput {
                input,
                least_output,
            } => {
                let params = Router02::ExactInputParams {
                    path: self.route.path(),
                    recipient,
                    amountIn: input,
                    amountOutMinimum: least_output,
                };
                Router02::exactInputCall { params }.abi_encode()
            }
            SwapAmounts::ExactOutput { output, most_input } => {
                let params = Router02::ExactOutputParams {
                    path: self.route.reversed_path(),
                    recipient,
                    amountOut: output,
                    amountInMaximum: most_input,
                };
                Router02::exactOutputCall { params }.abi_encode()
            }
        };
        let deadline = U256::from(self.deadline);
        let data = self.with_coins(swap);
        Router02::multicallCall { deadline, data }.abi_encode()
    }

    /// Receiver of the pools' payment: the router itself, if it unwraps the coins.
    fn receiver(&self, kept: Address) -> Address {
        match self.native {
            NativeCoin::None | NativeCoin::Sold => self.recipient,
            NativeCoin::Bought => kept,
        }
    }

    /// A swap and what moves the coins afterwards, in one transaction: anyone may take what stays in the router.
    fn with_coins(&self, swap: Vec<u8>) -> Vec<Bytes> {
        let afterwards = match self.native {
            NativeCoin::None => None,
            NativeCoin::Sold => Some(Router::refundETHCall {}.abi_encode()),
            NativeCoin::Bought => {
                let (SwapAmounts::ExactInput {
                    least_output: least,
                    ..
                }
                | SwapAmounts::ExactOutput { output: least, .. }) = self.amounts;
                let call = Router::unwrapWETH9Call {
                    amountMinimum: least,
                    recipient: self.recipient,
                };
                Some(call.abi_encode())
            }
        };
        let calls = [swap].into_iter().chain(afterwards);
        calls.map(Bytes::from).collect()
    }
}

/// The call that takes back what is left of an approval; `None` if the call is none.
pub fn revocation(approval: &Call) -> Option<Call> {
    let approved = Token::approveCall::abi_decode_validate(&approval.data).ok()?;
    Some(approve(approval.to, approved.spender, U256::ZERO))
}

fn approve(token: Address, spender: Address, value: U256) -> Call {
    Call {
        to: token,
        value: U256::ZERO,
        data: Token::approveCall { spender, value }.abi_encode().into(),
    }
}
