// Printed from the catalogue of settlekit-core by `pkg/tests/typescript.rs`. Not written by hand.

use crate::form::{Field, Form};

static ACCOUNT: Form = Form::Record(&[
    Field::may("account_number", &Form::List(&Form::Text)),
    Field::must("account_type", &Form::Text),
    Field::may("address", &Form::Text),
    Field::may("chain", &CHAIN),
    Field::may("chain_id", &Form::Integer),
    Field::must("created_at", &Form::Moment),
    Field::may("created_by", &Form::Text),
    Field::must("currencies", &Form::List(&Form::Text)),
    Field::may("deleted_at", &Form::Moment),
    Field::may("deposit_splits", &Form::List(&DEPOSIT_SPLIT)),
    Field::must("enabled", &Form::Flag),
    Field::must("id", &Form::Integer),
    Field::may("name", &Form::Text),
    Field::must("org_id", &Form::Text),
    Field::may("parent", &ACCOUNT_SUMMARY),
    Field::may("parent_id", &Form::Integer),
    Field::may("payin_fee_pct", &Form::Exact),
    Field::may("payout_fee_pct", &Form::Exact),
    Field::may("properties", &Form::Free),
    Field::must("provider", &Form::Text),
    Field::may("reference", &Form::Text),
    Field::may("sort_code", &Form::List(&Form::Text)),
    Field::must("state", &Form::Text),
    Field::may("sub_accounts", &Form::List(&ACCOUNT_SUMMARY)),
    Field::must("updated_at", &Form::Moment),
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
    Field::must("created_at", &Form::Moment),
    Field::may("expires_at", &Form::Moment),
    Field::must("id", &Form::Text),
    Field::may("key", &Form::Text),
    Field::may("last_used_at", &Form::Moment),
    Field::must("name", &Form::Text),
    Field::must("prefix", &Form::Text),
    Field::may("revoked_at", &Form::Moment),
    Field::must("scopes", &Form::List(&Form::Text)),
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
    Field::must("sent_at", &Form::Moment),
    Field::may("status", &Form::Integer),
    Field::must("url", &Form::Text),
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
static CHAIN: Form = Form::Record(&[
    Field::must("id", &Form::Integer),
    Field::must("name", &Form::Text),
    Field::must("native_currency_symbol", &Form::Text),
]);
static CHAIN_DETAIL: Form = Form::Record(&[
    Field::must("assets", &Form::List(&ASSET)),
    Field::must("block_seconds", &Form::Integer),
    Field::must("confirmations_required", &Form::Integer),
    Field::must("family", &Form::Text),
    Field::must("id", &Form::Integer),
    Field::must("name", &Form::Text),
    Field::must("native_currency_symbol", &Form::Text),
]);
static CHECKOUT: Form = Form::Record(&[
    Field::may("after_completion", &AFTER_COMPLETION),
    Field::must("amount", &Form::Amount),
    Field::must("collect", &COLLECT),
    Field::must("currency", &Form::Text),
    Field::may("description", &Form::Text),
    Field::may("expires_at", &Form::Moment),
    Field::may("image_url", &Form::Text),
    Field::must("merchant", &MERCHANT),
    Field::must("name", &Form::Text),
    Field::must("options", &Form::List(&CHECKOUT_OPTION)),
    Field::must("paylink_id", &Form::Text),
    Field::must("sandbox", &Form::Flag),
    Field::must("state", &Form::Text),
]);
static CHECKOUT_OPTION: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::must("chain", &CHAIN),
    Field::must("currency", &Form::Text),
]);
static CHECKOUT_PAYMENT: Form = Form::Record(&[
    Field::must("address", &Form::Text),
    Field::may("after_completion", &AFTER_COMPLETION),
    Field::must("amount", &Form::Amount),
    Field::must("chain", &CHAIN),
    Field::must("confirmations", &Form::Integer),
    Field::must("confirmations_required", &Form::Integer),
    Field::must("currency", &Form::Text),
    Field::must("expires_at", &Form::Moment),
    Field::must("paid_amount", &Form::Amount),
    Field::may("paylink_id", &Form::Text),
    Field::must("payment_id", &Form::Text),
    Field::must("payment_uri", &Form::Text),
    Field::must("qr", &QR_CODE),
    Field::may("reason", &Form::Text),
    Field::must("sandbox", &Form::Flag),
    Field::must("server_time", &Form::Moment),
    Field::must("status", &Form::Text),
    Field::may("transaction_hash", &Form::Text),
]);
static CLOCK: Form = Form::Record(&[
    Field::must("ahead_seconds", &Form::Integer),
    Field::must("now", &Form::Moment),
]);
static COLLECT: Form = Form::Record(&[
    Field::must("customer_ident", &Form::Flag),
    Field::must("shipping_address", &Form::Flag),
    Field::must("tax_ident", &Form::Flag),
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
]);
static CREATE_API_KEY_BODY: Form = Form::Record(&[
    Field::may("expires_at", &Form::Moment),
    Field::must("name", &Form::Text),
    Field::may("scopes", &Form::List(&Form::Text)),
]);
static CREATE_DEPOSIT_BODY: Form = Form::Record(&[
    Field::must("account", &Form::Free),
    Field::must("amount", &Form::Amount),
    Field::must("chain_id", &Form::Integer),
    Field::must("currency", &Form::Text),
]);
static CREATE_PAYLINK_BODY: Form = Form::Record(&[
    Field::may("account_ids", &Form::List(&Form::Integer)),
    Field::may("account_ref", &Form::Text),
    Field::may("after_completion", &AFTER_COMPLETION),
    Field::must("amount", &Form::Amount),
    Field::may("available_quantity", &Form::Integer),
    Field::must("currency", &Form::Text),
    Field::may("description", &Form::Text),
    Field::may("expires_at", &Form::Moment),
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
static CREATE_SESSION_BODY: Form = Form::Record(&[
    Field::must("email", &Form::Text),
    Field::must("password", &Form::Text),
]);
static CREATE_STEP_UP_BODY: Form = Form::Record(&[
    Field::must("password", &Form::Text),
]);
static CRYPTO_TRANSACTION: Form = Form::Record(&[
    Field::must("chain_id", &Form::Integer),
    Field::may("confirmations", &Form::Integer),
    Field::must("created_at", &Form::Moment),
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
    Field::must("transaction_hash", &Form::Text),
    Field::may("transfer_logs", &Form::List(&TRANSFER_LOG)),
    Field::must("type", &Form::Text),
    Field::must("updated_at", &Form::Moment),
    Field::must("value", &Form::Amount),
]);
static CUSTOMER: Form = Form::Record(&[
    Field::must("created_at", &Form::Moment),
    Field::may("deleted_at", &Form::Moment),
    Field::may("email", &Form::Text),
    Field::must("id", &Form::Text),
    Field::may("metadata", &Form::Free),
    Field::may("name", &Form::Text),
    Field::must("org_id", &Form::Text),
    Field::may("phone", &Form::Text),
    Field::may("properties", &Form::Free),
    Field::may("reference", &Form::Text),
    Field::must("updated_at", &Form::Moment),
    Field::may("wallet_address", &Form::Text),
]);
static CUSTOMER_ITEM: Form = Form::Record(&[
    Field::must("created_at", &Form::Moment),
    Field::may("customer_ident", &Form::Text),
    Field::may("email", &Form::Text),
    Field::must("guest", &Form::Flag),
    Field::must("id", &Form::Text),
    Field::must("is_deleted", &Form::Flag),
    Field::may("last_payment_date", &Form::Moment),
    Field::may("metadata", &Form::Free),
    Field::may("name", &Form::Text),
    Field::must("organisation_id", &Form::Text),
    Field::must("payments_count", &Form::Integer),
    Field::may("phone", &Form::Text),
    Field::may("properties", &Form::Free),
    Field::must("updated_at", &Form::Moment),
    Field::may("wallet_address", &Form::Text),
]);
static DAY_VOLUME: Form = Form::Record(&[
    Field::must("count", &Form::Integer),
    Field::must("date", &Form::Text),
    Field::must("in_usd", &Form::Amount),
    Field::must("out_usd", &Form::Amount),
]);
static DEPOSIT: Form = Form::Record(&[
    Field::must("account_id", &Form::Integer),
    Field::must("amount", &Form::Amount),
    Field::must("chain_id", &Form::Integer),
    Field::must("created_at", &Form::Moment),
    Field::must("currency", &Form::Text),
    Field::must("transaction_hash", &Form::Text),
]);
static DEPOSIT_SPLIT: Form = Form::Record(&[
    Field::may("account_id", &Form::Integer),
    Field::may("account_ref", &Form::Text),
    Field::may("address", &Form::Text),
    Field::must("pct", &Form::Amount),
]);
static EVENT: Form = Form::Record(&[
    Field::must("action", &Form::Text),
    Field::must("data", &Form::Free),
    Field::may("delivery_status", &Form::Text),
    Field::must("display_id", &Form::Text),
    Field::must("event_id", &Form::Integer),
    Field::must("id", &Form::Text),
    Field::must("timestamp", &Form::Moment),
    Field::must("type", &Form::Text),
    Field::may("webhook_request", &Form::Text),
    Field::may("webhook_response", &Form::Text),
    Field::may("webhook_response_error", &Form::Text),
    Field::may("webhook_response_status", &Form::Integer),
    Field::may("webhook_sent_at", &Form::Moment),
    Field::may("webhook_url", &Form::Text),
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
static MERCHANT: Form = Form::Record(&[
    Field::may("logo_url", &Form::Text),
    Field::must("name", &Form::Text),
]);
static MOVEMENT: Form = Form::Record(&[
    Field::must("account_id", &Form::Integer),
    Field::may("account_reference", &Form::Text),
    Field::must("amount", &Form::Amount),
    Field::may("chain", &CHAIN),
    Field::may("confirmed_at", &Form::Moment),
    Field::must("created_at", &Form::Moment),
    Field::must("currency", &Form::Text),
    Field::must("direction", &Form::Text),
    Field::may("entity_id", &Form::Text),
    Field::may("fee", &Form::Amount),
    Field::may("fee_currency", &Form::Text),
    Field::may("from_address", &Form::Text),
    Field::must("id", &Form::Integer),
    Field::must("status", &Form::Text),
    Field::may("to_address", &Form::Text),
    Field::may("transaction_hash", &Form::Text),
    Field::must("type", &Form::Text),
]);
static NAMED_COMPANY: Form = Form::Record(&[
    Field::may("companyName", &Form::Text),
]);
static ORGANISATION: Form = Form::Record(&[
    Field::must("created_at", &Form::Moment),
    Field::must("id", &Form::Text),
    Field::may("logo_url", &Form::Text),
    Field::must("name", &Form::Text),
    Field::may("owner_user_id", &Form::Text),
    Field::may("partner_id", &Form::Text),
    Field::may("properties", &ORGANISATION_PROPERTIES),
    Field::must("updated_at", &Form::Moment),
    Field::may("v1", &Form::Free),
    Field::may("webhook_public_key", &Form::Text),
    Field::may("webhook_url", &Form::Text),
]);
static ORGANISATION_PROPERTIES: Form = Form::Record(&[
    Field::may("currency", &Form::Text),
    Field::may("email_notification_options", &Form::Free),
    Field::may("fee_payer", &Form::Text),
    Field::may("forwarded_email_recipients", &Form::List(&Form::Text)),
    Field::may("is_suspended", &Form::Flag),
    Field::may("kyb", &KYB),
    Field::may("kyc", &KYC),
    Field::may("suspension_type", &Form::Text),
    Field::may("underpay_thresholds", &UNDERPAY_THRESHOLDS),
]);
static OVERVIEW: Form = Form::Record(&[
    Field::must("balances", &Form::List(&OVERVIEW_BALANCE)),
    Field::must("deliveries_failed", &Form::Integer),
    Field::must("deliveries_pending", &Form::Integer),
    Field::must("movements_pending", &Form::Integer),
    Field::must("paylinks_active", &Form::Integer),
    Field::must("payments_processing", &Form::Integer),
    Field::must("revision", &Form::Integer),
    Field::must("total_usd", &Form::Amount),
    Field::must("volume", &Form::List(&DAY_VOLUME)),
]);
static OVERVIEW_BALANCE: Form = Form::Record(&[
    Field::may("amount_usd", &Form::Amount),
    Field::must("available", &Form::Amount),
    Field::must("chain", &CHAIN),
    Field::must("currency", &Form::Text),
    Field::must("posted", &Form::Amount),
    Field::must("reserved", &Form::Amount),
]);
static PAGE: Form = Form::Record(&[
    Field::must("items", &Form::List(&ACCOUNT)),
    Field::may("last_update", &Form::Moment),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAGE2: Form = Form::Record(&[
    Field::must("items", &Form::List(&MOVEMENT)),
    Field::may("last_update", &Form::Moment),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAGE3: Form = Form::Record(&[
    Field::must("items", &Form::List(&API_KEY)),
    Field::may("last_update", &Form::Moment),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAGE4: Form = Form::Record(&[
    Field::must("items", &Form::List(&CUSTOMER_ITEM)),
    Field::may("last_update", &Form::Moment),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAGE5: Form = Form::Record(&[
    Field::must("items", &Form::List(&EVENT)),
    Field::may("last_update", &Form::Moment),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAGE6: Form = Form::Record(&[
    Field::must("items", &Form::List(&PAYLINK)),
    Field::may("last_update", &Form::Moment),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAGE7: Form = Form::Record(&[
    Field::must("items", &Form::List(&PAYMENT)),
    Field::may("last_update", &Form::Moment),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAGE8: Form = Form::Record(&[
    Field::must("items", &Form::List(&PLAN)),
    Field::may("last_update", &Form::Moment),
    Field::may("next", &Form::Integer),
    Field::must("total", &Form::Integer),
]);
static PAY_FROM_TEST_WALLET_BODY: Form = Form::Record(&[
    Field::may("amount", &Form::Amount),
]);
static PAYLINK: Form = Form::Record(&[
    Field::may("after_completion", &AFTER_COMPLETION),
    Field::must("created_at", &Form::Moment),
    Field::may("created_by", &Form::Text),
    Field::must("customer_ident_collection", &Form::Flag),
    Field::may("deleted_at", &Form::Moment),
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
    Field::must("tax_ident_collection", &Form::Flag),
    Field::must("updated_at", &Form::Moment),
    Field::may("updated_by", &Form::Text),
    Field::must("url", &Form::Text),
]);
static PAYMENT: Form = Form::Record(&[
    Field::must("amount", &Form::Amount),
    Field::may("amount_usd", &Form::Amount),
    Field::may("cf_headers", &Form::Free),
    Field::may("chain_id", &Form::Integer),
    Field::must("created_at", &Form::Moment),
    Field::may("crypto_transaction", &TRANSACTION_SUMMARY),
    Field::may("crypto_transactions", &Form::List(&CRYPTO_TRANSACTION)),
    Field::must("currency", &Form::Text),
    Field::may("customer", &CUSTOMER),
    Field::may("customer_id", &Form::Text),
    Field::may("deposit_address", &Form::Text),
    Field::may("expires_at", &Form::Moment),
    Field::may("from_account", &ACCOUNT_SUMMARY),
    Field::must("id", &Form::Text),
    Field::may("invoice_id", &Form::Text),
    Field::may("metadata", &Form::Free),
    Field::may("next_action", &Form::Text),
    Field::must("org_id", &Form::Text),
    Field::must("paid_amount", &Form::Amount),
    Field::may("parent_id", &Form::Text),
    Field::may("payment_link", &PAYLINK),
    Field::must("payment_method", &Form::Text),
    Field::may("payout_splits", &Form::List(&PAYOUT_SPLIT)),
    Field::may("properties", &Form::Free),
    Field::may("reason", &Form::Text),
    Field::may("reference", &Form::Text),
    Field::may("scheduled_time", &Form::Integer),
    Field::may("sender_address", &Form::Text),
    Field::may("settlement_transaction", &TRANSACTION_SUMMARY),
    Field::may("source", &Form::Text),
    Field::must("status", &Form::Text),
    Field::may("timeline", &Form::List(&TIMELINE_ENTRY)),
    Field::may("to_account", &ACCOUNT_SUMMARY),
    Field::must("updated_at", &Form::Moment),
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
    Field::must("created_at", &Form::Moment),
    Field::may("created_by", &Form::Text),
    Field::must("currency", &Form::Text),
    Field::may("deleted_at", &Form::Moment),
    Field::may("description", &Form::Text),
    Field::must("enabled", &Form::Flag),
    Field::may("expires_at", &Form::Moment),
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
    Field::must("updated_at", &Form::Moment),
]);
static QR_CODE: Form = Form::Record(&[
    Field::must("path", &Form::Text),
    Field::must("size", &Form::Integer),
]);
static SESSION: Form = Form::Record(&[
    Field::must("csrf_token", &Form::Text),
    Field::must("expires_at", &Form::Moment),
    Field::must("org_id", &Form::Text),
    Field::must("org_name", &Form::Text),
    Field::must("sandbox", &Form::Flag),
    Field::must("user", &USER),
]);
static SIGNING_SECRET: Form = Form::Record(&[
    Field::must("created_at", &Form::Moment),
    Field::must("id", &Form::Text),
    Field::may("logo_url", &Form::Text),
    Field::must("name", &Form::Text),
    Field::may("owner_user_id", &Form::Text),
    Field::may("partner_id", &Form::Text),
    Field::must("signing_secret", &Form::Text),
    Field::must("updated_at", &Form::Moment),
    Field::may("webhook_public_key", &Form::Text),
    Field::may("webhook_url", &Form::Text),
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
static STEP_UP: Form = Form::Record(&[
    Field::must("expires_at", &Form::Moment),
    Field::must("token", &Form::Text),
]);
static TIMELINE_ENTRY: Form = Form::Record(&[
    Field::must("at", &Form::Moment),
    Field::must("status", &Form::Text),
]);
static TRANSACTION_SUMMARY: Form = Form::Record(&[
    Field::must("chain_id", &Form::Integer),
    Field::must("created_at", &Form::Moment),
    Field::must("payment_id", &Form::Text),
    Field::must("status", &Form::Text),
    Field::must("transaction_hash", &Form::Text),
    Field::must("type", &Form::Text),
    Field::must("updated_at", &Form::Moment),
]);
static TRANSFER_LOG: Form = Form::Record(&[
    Field::must("address", &Form::Text),
    Field::must("recipient", &Form::Text),
    Field::must("sender", &Form::Text),
    Field::must("value", &Form::Text),
]);
static UNDERPAY_THRESHOLDS: Form = Form::Record(&[
    Field::may("underpay_tolerance_amount", &Form::Exact),
    Field::may("underpay_tolerance_currency", &Form::Text),
    Field::may("underpay_tolerance_usd", &Form::Exact),
]);
static UPDATE_ORGANISATION_BODY: Form = Form::Record(&[
    Field::may("currency", &Form::Text),
    Field::may("email_notification_options", &Form::Free),
    Field::may("fee_payer", &Form::Text),
    Field::may("forwarded_email_recipients", &Form::List(&Form::Text)),
    Field::may("logo_url", &Form::Text),
    Field::may("name", &Form::Text),
    Field::may("underpay_thresholds", &UNDERPAY_THRESHOLDS),
    Field::may("webhook_url", &Form::Text),
]);
static USER: Form = Form::Record(&[
    Field::must("email", &Form::Text),
    Field::must("id", &Form::Text),
    Field::must("name", &Form::Text),
]);

pub(crate) fn answer(operation: &str) -> &'static Form {
    match operation {
        "AdvanceClock" => const { &CLOCK },
        "CancelPayment" => const { &PAYMENT },
        "CreateAccount" => const { &ACCOUNT },
        "CreateApiKey" => const { &API_KEY },
        "CreateDeposit" => const { &DEPOSIT },
        "CreatePaylink" => const { &PAYLINK },
        "CreatePayment" => const { &PAYMENT },
        "CreateSession" => const { &SESSION },
        "CreateStepUp" => const { &STEP_UP },
        "DeletePaylink" => const { &Form::Text },
        "DeleteSession" => const { &Form::Text },
        "GetAccount" => const { &ACCOUNT },
        "GetCheckout" => const { &CHECKOUT },
        "GetCheckoutPayment" => const { &CHECKOUT_PAYMENT },
        "GetEvent" => const { &EVENT },
        "GetOrganisation" => const { &ORGANISATION },
        "GetOverview" => const { &OVERVIEW },
        "GetPartnerAccount" => const { &ACCOUNT },
        "GetPaylink" => const { &PAYLINK },
        "GetPayment" => const { &PAYMENT },
        "GetSession" => const { &SESSION },
        "GetSigningSecret" => const { &SIGNING_SECRET },
        "ListAccounts" => const { &PAGE },
        "ListApiKeys" => const { &PAGE3 },
        "ListAttempts" => const { &Form::List(&ATTEMPT) },
        "ListChains" => const { &Form::List(&CHAIN_DETAIL) },
        "ListCustomers" => const { &PAGE4 },
        "ListEvents" => const { &PAGE5 },
        "ListMovements" => const { &PAGE2 },
        "ListPartnerBalances" => const { &BALANCES },
        "ListPaylinks" => const { &PAGE6 },
        "ListPayments" => const { &PAGE7 },
        "ListPlans" => const { &PAGE8 },
        "PayFromTestWallet" => const { &CHECKOUT_PAYMENT },
        "RetryEvent" => const { &EVENT },
        "RevokeApiKey" => const { &API_KEY },
        "RotateWebhookKey" => const { &ORGANISATION },
        "StartCheckout" => const { &CHECKOUT_PAYMENT },
        "UpdateOrganisation" => const { &ORGANISATION },
        _ => &Form::Free,
    }
}

pub(crate) fn body(operation: &str) -> &'static Form {
    match operation {
        "AdvanceClock" => const { &ADVANCE_CLOCK_BODY },
        "CancelPayment" => const { &Form::Free },
        "CreateAccount" => const { &CREATE_ACCOUNT_BODY },
        "CreateApiKey" => const { &CREATE_API_KEY_BODY },
        "CreateDeposit" => const { &CREATE_DEPOSIT_BODY },
        "CreatePaylink" => const { &CREATE_PAYLINK_BODY },
        "CreatePayment" => const { &CREATE_PAYMENT_BODY },
        "CreateSession" => const { &CREATE_SESSION_BODY },
        "CreateStepUp" => const { &CREATE_STEP_UP_BODY },
        "DeletePaylink" => const { &Form::Free },
        "DeleteSession" => const { &Form::Free },
        "GetAccount" => const { &Form::Free },
        "GetCheckout" => const { &Form::Free },
        "GetCheckoutPayment" => const { &Form::Free },
        "GetEvent" => const { &Form::Free },
        "GetOrganisation" => const { &Form::Free },
        "GetOverview" => const { &Form::Free },
        "GetPartnerAccount" => const { &Form::Free },
        "GetPaylink" => const { &Form::Free },
        "GetPayment" => const { &Form::Free },
        "GetSession" => const { &Form::Free },
        "GetSigningSecret" => const { &Form::Free },
        "ListAccounts" => const { &Form::Free },
        "ListApiKeys" => const { &Form::Free },
        "ListAttempts" => const { &Form::Free },
        "ListChains" => const { &Form::Free },
        "ListCustomers" => const { &Form::Free },
        "ListEvents" => const { &Form::Free },
        "ListMovements" => const { &Form::Free },
        "ListPartnerBalances" => const { &Form::Free },
        "ListPaylinks" => const { &Form::Free },
        "ListPayments" => const { &Form::Free },
        "ListPlans" => const { &Form::Free },
        "PayFromTestWallet" => const { &PAY_FROM_TEST_WALLET_BODY },
        "RetryEvent" => const { &Form::Free },
        "RevokeApiKey" => const { &Form::Free },
        "RotateWebhookKey" => const { &Form::Free },
        "StartCheckout" => const { &START_CHECKOUT_BODY },
        "UpdateOrganisation" => const { &UPDATE_ORGANISATION_BODY },
        _ => &Form::Free,
    }
}
