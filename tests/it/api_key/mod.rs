//! API keys.

mod create_api_key;
mod list_api_keys;
mod revoke_api_key;
