//! API keys.

mod create_api_key;
mod revoke_api_key;
