//! What the reader goes to, one file each, named as the reader sees it.

pub(crate) mod account;
pub(crate) mod accounts;
pub(crate) mod api_keys;
pub(crate) mod appearance;
pub(crate) mod create_account;
pub(crate) mod create_paylink;
pub(crate) mod create_payout;
pub(crate) mod customers;
pub(crate) mod edit_paylinks;
pub(crate) mod events;
pub(crate) mod external_accounts;
pub(crate) mod invoices;
pub(crate) mod movements;
pub(crate) mod organisation;
pub(crate) mod overview;
pub(crate) mod paylinks;
pub(crate) mod payments;
pub(crate) mod payouts;
pub(crate) mod plans;
pub(crate) mod settings;
pub(crate) mod sign_in;
pub(crate) mod signing_secret;
pub(crate) mod subscriptions;
pub(crate) mod verify_webhook;
pub(crate) mod webhooks;
