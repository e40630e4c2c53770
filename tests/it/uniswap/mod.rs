//! Uniswap: pools, quotes and swaps on the real contracts, and answers that no honest node or contract gives.

mod answers;
mod lies;
mod pools;
mod reading;
mod routes;
mod slippage;
mod swaps;
