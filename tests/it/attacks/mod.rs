//! What an attacker tries, and what stops it: a file for each way in. `docs/threats.md` names the attackers.

mod bodies;
mod connections;
mod headers;
mod live_mode;
mod passwords;
mod secrets;
mod sign_in;
mod stock;
mod webhooks;
