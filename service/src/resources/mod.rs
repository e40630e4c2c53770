//! The resources of the contract: handlers of the operations, and rules that several operations share.

pub(crate) mod account;
pub(crate) mod api_key;
pub(crate) mod automation;
pub(crate) mod chain;
pub(crate) mod checkout;
pub(crate) mod customer;
pub(crate) mod event;
pub(crate) mod external_account;
pub(crate) mod find;
pub(crate) mod installation;
pub(crate) mod invoice;
pub(crate) mod member;
pub(crate) mod organisation;
pub(crate) mod overview;
pub(crate) mod partner;
pub(crate) mod paylink;
pub(crate) mod payment;
pub(crate) mod payout;
pub(crate) mod plan;
pub(crate) mod quote;
pub(crate) mod rate;
pub(crate) mod session;
pub(crate) mod signed_transfer;
pub(crate) mod subscription;
pub(crate) mod trade;
pub(crate) mod x402;
