//! External accounts.

mod create_external_account;
