//! External accounts.

mod create_external_account;
mod delete_external_account;
mod get_external_account;
mod list_external_accounts;

use serde_json::{Value, json};
use settlekit_tests::world::WALLET;

const PATH: &str = "/v1/accounts/external-account";

fn cold_wallet() -> Value {
    json!({ "type": "Digital", "reference": "cold", "address": WALLET, "chain_id": 8453, "currencies": ["USDC"] })
}

fn bank() -> Value {
    json!({ "type": "Fiat", "currencies": ["EUR"], "payment_rail": "SEPA", "country": "DE",
        "beneficiary_type": "individual", "account_holder_name": "Ada Lovelace", "account_number": "DE89370400440532013000" })
}
