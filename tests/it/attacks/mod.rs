//! What an attacker tries, and what stops them: a file for each way in.

mod outflow;
mod payers;
mod wallet_claims;
