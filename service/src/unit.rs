//! One unit of work: what an operation has in hand while it runs.

use std::time::Duration;

use http::header::HeaderName;
use settlekit_core::value::Timestamp;

use crate::random::Random;
use crate::store::sql::Database;
use crate::{Options, Service};

/// The database in a transaction, the moment, the random bytes, and what goes with the answer.
pub(crate) struct Unit<'a> {
    pub(crate) service: &'a Service,
    pub(crate) database: &'a mut dyn Database,
    /// The moment of this call; it does not move while the call runs.
    pub(crate) now: Timestamp,
    pub(crate) random: Random,
    /// Headers that the answer carries besides its own.
    pub(crate) headers: Vec<(HeaderName, String)>,
    /// What could not take its step, for whoever runs the service.
    pub(crate) troubles: Vec<String>,
}

impl<'a> Unit<'a> {
    pub(crate) fn new(
        service: &'a Service,
        database: &'a mut dyn Database,
        now: Timestamp,
        random: Random,
    ) -> Self {
        Self {
            service,
            database,
            now,
            random,
            headers: Vec::new(),
            troubles: Vec::new(),
        }
    }

    /// How the service is set up.
    pub(crate) fn options(&self) -> &'a Options {
        &self.service.options
    }

    /// Whether a moment lies before today, wherever on earth that is asked.
    pub(crate) fn is_before_today(&self, moment: Timestamp) -> bool {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        moment < self.now.minus(DAY)
    }

    /// Random bytes for a new id.
    pub(crate) fn id_bytes(&mut self) -> [u8; 10] {
        self.random.bytes()
    }
}
