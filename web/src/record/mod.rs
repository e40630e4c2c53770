//! Records in words: what a page or a form says of an account, an order, a plan. A list may be named here, no page and no form.

pub(crate) mod account;
pub(crate) mod customer;
pub(crate) mod invoice;
pub(crate) mod order;
pub(crate) mod plan;
