//! Partners and their sub-merchants.

mod get_partner_account;
mod list_partner_balances;
mod list_sub_merchants;
mod on_behalf;
