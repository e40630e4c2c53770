//! The interfaces of Uniswap's contracts, and of tokens.

use alloy_primitives::{Address, Bytes};
use alloy_sol_types::{SolCall, sol};

use crate::evm::contract_calls::ContractCall;

sol! {
    interface Token {
        function allowance(address owner, address spender) external view returns (uint256);
        function approve(address spender, uint256 value) external returns (bool);
        function balanceOf(address owner) external view returns (uint256);
    }

    interface V2Factory {
        function getPair(address tokenA, address tokenB) external view returns (address pair);
    }

    interface V2Pair {
        function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast);
        function token0() external view returns (address);
    }

    interface V2Router {
        function getAmountsIn(uint256 amountOut, address[] path) external view returns (uint256[] amounts);
        function getAmountsOut(uint256 amountIn, address[] path) external view returns (uint256[] amounts);

        function swapExactTokensForTokens(
            uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline
        ) external returns (uint256[] amounts);
        function swapTokensForExactTokens(
            uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline
        ) external returns (uint256[] amounts);
        function swapExactETHForTokens(
            uint256 amountOutMin, address[] path, address to, uint256 deadline
        ) external payable returns (uint256[] amounts);
        function swapETHForExactTokens(
            uint256 amountOut, address[] path, address to, uint256 deadline
        ) external payable returns (uint256[] amounts);
        function swapExactTokensForETH(
            uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline
        ) external returns (uint256[] amounts);
        function swapTokensForExactETH(
            uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline
        ) external returns (uint256[] amounts);
    }

    interface V3Factory {
        function getPool(address tokenA, address tokenB, uint24 fee) external view returns (address pool);
    }

    interface V3Pool {
        function liquidity() external view returns (uint128);
        // The protocol's fee has 8 bits at Uniswap, 32 at some others; neither is used.
        function slot0() external view returns (
            uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality,
            uint16 observationCardinalityNext, uint32 feeProtocol, bool unlocked
        );
    }

    interface Quoter {
        function quoteExactInput(bytes path, uint256 amountIn) external returns (
            uint256 amountOut, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate
        );
        function quoteExactOutput(bytes path, uint256 amountOut) external returns (
            uint256 amountIn, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate
        );
    }

    interface Router {
        struct ExactInputParams {
            bytes path;
            address recipient;
            uint256 deadline;
            uint256 amountIn;
            uint256 amountOutMinimum;
        }

        struct ExactOutputParams {
            bytes path;
            address recipient;
            uint256 deadline;
            uint256 amountOut;
            uint256 amountInMaximum;
        }

        function exactInput(ExactInputParams params) external payable returns (uint256 amountOut);
        function exactOutput(ExactOutputParams params) external payable returns (uint256 amountIn);
        function multicall(bytes[] data) external payable returns (bytes[] results);
        function refundETH() external payable;
        function unwrapWETH9(uint256 amountMinimum, address recipient) external payable;
    }

    interface Router02 {
        struct ExactInputParams {
            bytes path;
            address recipient;
            uint256 amountIn;
            uint256 amountOutMinimum;
        }

        struct ExactOutputParams {
            bytes path;
            address recipient;
            uint256 amountOut;
            uint256 amountInMaximum;
        }

        function exactInput(ExactInputParams params) external payable returns (uint256 amountOut);
        function exactOutput(ExactOutputParams params) external payable returns (uint256 amountIn);
        function multicall(uint256 deadline, bytes[] data) external payable returns (bytes[] results);
    }
}

pub(super) fn read<C: SolCall>(to: Address, call: &C) -> ContractCall {
    ContractCall {
        from: None,
        to,
        data: Bytes::from(call.abi_encode()),
    }
}

/// The return value of a call; `None` unless the bytes are exactly of the interface's encoding.
pub(super) fn returned<C: SolCall>(bytes: &[u8]) -> Option<C::Return> {
    let value = C::abi_decode_returns_validate(bytes).ok()?;
    (C::abi_encode_returns(&value) == bytes).then_some(value)
}
