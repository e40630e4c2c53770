//! Partners and their sub-merchants.

mod get_partner_account;
mod list_sub_merchants;
mod on_behalf;
