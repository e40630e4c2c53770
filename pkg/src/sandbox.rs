//! The whole service in the caller's process: rules, ledger and SQLite, with the clock in the caller's hand.
//!
//! One handle, one way in: a step (the service's calls as data) goes in as JSON and its reply comes out as JSON. Routes,
//! secrets and webhooks are the service's own; nothing here imitates them.

use settlekit_service::step::Step;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Options, Service};
use wasm_bindgen::prelude::wasm_bindgen;

/// A service with its database.
#[wasm_bindgen]
pub struct Sandbox {
    service: Service,
    database: Sqlite,
}

#[wasm_bindgen]
impl Sandbox {
    /// A sandbox over an empty database, or over the image of one; `master_key` is 32 bytes.
    ///
    /// # Errors
    /// Why there is none, for people.
    #[wasm_bindgen(constructor)]
    pub fn new(master_key: &[u8], public_url: String, image: &[u8]) -> Result<Sandbox, String> {
        let options = Options {
            master_key: master_key
                .try_into()
                .map_err(|_| "a master key is 32 bytes")?,
            sandbox: true,
            allow_private_webhooks: true,
            public_url,
        };
        let database = if image.is_empty() {
            Sqlite::in_memory()
        } else {
            Sqlite::deserialize(image)
        };
        let database = database.map_err(|error| format!("{error:?}"))?;
        Ok(Sandbox {
            service: Service::new(options),
            database,
        })
    }

    /// Carries out one step, JSON in and JSON out.
    ///
    /// # Errors
    /// What is wrong with the step, for people.
    pub fn step(&mut self, step: &str) -> Result<String, String> {
        let step: Step = serde_json::from_str(step).map_err(|error| error.to_string())?;
        let reply = self.service.step(&mut self.database, &step);
        serde_json::to_string(&reply).map_err(|error| error.to_string())
    }

    /// The database as bytes, from which another sandbox can start.
    ///
    /// # Errors
    /// Why there are none, for people.
    pub fn image(&mut self) -> Result<Vec<u8>, String> {
        self.database
            .serialize()
            .map_err(|error| format!("{error:?}"))
    }
}
