//! Views of records shared by pages and forms: names, status, rates. May use `list`, but no page and no form.

pub(crate) mod account;
pub(crate) mod customer;
pub(crate) mod invoice;
pub(crate) mod order;
pub(crate) mod paylink;
pub(crate) mod payment;
pub(crate) mod payout;
pub(crate) mod plan;
pub(crate) mod quote_terms;
