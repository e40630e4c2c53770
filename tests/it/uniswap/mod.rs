//! Uniswap: pools, quotes and swaps on the real contracts, and answers that no honest node or contract gives.

mod answers;
mod exchange;
mod lies;
mod pools;
mod slippage;
mod swaps;
