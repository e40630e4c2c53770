// Printed from the catalogue of settlekit-core by `cargo xtask print`; do not edit. @generated

use crate::form::{Field, Form, Forms};

static ACCEPT_INVITATION_BODY: Form = Form::Record(&[
    Field::must("name", &Form::Text),
    Field::must("password", &Form::Text),
    Field::must("token", &Form::Text),
]);
static ACCEPT_QUOTE_BODY: Form = Form::Record(&[
    Field::may("reference", &Form::Text),
]);
static ACCOUNT: Form = Form::Record(&[
    Field::may("account_number", &Form::List(&Form::Text)),
    Field::must("account_type", &Form::Text),
    Field::may("address", &Form::Text),
    Field::may("balance_usd", &Form::Amount),
    Field::may("chain", &CHAIN),
    Field::may("chain_id", &Form::Integer),
    Field::must("created_at", &Form::Timestamp),
    Field::may("created_by", &Form::Text),
    Field::must("currencies", &Form::List(&Form::Text)),
    Field::may("deleted_at", &Form::Timestamp),
    Field::may("deposit_splits", &Form::List(&DEPOSIT_SPLIT)),
    Field::must("enabled", &Form::Flag),
    Field::must("id", &Form::Integer),
    Field::may("name", &Form::Text),
    Field::must("org_id", &Form::Text),
    Field::may("ownership_proven_at", &Form::Timestamp),
    Field::may("parent", &ACCOUNT_SUMMARY),
    Field::may("parent_id", &Form::Integer),
    Field::may("payin_fee_pct", &Form::Exact),
    Field::may("payout_fee_pct", &Form::Exact),
    Field::may("properties", &Form::Free),
    Field::must("provider", &Form::Text),
    Field::may("reference", &Form::Text),
    Field::may("reserved_usd", &Form::Amount),
    Field::may("sort_code", &Form::List(&Form::Text)),
    Field::must("state", &Form::Text),
    Field::may("sub_accounts", &Form::List(&ACCOUNT_SUMMARY)),
    Field::must("updated_at", &Form::Timestamp),
    Field::may("xpub", &Form::Text),
]);
static ACCOUNT_BALANCE: Form = Form::Record(&[
    Field::must("account_id", &Form::Integer),
    Field::may("amount_usd", &Form::Amount),
    Field::must("available", &Form::Amount),
    Field::must("chain", &CHAIN),
    Field::must("currency", &Form::Text),
    Field::may("last_amount_at", &Form::Timestamp),
    Field::may("last_amount_usd", &Form::Amount),
    Field::must("posted", &Form::Amount),
    Field::must("reserved", &Form::Amount),
]);
static ACCOUNT_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&ACCOUNT)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static ACCOUNT_SUMMARY: Form = Form::Record(&[
    Field::must("account_type", &Form::Text),
    Field::may("address", &Form::Text),
    Field::may("chain_id", &Form::Integer),
    Field::must("currencies", &Form::List(&Form::Text)),
    Field::must("enabled", &Form::Flag),
    Field::must("id", &Form::Integer),
    Field::may("name", &Form::Text),
    Field::may("reference", &Form::Text),
]);
static ADVANCE_CLOCK_BODY: Form = Form::Record(&[
    Field::must("advance_seconds", &Form::Integer),
]);
static AFTER_COMPLETION: Form = Form::Record(&[
    Field::may("custom_message", &Form::Text),
    Field::may("failure_redirect_url", &Form::Text),
    Field::may("redirect_url", &Form::Text),
    Field::may("type", &Form::Text),
]);
static API_KEY: Form = Form::Record(&[
    Field::must("created_at", &Form::Timestamp),
    Field::may("expires_at", &Form::Timestamp),
    Field::must("id", &Form::Text),
    Field::may("key", &Form::Text),
    Field::may("last_used_at", &Form::Timestamp),
    Field::must("name", &Form::Text),
    Field::may("notice", &Form::Text),
    Field::must("prefix", &Form::Text),
    Field::may("revoked_at", &Form::Timestamp),
    Field::must("scopes", &Form::List(&Form::Text)),
]);
static API_KEY_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&API_KEY)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static APPROXIMATE_AMOUNT: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::must("currency", &Form::Text),
]);
static ASSET: Form = Form::Record(&[
    Field::must("scale", &Form::Integer),
    Field::must("symbol", &Form::Text),
    Field::may("token_address", &Form::Text),
]);
static ATTEMPT: Form = Form::Record(&[
    Field::must("duration_ms", &Form::Integer),
    Field::may("error", &Form::Text),
    Field::must("number", &Form::Integer),
    Field::must("request", &Form::Text),
    Field::may("response", &Form::Text),
    Field::must("sent_at", &Form::Timestamp),
    Field::may("status", &Form::Integer),
    Field::must("url", &Form::Text),
]);
static AUTHORIZATION_REQUEST: Form = Form::Record(&[
    Field::must("decimals", &Form::Integer),
    Field::must("domain_name", &Form::Text),
    Field::must("domain_version", &Form::Text),
    Field::must("nonce", &Form::Text),
    Field::must("to", &Form::Text),
    Field::must("token_address", &Form::Text),
    Field::must("valid_before", &Form::Integer),
    Field::must("value", &Form::Text),
]);
static AUTHORIZE_PAYMENT_BODY: Form = Form::Record(&[
    Field::must("from", &Form::Text),
    Field::must("signature", &Form::Text),
    Field::must("valid_after", &Form::Integer),
    Field::must("valid_before", &Form::Integer),
    Field::must("value", &Form::Text),
]);
static AUTOMATION: Form = Form::Record(&[
    Field::must("account_id", &Form::Integer),
    Field::may("action", &Form::Free),
    Field::must("action_type", &Form::Text),
    Field::may("condition", &AUTOMATION_CONDITION),
    Field::must("created_at", &Form::Timestamp),
    Field::may("deleted_at", &Form::Timestamp),
    Field::must("enabled", &Form::Flag),
    Field::must("id", &Form::Integer),
    Field::may("last_run_at", &Form::Timestamp),
    Field::may("paused_until", &Form::Timestamp),
    Field::may("reason", &Form::Text),
    Field::may("rule_id", &Form::Integer),
    Field::may("schedule", &AUTOMATION_SCHEDULE),
    Field::must("updated_at", &Form::Timestamp),
]);
static AUTOMATION_CONDITION: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::must("amount_currency", &Form::Text),
    Field::may("asset_symbol", &Form::Text),
    Field::must("comparison", &Form::Text),
    Field::must("entity", &Form::Text),
]);
static AUTOMATION_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&AUTOMATION)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static AUTOMATION_SCHEDULE: Form = Form::Record(&[
    Field::must("frequency", &Form::Text),
    Field::may("offset", &Form::Integer),
    Field::may("time", &Form::Text),
]);
static BALANCE: Form = Form::Record(&[
    Field::must("account_id", &Form::Integer),
    Field::must("amount", &Form::Amount),
    Field::may("amount_usd", &Form::Amount),
    Field::must("chain", &CHAIN),
    Field::must("currency", &Form::Text),
    Field::may("token_address", &Form::Text),
]);
static BALANCES: Form = Form::Record(&[
    Field::must("balances", &Form::List(&BALANCE)),
]);
static CANCEL_SUBSCRIPTION_BODY: Form = Form::Record(&[
    Field::may("at_period_end", &Form::Flag),
]);
static CHAIN: Form = Form::Record(&[
    Field::must("id", &Form::Integer),
    Field::must("name", &Form::Text),
    Field::must("native_currency_symbol", &Form::Text),
]);
static CHAIN_COMPARISON: Form = Form::Record(&[
    Field::must("balances", &Form::Integer),
    Field::may("block", &Form::Integer),
    Field::must("compared_at", &Form::Timestamp),
    Field::must("difference_count", &Form::Integer),
    Field::must("differences", &Form::List(&Form::Text)),
]);
static CHAIN_DETAIL: Form = Form::Record(&[
    Field::must("assets", &Form::List(&ASSET)),
    Field::must("block_seconds", &Form::Integer),
    Field::must("confirmations_required", &Form::Integer),
    Field::may("explorer_url", &Form::Text),
    Field::must("family", &Form::Text),
    Field::must("id", &Form::Integer),
    Field::must("name", &Form::Text),
    Field::must("native_currency_symbol", &Form::Text),
    Field::may("payer_fees", &PAYER_FEES),
    Field::may("test_network", &Form::Flag),
]);
static CHAIN_REPORT: Form = Form::Record(&[
    Field::must("head_at", &Form::Timestamp),
    Field::may("node_head", &Form::Integer),
    Field::may("problem", &Form::Text),
    Field::must("providers", &Form::List(&PROVIDER_REPORT)),
    Field::must("reported_at", &Form::Timestamp),
]);
static CHECKOUT: Form = Form::Record(&[
    Field::may("after_completion", &AFTER_COMPLETION),
    Field::must("amount", &Form::Amount),
    Field::may("amounts_in", &Form::List(&APPROXIMATE_AMOUNT)),
    Field::must("collect", &COLLECT),
    Field::must("currency", &Form::Text),
    Field::may("description", &Form::Text),
    Field::may("expires_at", &Form::Timestamp),
    Field::may("image_url", &Form::Text),
    Field::must("merchant", &MERCHANT),
    Field::must("name", &Form::Text),
    Field::must("options", &Form::List(&CHECKOUT_OPTION)),
    Field::must("paylink_id", &Form::Text),
    Field::may("recurring_interval", &Form::Text),
    Field::may("recurring_interval_count", &Form::Integer),
    Field::must("sandbox", &Form::Flag),
    Field::must("state", &Form::Text),
    Field::may("style", &RESOLVED_CHECKOUT_STYLE),
    Field::may("trial_period", &Form::Text),
]);
static CHECKOUT_OPTION: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::must("chain", &CHAIN),
    Field::must("currency", &Form::Text),
    Field::may("test_network", &Form::Flag),
]);
static CHECKOUT_PAYMENT: Form = Form::Record(&[
    Field::must("address", &Form::Text),
    Field::must("address_qr", &QR_CODE),
    Field::may("address_url", &Form::Text),
    Field::may("after_completion", &AFTER_COMPLETION),
    Field::must("amount", &Form::Amount),
    Field::must("amount_qr", &QR_CODE),
    Field::may("authorization", &AUTHORIZATION_REQUEST),
    Field::may("authorization_status", &Form::Text),
    Field::may("block_number", &Form::Integer),
    Field::must("chain", &CHAIN),
    Field::must("confirmations", &Form::Integer),
    Field::must("confirmations_required", &Form::Integer),
    Field::may("confirmed_at", &Form::Timestamp),
    Field::must("currency", &Form::Text),
    Field::must("expires_at", &Form::Timestamp),
    Field::may("explorer_url", &Form::Text),
    Field::must("paid_amount", &Form::Amount),
    Field::may("paylink_id", &Form::Text),
    Field::must("payment_id", &Form::Text),
    Field::must("payment_uri", &Form::Text),
    Field::may("public_rpc_url", &Form::Text),
    Field::must("qr", &QR_CODE),
    Field::may("reason", &Form::Text),
    Field::may("refunded_amount", &Form::Amount),
    Field::must("sandbox", &Form::Flag),
    Field::must("server_time", &Form::Timestamp),
    Field::must("status", &Form::Text),
    Field::may("test_network", &Form::Flag),
    Field::may("transaction_hash", &Form::Text),
    Field::may("transaction_url", &Form::Text),
    Field::may("unsigned_transaction", &UNSIGNED_TRANSACTION),
    Field::may("wallet_links", &Form::List(&WALLET_LINK)),
]);
static CHECKOUT_STYLE: Form = Form::Record(&[
    Field::may("accent_color", &Form::Text),
    Field::may("appearance", &Form::Text),
    Field::may("language", &Form::Text),
    Field::may("note", &LOCALIZED_TEXT),
    Field::may("support", &LOCALIZED_TEXT),
]);
static CLOCK: Form = Form::Record(&[
    Field::must("ahead_seconds", &Form::Integer),
    Field::must("now", &Form::Timestamp),
]);
static COLLECT: Form = Form::Record(&[
    Field::must("customer_ident", &Form::Flag),
    Field::must("shipping_address", &Form::Flag),
    Field::must("tax_ident", &Form::Flag),
]);
static CONVERT_BALANCE_BODY: Form = Form::Record(&[
    Field::must("currency", &Form::Text),
    Field::must("max_cost_bps", &Form::Integer),
    Field::must("threshold_amount", &Form::Exact),
    Field::must("to_currency", &Form::Text),
]);
static CREATE_ACCOUNT_BODY: Form = Form::Record(&[
    Field::may("address", &Form::Text),
    Field::must("chain_id", &Form::Integer),
    Field::must("currencies", &Form::List(&Form::Text)),
    Field::may("managed_account", &Form::Flag),
    Field::may("name", &Form::Text),
    Field::may("parent_account_id", &Form::Free),
    Field::may("reference", &Form::Text),
    Field::may("type", &Form::Text),
    Field::may("xpub", &Form::Text),
]);
static CREATE_API_KEY_BODY: Form = Form::Record(&[
    Field::may("expires_at", &Form::Timestamp),
    Field::must("name", &Form::Text),
    Field::may("scopes", &Form::List(&Form::Text)),
]);
static CREATE_DEPOSIT_BODY: Form = Form::Record(&[
    Field::must("account", &Form::Free),
    Field::must("amount", &Form::Amount),
    Field::must("chain_id", &Form::Integer),
    Field::must("currency", &Form::Text),
]);
static CREATE_EXTERNAL_ACCOUNT_BODY: Form = Form::Record(&[
    Field::may("account_holder_name", &Form::Text),
    Field::may("account_number", &Form::Text),
    Field::may("address", &Form::Text),
    Field::may("bank_name", &Form::Text),
    Field::may("beneficiary_type", &Form::Text),
    Field::may("chain_id", &Form::Integer),
    Field::may("country", &Form::Text),
    Field::must("currencies", &Form::List(&Form::Text)),
    Field::may("name", &Form::Text),
    Field::may("payment_rail", &Form::Text),
    Field::may("reference", &Form::Text),
    Field::must("type", &Form::Text),
]);
static CREATE_FAULT_BODY: Form = Form::Record(&[
    Field::may("after_commit", &Form::Flag),
    Field::may("calls", &Form::Integer),
    Field::may("operation", &Form::Text),
    Field::must("reason", &Form::Text),
]);
static CREATE_INVOICE_BODY: Form = Form::Record(&[
    Field::may("due_date", &Form::Timestamp),
    Field::may("properties", &Form::Free),
    Field::may("title", &Form::Text),
]);
static CREATE_NOTE_BODY: Form = Form::Record(&[
    Field::must("record_id", &Form::Text),
    Field::must("record_type", &Form::Text),
    Field::must("text", &Form::Text),
]);
static CREATE_PAY_IN_ADDRESS_BODY: Form = Form::Record(&[
    Field::must("chain_id", &Form::Integer),
    Field::may("customer_id", &Form::Text),
    Field::may("reference", &Form::Text),
]);
static CREATE_PAYLINK_BODY: Form = Form::Record(&[
    Field::may("account_ids", &Form::List(&Form::Integer)),
    Field::may("account_ref", &Form::Text),
    Field::may("after_completion", &AFTER_COMPLETION),
    Field::must("amount", &Form::Amount),
    Field::may("available_quantity", &Form::Integer),
    Field::must("currency", &Form::Text),
    Field::may("description", &Form::Text),
    Field::may("expires_at", &Form::Timestamp),
    Field::may("image_url", &Form::Text),
    Field::may("interval", &Form::Text),
    Field::may("intervalCount", &Form::Integer),
    Field::may("metadata", &Form::Free),
    Field::must("name", &Form::Text),
    Field::may("reference", &Form::Text),
    Field::may("trial_period", &Form::Text),
    Field::may("type", &Form::Text),
]);
static CREATE_PAYMENT_BODY: Form = Form::Record(&[
    Field::may("account", &Form::Free),
    Field::must("amount", &Form::Amount),
    Field::must("chain_id", &Form::Integer),
    Field::must("currency", &Form::Text),
    Field::may("customer_id", &Form::Text),
    Field::may("metadata", &Form::Free),
    Field::may("reference", &Form::Text),
]);
static CREATE_PAYOUT_BODY: Form = Form::Record(&[
    Field::must("account", &Form::Free),
    Field::may("address", &Form::Text),
    Field::must("amount", &Form::Amount),
    Field::may("chain_id", &Form::Integer),
    Field::must("currency", &Form::Text),
    Field::may("external_account_id", &Form::Integer),
    Field::may("metadata", &Form::Free),
    Field::may("reference", &Form::Text),
]);
static CREATE_PLAN_BODY: Form = Form::Record(&[
    Field::may("available_quantity", &Form::Integer),
    Field::must("currency", &Form::Text),
    Field::may("description", &Form::Text),
    Field::may("expires_at", &Form::Timestamp),
    Field::may("image_url", &Form::Text),
    Field::may("metadata", &Form::Free),
    Field::must("name", &Form::Text),
    Field::must("price", &Form::Amount),
    Field::may("recurring_interval", &Form::Text),
    Field::may("recurring_interval_count", &Form::Integer),
    Field::may("reference", &Form::Text),
    Field::may("trial_period", &Form::Text),
    Field::may("type", &Form::Text),
]);
static CREATE_QUICK_TRADE_BODY: Form = Form::Record(&[
    Field::may("account_id", &Form::Integer),
    Field::may("account_reference", &Form::Text),
    Field::must("amount", &Form::Amount),
    Field::may("chain_id", &Form::Integer),
    Field::must("currency", &Form::Text),
    Field::may("dry_run", &Form::Flag),
    Field::may("reference", &Form::Text),
    Field::may("settlement_account_id", &Form::Integer),
    Field::may("settlement_address", &Form::Text),
    Field::may("to_chain_id", &Form::Integer),
    Field::must("to_currency", &Form::Text),
]);
static CREATE_REPLAY_BODY: Form = Form::Record(&[
    Field::may("action", &Form::Text),
    Field::may("delivery_status", &Form::Text),
    Field::may("since", &Form::Timestamp),
    Field::may("type", &Form::Text),
    Field::may("until", &Form::Timestamp),
]);
static CREATE_SAVED_VIEW_BODY: Form = Form::Record(&[
    Field::must("name", &Form::Text),
    Field::must("page", &Form::Text),
    Field::must("query", &Form::Text),
    Field::may("shared", &Form::Flag),
]);
static CREATE_SESSION_BODY: Form = Form::Record(&[
    Field::must("email", &Form::Text),
    Field::must("password", &Form::Text),
]);
static CREATE_STEP_UP_BODY: Form = Form::Record(&[
    Field::must("password", &Form::Text),
]);
static CREATE_SUBSCRIPTION_BODY: Form = Form::Record(&[
    Field::must("customer_id", &Form::Text),
    Field::may("metadata", &Form::Free),
    Field::must("plan_ids", &Form::List(&Form::Text)),
    Field::may("reference", &Form::Text),
    Field::may("start_at", &Form::Timestamp),
]);
static CREATE_TEST_EVENT_BODY: Form = Form::Record(&[
    Field::must("type", &Form::Text),
]);
static CREATE_VIRTUAL_ACCOUNT_BODY: Form = Form::Record(&[
    Field::must("chains", &Form::List(&VIRTUAL_CHAIN)),
    Field::may("deposit_splits", &Form::List(&DEPOSIT_SPLIT)),
    Field::may("name", &Form::Text),
    Field::must("reference", &Form::Text),
]);
static CREATE_WALLET_LINK_BODY: Form = Form::Record(&[
    Field::must("name", &Form::Text),
    Field::must("template", &Form::Text),
]);
static CRYPTO_TRANSACTION: Form = Form::Record(&[
    Field::may("block_number", &Form::Integer),
    Field::must("chain_id", &Form::Integer),
    Field::may("confirmations", &Form::Integer),
    Field::may("confirmations_required", &Form::Integer),
    Field::must("created_at", &Form::Timestamp),
    Field::may("currency", &Form::Text),
    Field::may("entity_id", &Form::Text),
    Field::may("fee_amount", &Form::Amount),
    Field::may("fee_currency", &Form::Text),
    Field::may("from", &Form::Text),
    Field::must("id", &Form::Integer),
    Field::may("payment_id", &Form::Text),
    Field::may("raw", &Form::Text),
    Field::may("sequence", &Form::Integer),
    Field::must("source", &Form::Text),
    Field::must("status", &Form::Text),
    Field::may("to", &Form::Text),
    Field::must("transaction_hash", &Form::Text),
    Field::may("transfer_logs", &Form::List(&TRANSFER_LOG)),
    Field::must("type", &Form::Text),
    Field::must("updated_at", &Form::Timestamp),
    Field::must("value", &Form::Amount),
]);
static CURRENCY_TOTAL: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::may("amount_usd", &Form::Amount),
    Field::must("count", &Form::Integer),
    Field::must("currency", &Form::Text),
]);
static CUSTOMER: Form = Form::Record(&[
    Field::must("created_at", &Form::Timestamp),
    Field::may("deleted_at", &Form::Timestamp),
    Field::may("email", &Form::Text),
    Field::must("id", &Form::Text),
    Field::may("metadata", &Form::Free),
    Field::may("name", &Form::Text),
    Field::must("org_id", &Form::Text),
    Field::may("phone", &Form::Text),
    Field::may("properties", &Form::Free),
    Field::may("reference", &Form::Text),
    Field::must("updated_at", &Form::Timestamp),
    Field::may("wallet_address", &Form::Text),
]);
static CUSTOMER_ITEM: Form = Form::Record(&[
    Field::must("created_at", &Form::Timestamp),
    Field::may("customer_ident", &Form::Text),
    Field::may("email", &Form::Text),
    Field::must("guest", &Form::Flag),
    Field::must("id", &Form::Text),
    Field::must("is_deleted", &Form::Flag),
    Field::may("last_payment_date", &Form::Timestamp),
    Field::may("metadata", &Form::Free),
    Field::may("name", &Form::Text),
    Field::must("organisation_id", &Form::Text),
    Field::must("payments_count", &Form::Integer),
    Field::may("phone", &Form::Text),
    Field::may("properties", &Form::Free),
    Field::may("spent_usd", &Form::Amount),
    Field::must("updated_at", &Form::Timestamp),
    Field::may("wallet_address", &Form::Text),
]);
static CUSTOMER_ITEM_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&CUSTOMER_ITEM)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static DAY_VOLUME: Form = Form::Record(&[
    Field::must("count", &Form::Integer),
    Field::must("date", &Form::Text),
    Field::may("in_usd", &Form::Amount),
    Field::may("out_usd", &Form::Amount),
]);
static DEPOSIT: Form = Form::Record(&[
    Field::must("account_id", &Form::Integer),
    Field::must("amount", &Form::Amount),
    Field::must("chain_id", &Form::Integer),
    Field::must("created_at", &Form::Timestamp),
    Field::must("currency", &Form::Text),
    Field::must("transaction_hash", &Form::Text),
]);
static DEPOSIT_INSTRUCTION: Form = Form::Record(&[
    Field::may("account_id", &Form::Integer),
    Field::must("payment_method", &Form::Text),
]);
static DEPOSIT_SPLIT: Form = Form::Record(&[
    Field::may("account_id", &Form::Integer),
    Field::may("account_ref", &Form::Text),
    Field::may("address", &Form::Text),
    Field::must("pct", &Form::Amount),
]);
static EMPTIED_INBOX: Form = Form::Record(&[
    Field::must("deleted", &Form::Integer),
]);
static EVENT: Form = Form::Record(&[
    Field::must("action", &Form::Text),
    Field::must("data", &Form::Free),
    Field::may("delivery_status", &Form::Text),
    Field::must("display_id", &Form::Text),
    Field::must("event_id", &Form::Integer),
    Field::must("id", &Form::Text),
    Field::may("next_attempt_at", &Form::Timestamp),
    Field::may("test", &Form::Flag),
    Field::must("timestamp", &Form::Timestamp),
    Field::must("type", &Form::Text),
    Field::may("webhook_request", &Form::Text),
    Field::may("webhook_response", &Form::Text),
    Field::may("webhook_response_error", &Form::Text),
    Field::may("webhook_response_status", &Form::Integer),
    Field::may("webhook_sent_at", &Form::Timestamp),
    Field::may("webhook_url", &Form::Text),
]);
static EVENT_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&EVENT)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static EXTERNAL_ACCOUNT: Form = Form::Record(&[
    Field::may("account_holder_name_hint", &Form::Text),
    Field::may("account_number_hint", &Form::Text),
    Field::may("address", &Form::Text),
    Field::may("bank_name", &Form::Text),
    Field::may("beneficiary_type", &Form::Text),
    Field::may("chain_id", &Form::Integer),
    Field::may("country", &Form::Text),
    Field::must("created_at", &Form::Timestamp),
    Field::must("currencies", &Form::List(&Form::Text)),
    Field::must("enabled", &Form::Flag),
    Field::must("id", &Form::Integer),
    Field::may("name", &Form::Text),
    Field::may("payment_rail", &Form::Text),
    Field::may("reference", &Form::Text),
    Field::must("type", &Form::Text),
]);
static EXTERNAL_ACCOUNT_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&EXTERNAL_ACCOUNT)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static FAIL_PAYOUT_BODY: Form = Form::Record(&[
    Field::must("payment_id", &Form::Text),
]);
static FAULT: Form = Form::Record(&[
    Field::must("after_commit", &Form::Flag),
    Field::must("calls", &Form::Integer),
    Field::may("operation", &Form::Text),
    Field::must("reason", &Form::Text),
]);
static FOUND: Form = Form::Record(&[
    Field::may("account_id", &Form::Integer),
    Field::may("amount", &Form::Amount),
    Field::may("chain", &CHAIN),
    Field::may("currency", &Form::Text),
    Field::must("id", &Form::Text),
    Field::must("kind", &Form::Text),
    Field::may("status", &Form::Text),
    Field::may("title", &Form::Text),
]);
static GAS_MONEY: Form = Form::Record(&[
    Field::must("available", &Form::Amount),
    Field::must("chain_id", &Form::Integer),
    Field::must("currency", &Form::Text),
    Field::must("low", &Form::Flag),
    Field::may("payouts_left", &Form::Integer),
    Field::must("reserved", &Form::Amount),
    Field::must("warn_below", &Form::Amount),
]);
static HOT_WALLET: Form = Form::Record(&[
    Field::must("address", &Form::Text),
    Field::must("gas", &Form::List(&GAS_MONEY)),
    Field::must("holdings", &Form::List(&HOT_WALLET_HOLDING)),
    Field::may("retired_at", &Form::Timestamp),
]);
static HOT_WALLET_HOLDING: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::must("chain_id", &Form::Integer),
    Field::must("currency", &Form::Text),
]);
static HOURLY_RATE: Form = Form::Record(&[
    Field::must("at", &Form::Timestamp),
    Field::must("usd", &Form::Amount),
]);
static INBOX_HEADER: Form = Form::Record(&[
    Field::must("name", &Form::Text),
    Field::must("value", &Form::Text),
]);
static INBOX_MESSAGE: Form = Form::Record(&[
    Field::must("body", &Form::Text),
    Field::must("event_id", &Form::Text),
    Field::must("headers", &Form::List(&INBOX_HEADER)),
    Field::must("id", &Form::Integer),
    Field::must("received_at", &Form::Timestamp),
    Field::must("type", &Form::Text),
]);
static INBOX_MESSAGE_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&INBOX_MESSAGE)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static INSTALLATION_CHAIN: Form = Form::Record(&[
    Field::must("assets", &Form::List(&ASSET)),
    Field::may("base_fee_gwei", &Form::Amount),
    Field::must("block_seconds", &Form::Integer),
    Field::may("comparison", &CHAIN_COMPARISON),
    Field::must("confirmations_required", &Form::Integer),
    Field::may("explorer_url", &Form::Text),
    Field::must("finality", &Form::Flag),
    Field::must("head", &Form::Integer),
    Field::must("id", &Form::Integer),
    Field::may("lag", &Form::Integer),
    Field::must("name", &Form::Text),
    Field::must("native_currency_symbol", &Form::Text),
    Field::may("oldest_transaction_at", &Form::Timestamp),
    Field::must("paused", &Form::Flag),
    Field::may("report", &CHAIN_REPORT),
    Field::may("settled_block", &Form::Integer),
    Field::may("test_network", &Form::Flag),
    Field::must("transactions_under_way", &Form::Integer),
    Field::must("unconfigured_tokens", &Form::List(&UNCONFIGURED_TOKEN)),
    Field::must("unswept", &Form::List(&UNSWEPT)),
]);
static INSTRUMENT: Form = Form::Record(&[
    Field::must("base", &Form::Text),
    Field::may("base_chain", &Form::Integer),
    Field::may("base_liquidity", &Form::Exact),
    Field::must("estimated_cost_bps", &Form::Exact),
    Field::must("estimated_delay_ms", &Form::Exact),
    Field::must("id", &Form::Integer),
    Field::must("last_price", &Form::Exact),
    Field::must("max_size", &Form::Exact),
    Field::must("min_size", &Form::Exact),
    Field::must("quote", &Form::Text),
    Field::may("quote_chain", &Form::Integer),
    Field::may("quote_liquidity", &Form::Exact),
    Field::must("spread_bps", &Form::Exact),
    Field::must("venue_id", &Form::Integer),
    Field::must("venue_name", &Form::Text),
]);
static INVITATION: Form = Form::Record(&[
    Field::must("email", &Form::Text),
    Field::must("expires_at", &Form::Timestamp),
    Field::may("has_account", &Form::Flag),
    Field::may("name", &Form::Text),
    Field::must("org_name", &Form::Text),
    Field::must("role", &Form::Text),
]);
static INVITE_MEMBER_BODY: Form = Form::Record(&[
    Field::must("email", &Form::Text),
    Field::must("role", &Form::Text),
]);
static INVOICE: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::must("created_at", &Form::Timestamp),
    Field::must("currency", &Form::Text),
    Field::must("customer_id", &Form::Text),
    Field::must("due_at", &Form::Timestamp),
    Field::must("dunning_status", &Form::Text),
    Field::must("id", &Form::Text),
    Field::must("issuing_at", &Form::Timestamp),
    Field::must("org_id", &Form::Text),
    Field::must("payment_status", &Form::Text),
    Field::may("properties", &Form::Free),
    Field::may("reference", &Form::Text),
    Field::may("source", &Form::Text),
    Field::must("status", &Form::Text),
    Field::must("updated_at", &Form::Timestamp),
]);
static INVOICE_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&INVOICE)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static KYB: Form = Form::Record(&[
    Field::may("createdAt", &Form::Text),
    Field::may("fixedInfo", &KYB_INFO),
    Field::may("info", &KYB_INFO),
    Field::may("review", &KYB_REVIEW),
]);
static KYB_INFO: Form = Form::Record(&[
    Field::may("companyInfo", &NAMED_COMPANY),
]);
static KYB_REVIEW: Form = Form::Record(&[
    Field::may("attemptCnt", &Form::Integer),
    Field::may("attemptId", &Form::Text),
    Field::may("createDate", &Form::Text),
    Field::may("elapsedSincePendingMs", &Form::Integer),
    Field::may("elapsedSinceQueuedMs", &Form::Integer),
    Field::may("levelAutoCheckMode", &Form::Free),
    Field::may("levelName", &Form::Text),
    Field::may("priority", &Form::Integer),
    Field::may("reprocessing", &Form::Flag),
    Field::may("reviewDate", &Form::Text),
    Field::may("reviewId", &Form::Text),
    Field::may("reviewResult", &KYB_REVIEW_RESULT),
    Field::may("reviewStatus", &Form::Integer),
]);
static KYB_REVIEW_RESULT: Form = Form::Record(&[
    Field::may("buttonIds", &Form::List(&Form::Text)),
    Field::may("clientComment", &Form::Text),
    Field::may("moderationComment", &Form::Text),
    Field::may("rejectLabels", &Form::List(&Form::Text)),
    Field::may("reviewAnswer", &Form::Text),
    Field::may("reviewRejectType", &Form::Text),
]);
static KYC: Form = Form::Record(&[
    Field::may("applicant_id", &Form::Text),
    Field::may("comment", &Form::Text),
    Field::may("created_at", &Form::Text),
    Field::may("review_answer", &Form::Text),
    Field::may("status", &Form::Text),
]);
static LOCALIZED_TEXT: Form = Form::Record(&[
    Field::may("de", &Form::Text),
    Field::may("en", &Form::Text),
]);
static MAINTAIN_BALANCE_BODY: Form = Form::Record(&[
    Field::must("currency", &Form::Text),
    Field::must("minimum_threshold_amount", &Form::Exact),
    Field::must("payout_address", &Form::Text),
    Field::must("payout_threshold_amount", &Form::Exact),
]);
static MAINTAINED_BALANCE: Form = Form::Record(&[
    Field::must("account", &ACCOUNT_SUMMARY),
    Field::must("currency", &Form::Text),
    Field::must("minimum_threshold_amount", &Form::Exact),
    Field::must("payout_account", &ACCOUNT_SUMMARY),
    Field::must("payout_threshold_amount", &Form::Exact),
]);
static MEMBER: Form = Form::Record(&[
    Field::must("created_at", &Form::Timestamp),
    Field::must("email", &Form::Text),
    Field::must("id", &Form::Text),
    Field::may("installation_operator", &Form::Flag),
    Field::may("invitation_expires_at", &Form::Timestamp),
    Field::may("invitation_url", &Form::Text),
    Field::may("joined_at", &Form::Timestamp),
    Field::may("last_signed_in_at", &Form::Timestamp),
    Field::may("name", &Form::Text),
    Field::may("removed_at", &Form::Timestamp),
    Field::must("role", &Form::Text),
]);
static MEMBER_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&MEMBER)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static MEMBERSHIP: Form = Form::Record(&[
    Field::must("org_id", &Form::Text),
    Field::must("org_name", &Form::Text),
    Field::must("role", &Form::Text),
]);
static MERCHANT: Form = Form::Record(&[
    Field::may("logo_url", &Form::Text),
    Field::must("name", &Form::Text),
]);
static MOVEMENT: Form = Form::Record(&[
    Field::must("account_id", &Form::Integer),
    Field::may("account_reference", &Form::Text),
    Field::must("amount", &Form::Amount),
    Field::may("amount_usd", &Form::Amount),
    Field::may("chain", &CHAIN),
    Field::may("confirmed_at", &Form::Timestamp),
    Field::must("created_at", &Form::Timestamp),
    Field::must("currency", &Form::Text),
    Field::must("direction", &Form::Text),
    Field::may("entity_id", &Form::Text),
    Field::may("failure", &Form::Text),
    Field::may("fee", &Form::Amount),
    Field::may("fee_currency", &Form::Text),
    Field::may("from_address", &Form::Text),
    Field::must("id", &Form::Integer),
    Field::may("reporting_amount", &Form::Amount),
    Field::may("reporting_currency", &Form::Text),
    Field::must("status", &Form::Text),
    Field::may("to_address", &Form::Text),
    Field::may("transaction_hash", &Form::Text),
    Field::must("type", &Form::Text),
]);
static MOVEMENT_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&MOVEMENT)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static NAMED_COMPANY: Form = Form::Record(&[
    Field::may("companyName", &Form::Text),
]);
static NOTE: Form = Form::Record(&[
    Field::must("author", &Form::Text),
    Field::must("created_at", &Form::Timestamp),
    Field::must("id", &Form::Text),
    Field::must("may_delete", &Form::Flag),
    Field::must("record_id", &Form::Text),
    Field::must("record_type", &Form::Text),
    Field::must("text", &Form::Text),
    Field::may("user_id", &Form::Text),
]);
static OPEN_INVITATION_BODY: Form = Form::Record(&[
    Field::must("token", &Form::Text),
]);
static ORGANISATION: Form = Form::Record(&[
    Field::must("created_at", &Form::Timestamp),
    Field::must("id", &Form::Text),
    Field::may("logo_url", &Form::Text),
    Field::must("name", &Form::Text),
    Field::may("owner_user_id", &Form::Text),
    Field::may("partner_id", &Form::Text),
    Field::may("properties", &ORGANISATION_PROPERTIES),
    Field::may("signing_secret_overlap_until", &Form::Timestamp),
    Field::must("updated_at", &Form::Timestamp),
    Field::may("v1", &Form::Free),
    Field::may("webhook_key_overlap_until", &Form::Timestamp),
    Field::may("webhook_paused_at", &Form::Timestamp),
    Field::may("webhook_public_key", &Form::Text),
    Field::may("webhook_url", &Form::Text),
]);
static ORGANISATION_PROPERTIES: Form = Form::Record(&[
    Field::may("checkout_style", &CHECKOUT_STYLE),
    Field::may("currency", &Form::Text),
    Field::may("email_notification_options", &Form::Free),
    Field::may("fee_payer", &Form::Text),
    Field::may("forwarded_email_recipients", &Form::List(&Form::Text)),
    Field::may("is_suspended", &Form::Flag),
    Field::may("kyb", &KYB),
    Field::may("kyc", &KYC),
    Field::may("suspension_type", &Form::Text),
    Field::may("time_zone", &Form::Text),
    Field::may("underpay_thresholds", &UNDERPAY_THRESHOLDS),
]);
static OUTGOING_TRANSACTION: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::must("attempts", &Form::Integer),
    Field::may("block_number", &Form::Integer),
    Field::must("can_raise_fee", &Form::Flag),
    Field::must("chain_id", &Form::Integer),
    Field::must("created_at", &Form::Timestamp),
    Field::must("currency", &Form::Text),
    Field::must("from", &Form::Text),
    Field::must("id", &Form::Integer),
    Field::may("max_fee", &Form::Amount),
    Field::may("max_fee_gwei", &Form::Amount),
    Field::may("nonce", &Form::Integer),
    Field::may("org_id", &Form::Text),
    Field::may("payment_id", &Form::Text),
    Field::must("purpose", &Form::Text),
    Field::must("status", &Form::Text),
    Field::must("to", &Form::Text),
    Field::may("transaction_hash", &Form::Text),
    Field::must("updated_at", &Form::Timestamp),
]);
static OUTGOING_TRANSACTION_LIST: Form = Form::Record(&[
    Field::must("items", &Form::List(&OUTGOING_TRANSACTION)),
    Field::may("next", &Form::Integer),
]);
static OVERVIEW: Form = Form::Record(&[
    Field::must("accounts", &Form::List(&OVERVIEW_ACCOUNT)),
    Field::must("balances", &Form::List(&OVERVIEW_BALANCE)),
    Field::must("deliveries_failed", &Form::Integer),
    Field::must("deliveries_pending", &Form::Integer),
    Field::may("failed_account_id", &Form::Integer),
    Field::must("is_suspended", &Form::Flag),
    Field::may("kyb_status", &Form::Text),
    Field::may("kyc_status", &Form::Text),
    Field::may("last_total_at", &Form::Timestamp),
    Field::may("last_total_usd", &Form::Amount),
    Field::must("movements_failed", &Form::Integer),
    Field::must("movements_pending", &Form::Integer),
    Field::must("now", &Form::Timestamp),
    Field::must("paylinks_active", &Form::Integer),
    Field::must("payments_processing", &Form::Integer),
    Field::must("payouts_awaiting_approval", &Form::Integer),
    Field::may("quote_expires_at", &Form::Timestamp),
    Field::must("quotes_open", &Form::Integer),
    Field::may("reserved_usd", &Form::Amount),
    Field::must("revision", &Form::Integer),
    Field::may("suspension_type", &Form::Text),
    Field::may("total_usd", &Form::Amount),
    Field::must("volume", &Form::List(&DAY_VOLUME)),
]);
static OVERVIEW_ACCOUNT: Form = Form::Record(&[
    Field::must("account_id", &Form::Integer),
    Field::must("amount_usd", &Form::Amount),
    Field::may("chain", &CHAIN),
    Field::may("name", &Form::Text),
    Field::may("reference", &Form::Text),
]);
static OVERVIEW_BALANCE: Form = Form::Record(&[
    Field::may("amount_usd", &Form::Amount),
    Field::must("available", &Form::Amount),
    Field::must("chain", &CHAIN),
    Field::must("currency", &Form::Text),
    Field::must("posted", &Form::Amount),
    Field::must("reserved", &Form::Amount),
]);
static OVERVIEW_BUSINESS: Form = Form::Record(&[
    Field::must("checkouts_paid", &Form::Integer),
    Field::must("checkouts_started", &Form::Integer),
    Field::may("churn_pct", &Form::Amount),
    Field::may("conversion_pct", &Form::Amount),
    Field::must("link_visits", &Form::Integer),
    Field::must("monthly_revenue", &Form::List(&CURRENCY_TOTAL)),
    Field::may("monthly_revenue_usd", &Form::Amount),
    Field::must("payouts", &Form::List(&CURRENCY_TOTAL)),
    Field::must("renewals", &Form::List(&CURRENCY_TOTAL)),
    Field::must("subscriptions_ended", &Form::Integer),
    Field::must("subscriptions_running", &Form::Integer),
    Field::must("subscriptions_running_before", &Form::Integer),
]);
static OVERVIEW_SERIES: Form = Form::Record(&[
    Field::must("current", &SERIES_PART),
    Field::must("metric", &Form::Text),
    Field::may("previous", &SERIES_PART),
]);
static OWNERSHIP_CHALLENGE: Form = Form::Record(&[
    Field::must("account_id", &Form::Integer),
    Field::must("address", &Form::Text),
    Field::must("chain_id", &Form::Integer),
    Field::must("expires_at", &Form::Timestamp),
    Field::must("message", &Form::Text),
]);
static PAY_FROM_TEST_WALLET_BODY: Form = Form::Record(&[
    Field::may("amount", &Form::Amount),
]);
static PAY_IN_ADDRESS: Form = Form::Record(&[
    Field::must("account_id", &Form::Integer),
    Field::must("address", &Form::Text),
    Field::must("chain_id", &Form::Integer),
    Field::must("created_at", &Form::Timestamp),
    Field::must("currencies", &Form::List(&Form::Text)),
    Field::may("customer_id", &Form::Text),
    Field::may("reference", &Form::Text),
]);
static PAY_IN_ADDRESS_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&PAY_IN_ADDRESS)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAYER_FEES: Form = Form::Record(&[
    Field::must("limit_per_day", &Form::Amount),
    Field::must("used_today", &Form::Amount),
]);
static PAYLINK: Form = Form::Record(&[
    Field::may("after_completion", &AFTER_COMPLETION),
    Field::must("created_at", &Form::Timestamp),
    Field::may("created_by", &Form::Text),
    Field::must("customer_ident_collection", &Form::Flag),
    Field::may("deleted_at", &Form::Timestamp),
    Field::must("enabled", &Form::Flag),
    Field::must("id", &Form::Text),
    Field::may("invoice_id", &Form::Text),
    Field::may("metadata", &Form::Free),
    Field::may("plan", &PLAN),
    Field::must("plan_id", &Form::Text),
    Field::may("properties", &Form::Free),
    Field::must("shipping_address_collection", &Form::Flag),
    Field::may("source", &Form::Text),
    Field::may("state", &Form::Text),
    Field::may("statistics", &PAYLINK_STATISTICS),
    Field::must("tax_ident_collection", &Form::Flag),
    Field::must("updated_at", &Form::Timestamp),
    Field::may("updated_by", &Form::Text),
    Field::must("url", &Form::Text),
]);
static PAYLINK_DAY: Form = Form::Record(&[
    Field::must("checkouts_started", &Form::Integer),
    Field::must("date", &Form::Text),
    Field::must("payments", &Form::Integer),
    Field::must("visits", &Form::Integer),
]);
static PAYLINK_METADATA: Form = Form::Record(&[
    Field::may("after_completion", &AFTER_COMPLETION),
    Field::may("customer_fields", &Form::List(&Form::Text)),
    Field::may("omit_possible_duplicate_acknowledgement", &Form::Flag),
    Field::may("payment_method_types", &Form::List(&Form::Text)),
    Field::may("variable_mode_only", &Form::Flag),
]);
static PAYLINK_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&PAYLINK)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAYLINK_PLAN_UPDATE: Form = Form::Record(&[
    Field::may("description", &Form::Text),
    Field::may("image_url", &Form::Text),
    Field::may("name", &Form::Text),
]);
static PAYLINK_STATISTICS: Form = Form::Record(&[
    Field::must("checkouts_started", &Form::Integer),
    Field::may("conversion_pct", &Form::Amount),
    Field::must("days", &Form::List(&PAYLINK_DAY)),
    Field::must("payments", &Form::Integer),
    Field::must("visits", &Form::Integer),
]);
static PAYLINK_UPDATE: Form = Form::Record(&[
    Field::may("after_completion", &AFTER_COMPLETION),
    Field::may("enabled", &Form::Flag),
    Field::must("id", &Form::Text),
    Field::may("metadata", &PAYLINK_METADATA),
    Field::may("plan", &PAYLINK_PLAN_UPDATE),
]);
static PAYMENT: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::may("amount_usd", &Form::Amount),
    Field::may("approval", &PAYOUT_APPROVAL),
    Field::may("cf_headers", &Form::Free),
    Field::may("chain_id", &Form::Integer),
    Field::must("created_at", &Form::Timestamp),
    Field::may("crypto_transaction", &TRANSACTION_SUMMARY),
    Field::may("crypto_transactions", &Form::List(&CRYPTO_TRANSACTION)),
    Field::must("currency", &Form::Text),
    Field::may("customer", &CUSTOMER),
    Field::may("customer_id", &Form::Text),
    Field::may("deposit_address", &Form::Text),
    Field::may("expires_at", &Form::Timestamp),
    Field::may("fee_amount", &Form::Amount),
    Field::may("from_account", &ACCOUNT_SUMMARY),
    Field::may("gross_amount", &Form::Amount),
    Field::must("id", &Form::Text),
    Field::may("invoice_id", &Form::Text),
    Field::may("metadata", &Form::Free),
    Field::may("net_amount", &Form::Amount),
    Field::may("network_fee", &Form::Amount),
    Field::may("network_fee_currency", &Form::Text),
    Field::may("network_fee_usd", &Form::Amount),
    Field::may("next_action", &Form::Text),
    Field::must("org_id", &Form::Text),
    Field::must("paid_amount", &Form::Amount),
    Field::may("parent_id", &Form::Text),
    Field::may("payment_link", &PAYLINK),
    Field::must("payment_method", &Form::Text),
    Field::may("payout_splits", &Form::List(&PAYOUT_SPLIT)),
    Field::may("prepared_transaction", &PREPARED_TRANSACTION),
    Field::may("properties", &Form::Free),
    Field::may("reason", &Form::Text),
    Field::may("reference", &Form::Text),
    Field::may("refunded_amount", &Form::Amount),
    Field::may("refunding_amount", &Form::Amount),
    Field::may("scheduled_time", &Form::Integer),
    Field::may("sender_address", &Form::Text),
    Field::may("settlement_transaction", &TRANSACTION_SUMMARY),
    Field::may("source", &Form::Text),
    Field::must("status", &Form::Text),
    Field::may("test_network", &Form::Flag),
    Field::may("timeline", &Form::List(&TIMELINE_ENTRY)),
    Field::may("to_account", &ACCOUNT_SUMMARY),
    Field::must("updated_at", &Form::Timestamp),
]);
static PAYMENT_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&PAYMENT)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAYMENT_TIMELINE_ENTRY: Form = Form::Record(&[
    Field::must("at", &Form::Timestamp),
    Field::may("event", &TIMELINE_EVENT),
    Field::may("note", &NOTE),
    Field::may("refund", &TIMELINE_REFUND),
    Field::may("status", &Form::Text),
    Field::may("transaction", &TIMELINE_TRANSACTION),
    Field::must("type", &Form::Text),
]);
static PAYMENT_TIMELINE_ENTRY_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&PAYMENT_TIMELINE_ENTRY)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAYOUT_APPROVAL: Form = Form::Record(&[
    Field::may("decided_at", &Form::Timestamp),
    Field::may("decided_by", &Form::Text),
    Field::may("excess", &Form::Amount),
    Field::must("limit", &Form::Amount),
    Field::must("limit_scope", &Form::Text),
    Field::must("limit_type", &Form::Text),
    Field::may("requested_by", &Form::Text),
]);
static PAYOUT_ESTIMATE: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::must("available", &Form::Amount),
    Field::must("covered", &Form::Flag),
    Field::must("currency", &Form::Text),
    Field::must("fee", &Form::Amount),
    Field::must("fee_currency", &Form::Text),
    Field::must("service_fee", &Form::Amount),
]);
static PAYOUT_SPLIT: Form = Form::Record(&[
    Field::may("address", &Form::Text),
    Field::must("amount", &Form::Amount),
    Field::may("chain_id", &Form::Integer),
    Field::must("currency", &Form::Text),
    Field::may("destination_account_id", &Form::Integer),
    Field::may("reference", &Form::Text),
]);
static PLAN: Form = Form::Record(&[
    Field::may("available_quantity", &Form::Integer),
    Field::must("billing_scheme", &Form::Text),
    Field::must("created_at", &Form::Timestamp),
    Field::may("created_by", &Form::Text),
    Field::must("currency", &Form::Text),
    Field::may("deleted_at", &Form::Timestamp),
    Field::may("description", &Form::Text),
    Field::must("enabled", &Form::Flag),
    Field::may("expires_at", &Form::Timestamp),
    Field::may("held_quantity", &Form::Integer),
    Field::must("id", &Form::Text),
    Field::may("image_url", &Form::Text),
    Field::may("metadata", &Form::Free),
    Field::must("name", &Form::Text),
    Field::must("org_id", &Form::Text),
    Field::may("payment_link", &PAYLINK),
    Field::must("price", &Form::Amount),
    Field::may("properties", &Form::Free),
    Field::must("recurring_interval", &Form::Text),
    Field::may("recurring_interval_count", &Form::Integer),
    Field::must("recurring_usage_type", &Form::Text),
    Field::may("reference", &Form::Text),
    Field::may("source", &Form::Text),
    Field::may("trial_period", &Form::Text),
    Field::must("type", &Form::Text),
    Field::must("updated_at", &Form::Timestamp),
]);
static PLAN_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&PLAN)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PREPARED_TRANSACTION: Form = Form::Record(&[
    Field::must("chain_id", &Form::Integer),
    Field::must("data", &Form::Text),
    Field::may("derivation_index", &Form::Integer),
    Field::must("from", &Form::Text),
    Field::must("link", &Form::Text),
    Field::must("to", &Form::Text),
    Field::must("value", &Form::Text),
]);
static PROVE_OWNERSHIP_BODY: Form = Form::Record(&[
    Field::must("signature", &Form::Text),
]);
static PROVIDER_REPORT: Form = Form::Record(&[
    Field::may("head", &Form::Integer),
    Field::must("host", &Form::Text),
    Field::may("lag", &Form::Integer),
    Field::may("last_error", &Form::Text),
    Field::may("last_error_at", &Form::Timestamp),
    Field::may("last_success_at", &Form::Timestamp),
    Field::must("ready", &Form::Flag),
]);
static QR_CODE: Form = Form::Record(&[
    Field::must("path", &Form::Text),
    Field::must("size", &Form::Integer),
]);
static QUICK_TRADE: Form = Form::Record(&[
    Field::may("account_id", &Form::Integer),
    Field::must("created_at", &Form::Timestamp),
    Field::may("deposit_instruction", &Form::Free),
    Field::must("effective_rate", &Form::Amount),
    Field::may("fees", &Form::Free),
    Field::must("from_amount", &Form::Amount),
    Field::may("from_chain_id", &Form::Integer),
    Field::must("from_currency", &Form::Text),
    Field::may("order_id", &Form::Text),
    Field::may("properties", &Form::Free),
    Field::may("quote_id", &Form::Text),
    Field::may("reason", &Form::Text),
    Field::may("reference", &Form::Text),
    Field::may("settlement_instruction", &Form::Free),
    Field::must("side", &Form::Text),
    Field::must("status", &Form::Text),
    Field::must("to_amount", &Form::Amount),
    Field::may("to_chain_id", &Form::Integer),
    Field::must("to_currency", &Form::Text),
]);
static QUICK_TRADE_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&QUICK_TRADE)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static QUOTE: Form = Form::Record(&[
    Field::may("accepted_at", &Form::Timestamp),
    Field::may("account_id", &Form::Integer),
    Field::must("buy_asset", &QUOTE_ASSET),
    Field::must("created_at", &Form::Timestamp),
    Field::may("deposit_instruction", &DEPOSIT_INSTRUCTION),
    Field::may("expires_at", &Form::Timestamp),
    Field::may("fees", &QUOTE_FEES),
    Field::must("id", &Form::Text),
    Field::may("internal", &Form::Free),
    Field::must("mode", &Form::Text),
    Field::must("org_id", &Form::Text),
    Field::may("properties", &Form::Free),
    Field::may("rate", &QUOTE_RATE),
    Field::may("rejected_at", &Form::Timestamp),
    Field::must("sell_assets", &Form::List(&QUOTE_ASSET)),
    Field::may("settlement_instruction", &SETTLEMENT_INSTRUCTION),
    Field::may("source", &Form::Text),
    Field::must("status", &Form::Text),
    Field::may("ttl_at", &Form::Timestamp),
    Field::must("type", &Form::Text),
    Field::must("updated_at", &Form::Timestamp),
]);
static QUOTE_ASSET: Form = Form::Record(&[
    Field::must("amount", &Form::Exact),
    Field::may("chain_id", &Form::Integer),
    Field::must("symbol", &Form::Text),
    Field::may("token_address", &Form::Text),
]);
static QUOTE_FEES: Form = Form::Record(&[
    Field::may("breakdown", &Form::Free),
    Field::may("fee_currency", &Form::Text),
    Field::must("total_fee", &Form::Exact),
]);
static QUOTE_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&QUOTE)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static QUOTE_RATE: Form = Form::Record(&[
    Field::may("buy_currency_cad_rate", &Form::Exact),
    Field::may("cad_value", &Form::Exact),
    Field::must("effective_rate", &Form::Exact),
    Field::may("sell_currency_cad_rates", &Form::Free),
    Field::may("usd_value", &Form::Exact),
]);
static RAISE_TRANSACTION_FEE_BODY: Form = Form::Record(&[
    Field::must("attempts", &Form::Integer),
]);
static RATE: Form = Form::Record(&[
    Field::must("currency", &Form::Text),
    Field::may("gap", &Form::Text),
    Field::may("last_at", &Form::Timestamp),
    Field::may("last_usd", &Form::Amount),
    Field::may("priced_at", &Form::Timestamp),
    Field::must("sources", &Form::List(&SOURCE_RATE)),
    Field::may("usd", &Form::Amount),
]);
static RATE_LIST: Form = Form::Record(&[
    Field::must("items", &Form::List(&RATE)),
    Field::must("sources", &Form::List(&RATE_SOURCE)),
]);
static RATE_SOURCE: Form = Form::Record(&[
    Field::may("failing_since", &Form::Timestamp),
    Field::may("last_error", &Form::Text),
    Field::may("paused_until", &Form::Timestamp),
    Field::must("source", &Form::Text),
    Field::must("status", &Form::Text),
    Field::may("succeeded_at", &Form::Timestamp),
]);
static REFUND_PAYMENT_BODY: Form = Form::Record(&[
    Field::may("address", &Form::Text),
    Field::may("amount", &Form::Amount),
    Field::may("reason", &Form::Text),
]);
static REFUSE_ORDER_BODY: Form = Form::Record(&[
    Field::must("order_id", &Form::Text),
]);
static REORGANISE_CHAIN_BODY: Form = Form::Record(&[
    Field::may("returns", &Form::Flag),
    Field::must("transaction_hash", &Form::Text),
]);
static REPLAY: Form = Form::Record(&[
    Field::must("created_at", &Form::Timestamp),
    Field::must("id", &Form::Text),
    Field::must("queued", &Form::Integer),
    Field::must("status", &Form::Text),
    Field::must("total", &Form::Integer),
    Field::must("updated_at", &Form::Timestamp),
]);
static REPLAY_COUNT: Form = Form::Record(&[
    Field::must("count", &Form::Integer),
]);
static RESOLVED_CHECKOUT_STYLE: Form = Form::Record(&[
    Field::may("accent_color", &Form::Text),
    Field::may("accent_color_dark", &Form::Text),
    Field::may("appearance", &Form::Text),
    Field::may("language", &Form::Text),
    Field::may("note", &LOCALIZED_TEXT),
    Field::may("support", &LOCALIZED_TEXT),
]);
static ROTATE_SIGNING_SECRET_BODY: Form = Form::Record(&[
    Field::may("revoke_old", &Form::Flag),
]);
static ROTATE_WEBHOOK_KEY_BODY: Form = Form::Record(&[
    Field::may("revoke_old", &Form::Flag),
]);
static SAVED_VIEW: Form = Form::Record(&[
    Field::must("created_at", &Form::Timestamp),
    Field::must("id", &Form::Text),
    Field::must("may_change", &Form::Flag),
    Field::must("name", &Form::Text),
    Field::must("page", &Form::Text),
    Field::must("query", &Form::Text),
    Field::must("shared", &Form::Flag),
    Field::must("updated_at", &Form::Timestamp),
    Field::may("user_id", &Form::Text),
]);
static SERIES_PART: Form = Form::Record(&[
    Field::must("from", &Form::Text),
    Field::must("missing_days", &Form::Integer),
    Field::must("points", &Form::List(&SERIES_POINT)),
    Field::may("sum_usd", &Form::Amount),
    Field::must("to", &Form::Text),
]);
static SERIES_POINT: Form = Form::Record(&[
    Field::must("amount_usd", &Form::Amount),
    Field::must("date", &Form::Text),
]);
static SESSION: Form = Form::Record(&[
    Field::must("chains_connected", &Form::Flag),
    Field::must("csrf_token", &Form::Text),
    Field::must("expires_at", &Form::Timestamp),
    Field::may("installation_operator", &Form::Flag),
    Field::must("now", &Form::Timestamp),
    Field::must("org_id", &Form::Text),
    Field::must("org_name", &Form::Text),
    Field::may("organisations", &Form::List(&MEMBERSHIP)),
    Field::must("sandbox", &Form::Flag),
    Field::must("user", &USER),
    Field::must("venues_connected", &Form::Flag),
]);
static SET_PRICE_BODY: Form = Form::Record(&[
    Field::must("currency", &Form::Text),
    Field::must("usd", &Form::Amount),
]);
static SETTLEMENT_INSTRUCTION: Form = Form::Record(&[
    Field::may("account_id", &Form::Integer),
    Field::may("address", &Form::Text),
    Field::may("chain_id", &Form::Integer),
    Field::must("type", &Form::Text),
]);
static SIGNING_SECRET: Form = Form::Record(&[
    Field::must("created_at", &Form::Timestamp),
    Field::must("id", &Form::Text),
    Field::may("logo_url", &Form::Text),
    Field::must("name", &Form::Text),
    Field::may("owner_user_id", &Form::Text),
    Field::may("partner_id", &Form::Text),
    Field::must("signing_secret", &Form::Text),
    Field::may("signing_secret_overlap_until", &Form::Timestamp),
    Field::must("updated_at", &Form::Timestamp),
    Field::may("webhook_public_key", &Form::Text),
    Field::may("webhook_url", &Form::Text),
]);
static SIMULATED_PRICE: Form = Form::Record(&[
    Field::must("currency", &Form::Text),
    Field::must("usd", &Form::Amount),
]);
static SOURCE_RATE: Form = Form::Record(&[
    Field::may("priced_at", &Form::Timestamp),
    Field::must("source", &Form::Text),
    Field::must("status", &Form::Text),
    Field::may("usd", &Form::Amount),
]);
static START_CHECKOUT_BODY: Form = Form::Record(&[
    Field::must("chain_id", &Form::Integer),
    Field::must("currency", &Form::Text),
    Field::may("customer_ident", &Form::Text),
    Field::may("email", &Form::Text),
    Field::may("name", &Form::Text),
    Field::may("shipping_address", &Form::Text),
    Field::may("tax_ident", &Form::Text),
]);
static STATUS_COUNT: Form = Form::Record(&[
    Field::must("count", &Form::Integer),
    Field::must("status", &Form::Text),
]);
static STEP_UP: Form = Form::Record(&[
    Field::must("expires_at", &Form::Timestamp),
    Field::must("token", &Form::Text),
]);
static SUB_MERCHANT: Form = Form::Record(&[
    Field::may("balance_usd", &Form::Amount),
    Field::must("created_at", &Form::Timestamp),
    Field::must("id", &Form::Text),
    Field::must("name", &Form::Text),
    Field::may("reserved_usd", &Form::Amount),
    Field::must("suspended", &Form::Flag),
]);
static SUB_MERCHANT_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&SUB_MERCHANT)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static SUBSCRIPTION: Form = Form::Record(&[
    Field::must("cancel_at_period_end", &Form::Flag),
    Field::must("created_at", &Form::Timestamp),
    Field::must("currency", &Form::Text),
    Field::may("customer", &CUSTOMER),
    Field::must("customer_id", &Form::Text),
    Field::must("id", &Form::Text),
    Field::must("is_overdue", &Form::Flag),
    Field::must("items", &Form::List(&SUBSCRIPTION_ITEM)),
    Field::may("metadata", &Form::Free),
    Field::must("org_id", &Form::Text),
    Field::must("payment_method", &Form::Text),
    Field::may("period_end", &Form::Timestamp),
    Field::may("properties", &Form::Free),
    Field::may("reference", &Form::Text),
    Field::may("source", &Form::Text),
    Field::must("start_at", &Form::Timestamp),
    Field::must("status", &Form::Text),
    Field::may("trial_ends_at", &Form::Timestamp),
    Field::must("updated_at", &Form::Timestamp),
    Field::may("v1", &Form::Free),
]);
static SUBSCRIPTION_ITEM: Form = Form::Record(&[
    Field::must("created_at", &Form::Timestamp),
    Field::must("id", &Form::Text),
    Field::may("plan", &PLAN),
    Field::must("plan_id", &Form::Text),
    Field::may("properties", &Form::Free),
    Field::must("subscription_id", &Form::Text),
    Field::must("updated_at", &Form::Timestamp),
    Field::may("v1", &Form::Free),
]);
static SUBSCRIPTION_PAGE: Form = Form::Record(&[
    Field::may("counts", &Form::List(&STATUS_COUNT)),
    Field::must("items", &Form::List(&SUBSCRIPTION)),
    Field::may("last_update", &Form::Timestamp),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static SWITCH_ORGANISATION_BODY: Form = Form::Record(&[
    Field::must("org_id", &Form::Text),
]);
static TIMELINE_ENTRY: Form = Form::Record(&[
    Field::must("at", &Form::Timestamp),
    Field::must("status", &Form::Text),
]);
static TIMELINE_EVENT: Form = Form::Record(&[
    Field::must("action", &Form::Text),
    Field::must("attempts", &Form::Integer),
    Field::must("delivery_status", &Form::Text),
    Field::must("id", &Form::Text),
    Field::may("next_attempt_at", &Form::Timestamp),
    Field::must("type", &Form::Text),
    Field::may("webhook_sent_at", &Form::Timestamp),
]);
static TIMELINE_REFUND: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::must("currency", &Form::Text),
    Field::must("payment_id", &Form::Text),
    Field::may("reason", &Form::Text),
    Field::must("status", &Form::Text),
]);
static TIMELINE_TRANSACTION: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::may("block_number", &Form::Integer),
    Field::must("chain_id", &Form::Integer),
    Field::may("confirmations", &Form::Integer),
    Field::may("confirmations_required", &Form::Integer),
    Field::must("currency", &Form::Text),
    Field::must("status", &Form::Text),
    Field::must("transaction_hash", &Form::Text),
    Field::must("type", &Form::Text),
]);
static TRADABLE_ASSET: Form = Form::Record(&[
    Field::must("chain_id", &Form::Integer),
    Field::must("currency", &Form::Text),
]);
static TRADE_CURRENCIES: Form = Form::Record(&[
    Field::must("currencies", &Form::List(&TRADE_CURRENCY)),
    Field::must("payment_methods", &Form::List(&Form::Text)),
]);
static TRADE_CURRENCY: Form = Form::Record(&[
    Field::must("chain_ids", &Form::List(&Form::Integer)),
    Field::must("scale", &Form::Integer),
    Field::must("symbol", &Form::Text),
]);
static TRANSACTION_SUMMARY: Form = Form::Record(&[
    Field::may("block_number", &Form::Integer),
    Field::must("chain_id", &Form::Integer),
    Field::may("confirmations", &Form::Integer),
    Field::may("confirmations_required", &Form::Integer),
    Field::must("created_at", &Form::Timestamp),
    Field::must("payment_id", &Form::Text),
    Field::must("status", &Form::Text),
    Field::must("transaction_hash", &Form::Text),
    Field::must("type", &Form::Text),
    Field::must("updated_at", &Form::Timestamp),
]);
static TRANSFER_LOG: Form = Form::Record(&[
    Field::must("address", &Form::Text),
    Field::must("recipient", &Form::Text),
    Field::must("sender", &Form::Text),
    Field::must("value", &Form::Text),
]);
static UNCONFIGURED_TOKEN: Form = Form::Record(&[
    Field::must("contract", &Form::Text),
    Field::must("last_block", &Form::Integer),
    Field::must("transfers", &Form::Integer),
]);
static UNDERPAY_THRESHOLDS: Form = Form::Record(&[
    Field::may("underpay_tolerance_amount", &Form::Exact),
    Field::may("underpay_tolerance_currency", &Form::Text),
    Field::may("underpay_tolerance_usd", &Form::Exact),
]);
static UNSIGNED_TRANSACTION: Form = Form::Record(&[
    Field::must("data", &Form::Text),
    Field::must("decimals", &Form::Integer),
    Field::must("to", &Form::Text),
    Field::may("token_address", &Form::Text),
    Field::must("units", &Form::Text),
    Field::must("value", &Form::Text),
]);
static UNSWEPT: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::must("currency", &Form::Text),
    Field::must("proxies", &Form::Integer),
]);
static UNSWEPT_PROXY: Form = Form::Record(&[
    Field::must("address", &Form::Text),
    Field::must("amount", &Form::Amount),
    Field::must("currency", &Form::Text),
    Field::must("destination", &Form::Text),
    Field::must("sweep_at", &Form::Timestamp),
]);
static UNSWEPT_PROXY_LIST: Form = Form::Record(&[
    Field::must("items", &Form::List(&UNSWEPT_PROXY)),
    Field::may("next", &Form::Text),
]);
static UPDATE_AUTOMATION_BODY: Form = Form::Record(&[
    Field::may("amount", &Form::Amount),
    Field::may("enabled", &Form::Flag),
    Field::may("schedule", &AUTOMATION_SCHEDULE),
]);
static UPDATE_CUSTOMER_BODY: Form = Form::Record(&[
    Field::may("customer_ident", &Form::Text),
    Field::may("discord", &Form::Text),
    Field::may("email", &Form::Text),
    Field::may("name", &Form::Text),
    Field::may("number", &Form::Text),
    Field::may("twitter", &Form::Text),
    Field::may("wallet_address", &Form::Text),
]);
static UPDATE_INSTALLATION_CHAIN_BODY: Form = Form::Record(&[
    Field::must("paused", &Form::Flag),
]);
static UPDATE_MEMBER_BODY: Form = Form::Record(&[
    Field::must("role", &Form::Text),
]);
static UPDATE_ORGANISATION_BODY: Form = Form::Record(&[
    Field::may("checkout_style", &CHECKOUT_STYLE),
    Field::may("currency", &Form::Text),
    Field::may("email_notification_options", &Form::Free),
    Field::may("fee_payer", &Form::Text),
    Field::may("forwarded_email_recipients", &Form::List(&Form::Text)),
    Field::may("logo_url", &Form::Text),
    Field::may("name", &Form::Text),
    Field::may("time_zone", &Form::Text),
    Field::may("underpay_thresholds", &UNDERPAY_THRESHOLDS),
    Field::may("webhook_url", &Form::Text),
]);
static UPDATE_PASSWORD_BODY: Form = Form::Record(&[
    Field::must("new_password", &Form::Text),
]);
static UPDATE_PAYLINKS_BODY: Form = Form::Record(&[
    Field::must("items", &Form::List(&PAYLINK_UPDATE)),
]);
static UPDATE_SAVED_VIEW_BODY: Form = Form::Record(&[
    Field::may("name", &Form::Text),
    Field::may("query", &Form::Text),
    Field::may("shared", &Form::Flag),
]);
static UPDATE_VIRTUAL_ACCOUNT_BODY: Form = Form::Record(&[
    Field::may("chains", &Form::List(&VIRTUAL_CHAIN)),
    Field::may("deposit_splits", &Form::List(&DEPOSIT_SPLIT)),
    Field::may("disable_chains", &Form::List(&Form::Integer)),
    Field::may("reference", &Form::Text),
]);
static USER: Form = Form::Record(&[
    Field::must("email", &Form::Text),
    Field::must("id", &Form::Text),
    Field::must("name", &Form::Text),
    Field::must("role", &Form::Text),
]);
static VIRTUAL_CHAIN: Form = Form::Record(&[
    Field::may("address", &Form::Text),
    Field::must("chain_id", &Form::Integer),
    Field::must("currencies", &Form::List(&Form::Text)),
    Field::may("xpub", &Form::Text),
]);
static WALLET_LINK: Form = Form::Record(&[
    Field::must("name", &Form::Text),
    Field::must("url", &Form::Text),
]);
static WALLET_LINK_TEMPLATE: Form = Form::Record(&[
    Field::must("name", &Form::Text),
    Field::must("template", &Form::Text),
]);

