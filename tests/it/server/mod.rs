//! The host: transactions under load and failure, HTTP at its edges, starting and stopping.

mod engine;
mod http;
