//! Attacks and their defences, one file per attack surface. `docs/threats.md` names the attackers.

mod bodies;
mod connections;
mod foreign_ids;
mod headers;
mod live_mode;
mod outflow;
mod passwords;
mod payers;
mod secrets;
mod sign_in;
mod stock;
mod wallet_claims;
mod webhooks;
