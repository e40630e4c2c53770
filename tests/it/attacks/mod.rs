//! What an attacker tries, and what stops it: a file for each way in. `docs/threats.md` names the attackers.

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
