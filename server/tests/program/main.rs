//! The program as a process: output, failures, state after a kill, alone and with other servers.

mod added_token;
mod alone;
mod authorizations;
mod books;
mod cancel;
mod chain_kills;
mod chainlink;
mod derived_addresses;
mod descriptors;
mod exchange_account;
mod hot_wallet;
mod keys;
mod load;
mod members;
mod mode;
mod own_wallet;
mod place;
mod prices;
mod real_chain;
mod secrets;
mod several;
mod token_faults;
mod trade;
mod venue;
mod watching;
mod young_chain;
