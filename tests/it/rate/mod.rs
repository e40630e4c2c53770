//! Exchange rates of a sandbox. Those of connected sources are in `prices`.

mod list_rate_history;
mod list_rates;