/// Forms of the operations, by name.
pub(crate) const OPERATIONS: &[(&str, Forms)] = &[
    ("AcceptInvitation", Forms { answer: &SESSION, body: &ACCEPT_INVITATION_BODY }),
    ("AcceptQuote", Forms { answer: &QUICK_TRADE, body: &ACCEPT_QUOTE_BODY }),
    ("AdvanceClock", Forms { answer: &CLOCK, body: &ADVANCE_CLOCK_BODY }),
    ("ApprovePayout", Forms { answer: &PAYMENT, body: &Form::Free }),
    ("AuthorizePayment", Forms { answer: &CHECKOUT_PAYMENT, body: &AUTHORIZE_PAYMENT_BODY }),
    ("CancelPayment", Forms { answer: &PAYMENT, body: &Form::Free }),
    ("CancelReplay", Forms { answer: &REPLAY, body: &Form::Free }),
    ("CancelSubscription", Forms { answer: &SUBSCRIPTION, body: &CANCEL_SUBSCRIPTION_BODY }),
    ("ConvertBalance", Forms { answer: &AUTOMATION, body: &CONVERT_BALANCE_BODY }),
    ("CountReplay", Forms { answer: &REPLAY_COUNT, body: &Form::Free }),
    ("CreateAccount", Forms { answer: &ACCOUNT, body: &CREATE_ACCOUNT_BODY }),
    ("CreateApiKey", Forms { answer: &API_KEY, body: &CREATE_API_KEY_BODY }),
    ("CreateDeposit", Forms { answer: &DEPOSIT, body: &CREATE_DEPOSIT_BODY }),
    ("CreateExternalAccount", Forms { answer: &EXTERNAL_ACCOUNT, body: &CREATE_EXTERNAL_ACCOUNT_BODY }),
    ("CreateFault", Forms { answer: &FAULT, body: &CREATE_FAULT_BODY }),
    ("CreateInvoice", Forms { answer: &INVOICE, body: &CREATE_INVOICE_BODY }),
    ("CreateNote", Forms { answer: &NOTE, body: &CREATE_NOTE_BODY }),
    ("CreateOwnershipChallenge", Forms { answer: &OWNERSHIP_CHALLENGE, body: &Form::Free }),
    ("CreatePayInAddress", Forms { answer: &PAY_IN_ADDRESS, body: &CREATE_PAY_IN_ADDRESS_BODY }),
    ("CreatePaylink", Forms { answer: &PAYLINK, body: &CREATE_PAYLINK_BODY }),
    ("CreatePayment", Forms { answer: &PAYMENT, body: &CREATE_PAYMENT_BODY }),
    ("CreatePayout", Forms { answer: &PAYMENT, body: &CREATE_PAYOUT_BODY }),
    ("CreatePlan", Forms { answer: &PLAN, body: &CREATE_PLAN_BODY }),
    ("CreateQuickTrade", Forms { answer: &QUICK_TRADE, body: &CREATE_QUICK_TRADE_BODY }),
    ("CreateReplay", Forms { answer: &REPLAY, body: &CREATE_REPLAY_BODY }),
    ("CreateSavedView", Forms { answer: &SAVED_VIEW, body: &CREATE_SAVED_VIEW_BODY }),
    ("CreateSession", Forms { answer: &SESSION, body: &CREATE_SESSION_BODY }),
    ("CreateStepUp", Forms { answer: &STEP_UP, body: &CREATE_STEP_UP_BODY }),
    ("CreateSubscription", Forms { answer: &SUBSCRIPTION, body: &CREATE_SUBSCRIPTION_BODY }),
    ("CreateTestEvent", Forms { answer: &EVENT, body: &CREATE_TEST_EVENT_BODY }),
    ("CreateVirtualAccount", Forms { answer: &ACCOUNT, body: &CREATE_VIRTUAL_ACCOUNT_BODY }),
    ("CreateWalletLink", Forms { answer: &Form::List(&WALLET_LINK_TEMPLATE), body: &CREATE_WALLET_LINK_BODY }),
    ("DeleteAccount", Forms { answer: &ACCOUNT, body: &Form::Free }),
    ("DeleteAutomation", Forms { answer: &AUTOMATION, body: &Form::Free }),
    ("DeleteExternalAccount", Forms { answer: &EXTERNAL_ACCOUNT, body: &Form::Free }),
    ("DeleteNote", Forms { answer: &NOTE, body: &Form::Free }),
    ("DeletePaylink", Forms { answer: &Form::Text, body: &Form::Free }),
    ("DeleteSavedView", Forms { answer: &SAVED_VIEW, body: &Form::Free }),
    ("DeleteSession", Forms { answer: &Form::Text, body: &Form::Free }),
    ("DeleteWalletLink", Forms { answer: &Form::List(&WALLET_LINK_TEMPLATE), body: &Form::Free }),
    ("EmptyInbox", Forms { answer: &EMPTIED_INBOX, body: &Form::Free }),
    ("EstimatePayout", Forms { answer: &PAYOUT_ESTIMATE, body: &Form::Free }),
    ("FailPayout", Forms { answer: &PAYMENT, body: &FAIL_PAYOUT_BODY }),
    ("FindRecords", Forms { answer: &Form::List(&FOUND), body: &Form::Free }),
    ("GetAccount", Forms { answer: &ACCOUNT, body: &Form::Free }),
    ("GetCheckout", Forms { answer: &CHECKOUT, body: &Form::Free }),
    ("GetCheckoutPayment", Forms { answer: &CHECKOUT_PAYMENT, body: &Form::Free }),
    ("GetCurrencies", Forms { answer: &TRADE_CURRENCIES, body: &Form::Free }),
    ("GetCustomer", Forms { answer: &CUSTOMER, body: &Form::Free }),
    ("GetEvent", Forms { answer: &EVENT, body: &Form::Free }),
    ("GetExternalAccount", Forms { answer: &EXTERNAL_ACCOUNT, body: &Form::Free }),
    ("GetInvoice", Forms { answer: &INVOICE, body: &Form::Free }),
    ("GetMovement", Forms { answer: &MOVEMENT, body: &Form::Free }),
    ("GetOrder", Forms { answer: &QUICK_TRADE, body: &Form::Free }),
    ("GetOrganisation", Forms { answer: &ORGANISATION, body: &Form::Free }),
    ("GetOverview", Forms { answer: &OVERVIEW, body: &Form::Free }),
    ("GetOverviewBusiness", Forms { answer: &OVERVIEW_BUSINESS, body: &Form::Free }),
    ("GetOverviewSeries", Forms { answer: &OVERVIEW_SERIES, body: &Form::Free }),
    ("GetPartnerAccount", Forms { answer: &ACCOUNT, body: &Form::Free }),
    ("GetPaylink", Forms { answer: &PAYLINK, body: &Form::Free }),
    ("GetPayment", Forms { answer: &PAYMENT, body: &Form::Free }),
    ("GetPaymentTimeline", Forms { answer: &PAYMENT_TIMELINE_ENTRY_PAGE, body: &Form::Free }),
    ("GetPlan", Forms { answer: &PLAN, body: &Form::Free }),
    ("GetQuote", Forms { answer: &QUOTE, body: &Form::Free }),
    ("GetReplay", Forms { answer: &REPLAY, body: &Form::Free }),
    ("GetSession", Forms { answer: &SESSION, body: &Form::Free }),
    ("GetSigningSecret", Forms { answer: &SIGNING_SECRET, body: &Form::Free }),
    ("GetSubscription", Forms { answer: &SUBSCRIPTION, body: &Form::Free }),
    ("InviteMember", Forms { answer: &MEMBER, body: &INVITE_MEMBER_BODY }),
    ("InviteMemberAgain", Forms { answer: &MEMBER, body: &Form::Free }),
    ("ListAccounts", Forms { answer: &ACCOUNT_PAGE, body: &Form::Free }),
    ("ListAllMovements", Forms { answer: &MOVEMENT_PAGE, body: &Form::Free }),
    ("ListApiKeys", Forms { answer: &API_KEY_PAGE, body: &Form::Free }),
    ("ListAttempts", Forms { answer: &Form::List(&ATTEMPT), body: &Form::Free }),
    ("ListAutomations", Forms { answer: &AUTOMATION_PAGE, body: &Form::Free }),
    ("ListBalances", Forms { answer: &Form::List(&ACCOUNT_BALANCE), body: &Form::Free }),
    ("ListChains", Forms { answer: &Form::List(&CHAIN_DETAIL), body: &Form::Free }),
    ("ListCustomers", Forms { answer: &CUSTOMER_ITEM_PAGE, body: &Form::Free }),
    ("ListEvents", Forms { answer: &EVENT_PAGE, body: &Form::Free }),
    ("ListExternalAccounts", Forms { answer: &EXTERNAL_ACCOUNT_PAGE, body: &Form::Free }),
    ("ListHotWallets", Forms { answer: &Form::List(&HOT_WALLET), body: &Form::Free }),
    ("ListInbox", Forms { answer: &INBOX_MESSAGE_PAGE, body: &Form::Free }),
    ("ListInstallationChains", Forms { answer: &Form::List(&INSTALLATION_CHAIN), body: &Form::Free }),
    ("ListInstruments", Forms { answer: &Form::List(&INSTRUMENT), body: &Form::Free }),
    ("ListInvoices", Forms { answer: &INVOICE_PAGE, body: &Form::Free }),
    ("ListMembers", Forms { answer: &MEMBER_PAGE, body: &Form::Free }),
    ("ListMovements", Forms { answer: &MOVEMENT_PAGE, body: &Form::Free }),
    ("ListNotes", Forms { answer: &Form::List(&NOTE), body: &Form::Free }),
    ("ListOrders", Forms { answer: &QUICK_TRADE_PAGE, body: &Form::Free }),
    ("ListOutgoingTransactions", Forms { answer: &OUTGOING_TRANSACTION_LIST, body: &Form::Free }),
    ("ListPartnerBalances", Forms { answer: &BALANCES, body: &Form::Free }),
    ("ListPayInAddresses", Forms { answer: &PAY_IN_ADDRESS_PAGE, body: &Form::Free }),
    ("ListPaylinks", Forms { answer: &PAYLINK_PAGE, body: &Form::Free }),
    ("ListPayments", Forms { answer: &PAYMENT_PAGE, body: &Form::Free }),
    ("ListPayouts", Forms { answer: &PAYMENT_PAGE, body: &Form::Free }),
    ("ListPlans", Forms { answer: &PLAN_PAGE, body: &Form::Free }),
    ("ListQuotes", Forms { answer: &QUOTE_PAGE, body: &Form::Free }),
    ("ListRateHistory", Forms { answer: &Form::List(&HOURLY_RATE), body: &Form::Free }),
    ("ListRates", Forms { answer: &RATE_LIST, body: &Form::Free }),
    ("ListSavedViews", Forms { answer: &Form::List(&SAVED_VIEW), body: &Form::Free }),
    ("ListSubMerchants", Forms { answer: &SUB_MERCHANT_PAGE, body: &Form::Free }),
    ("ListSubscriptions", Forms { answer: &SUBSCRIPTION_PAGE, body: &Form::Free }),
    ("ListTradableAssets", Forms { answer: &Form::List(&TRADABLE_ASSET), body: &Form::Free }),
    ("ListUnsweptProxies", Forms { answer: &UNSWEPT_PROXY_LIST, body: &Form::Free }),
    ("ListWalletLinks", Forms { answer: &Form::List(&WALLET_LINK_TEMPLATE), body: &Form::Free }),
    ("MaintainBalance", Forms { answer: &MAINTAINED_BALANCE, body: &MAINTAIN_BALANCE_BODY }),
    ("OpenInvitation", Forms { answer: &INVITATION, body: &OPEN_INVITATION_BODY }),
    ("PauseSubscription", Forms { answer: &SUBSCRIPTION, body: &Form::Free }),
    ("PayFromTestWallet", Forms { answer: &CHECKOUT_PAYMENT, body: &PAY_FROM_TEST_WALLET_BODY }),
    ("ProveOwnership", Forms { answer: &ACCOUNT, body: &PROVE_OWNERSHIP_BODY }),
    ("RaiseTransactionFee", Forms { answer: &OUTGOING_TRANSACTION, body: &RAISE_TRANSACTION_FEE_BODY }),
    ("RefundPayment", Forms { answer: &PAYMENT, body: &REFUND_PAYMENT_BODY }),
    ("RefuseOrder", Forms { answer: &QUICK_TRADE, body: &REFUSE_ORDER_BODY }),
    ("RefusePayout", Forms { answer: &PAYMENT, body: &Form::Free }),
    ("RejectQuote", Forms { answer: &QUOTE, body: &Form::Free }),
    ("RemoveMember", Forms { answer: &MEMBER, body: &Form::Free }),
    ("ReorganiseChain", Forms { answer: &CRYPTO_TRANSACTION, body: &REORGANISE_CHAIN_BODY }),
    ("RequestQuote", Forms { answer: &QUOTE, body: &Form::Free }),
    ("RestoreWalletLinks", Forms { answer: &Form::List(&WALLET_LINK_TEMPLATE), body: &Form::Free }),
    ("ResumeSubscription", Forms { answer: &SUBSCRIPTION, body: &Form::Free }),
    ("RetryEvent", Forms { answer: &EVENT, body: &Form::Free }),
    ("RevokeApiKey", Forms { answer: &API_KEY, body: &Form::Free }),
    ("RotateSigningSecret", Forms { answer: &SIGNING_SECRET, body: &ROTATE_SIGNING_SECRET_BODY }),
    ("RotateWebhookKey", Forms { answer: &ORGANISATION, body: &ROTATE_WEBHOOK_KEY_BODY }),
    ("SetPrice", Forms { answer: &SIMULATED_PRICE, body: &SET_PRICE_BODY }),
    ("StartCheckout", Forms { answer: &CHECKOUT_PAYMENT, body: &START_CHECKOUT_BODY }),
    ("SwitchOrganisation", Forms { answer: &SESSION, body: &SWITCH_ORGANISATION_BODY }),
    ("UpdateAutomation", Forms { answer: &AUTOMATION, body: &UPDATE_AUTOMATION_BODY }),
    ("UpdateCustomer", Forms { answer: &CUSTOMER, body: &UPDATE_CUSTOMER_BODY }),
    ("UpdateInstallationChain", Forms { answer: &INSTALLATION_CHAIN, body: &UPDATE_INSTALLATION_CHAIN_BODY }),
    ("UpdateMember", Forms { answer: &MEMBER, body: &UPDATE_MEMBER_BODY }),
    ("UpdateOrganisation", Forms { answer: &ORGANISATION, body: &UPDATE_ORGANISATION_BODY }),
    ("UpdatePassword", Forms { answer: &SESSION, body: &UPDATE_PASSWORD_BODY }),
    ("UpdatePaylinks", Forms { answer: &Form::List(&PAYLINK), body: &UPDATE_PAYLINKS_BODY }),
    ("UpdateSavedView", Forms { answer: &SAVED_VIEW, body: &UPDATE_SAVED_VIEW_BODY }),
    ("UpdateVirtualAccount", Forms { answer: &ACCOUNT, body: &UPDATE_VIRTUAL_ACCOUNT_BODY }),
];
