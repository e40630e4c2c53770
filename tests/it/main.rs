//! What needs more than one crate to test.

mod accounts;
mod automations;
mod catalogue;
mod checkout;
mod customers;
mod delivery;
mod demo;
mod documents;
mod find;
mod golden;
mod journey;
mod language;
mod model;
mod paylinks;
mod payouts;
mod processes;
mod quantity;
mod records;
mod replays;
mod server;
mod store;
mod subscriptions;
mod terms;
mod tidy;
mod trading;
