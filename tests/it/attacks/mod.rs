//! What an attacker or an accident tries, and what stops it.

mod live_mode;
mod secrets;
