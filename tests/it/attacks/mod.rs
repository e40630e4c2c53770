//! What an attacker tries, and what stops it. `docs/threats.md` says which attacker each of these is.

mod sign_in;
mod stock;
