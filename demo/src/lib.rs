//! The service in a browser's worker, with SQLite in browser storage (OPFS) and a year of demo data.
//!
//! Takes steps and returns replies like the sandbox of the npm package, but changes are stored. `page/worker.js` supplies the
//! clock and the randomness.

#![cfg(target_family = "wasm")]

use std::path::Path;

use js_sys::Function;
use settlekit_service::demo::{self, DemoState, EMAIL, PASSWORD};
use settlekit_service::step::Step;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Mode, Options, Seed, Service};
use sqlite_wasm_rs::WasmOsCallback;
use sqlite_wasm_vfs::sahpool::{OpfsSAHPoolCfgBuilder, install};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Folder of the database in the origin's private file system.
const FOLDER: &str = ".settlekit-demo";
const FILE: &str = "settlekit.db";

/// Number of file slots; more than the database and its journals need.
const SLOTS: usize = 6;

/// The demo's secrets are worthless and never leave this browser.
const MASTER_KEY: [u8; 32] = [7; 32];

/// A service with its database.
#[wasm_bindgen]
pub struct Demo {
    service: Service,
    database: Sqlite,
}

#[wasm_bindgen]
impl Demo {
    /// Opens the demo's database and migrates it; `fresh` deletes it first. Call it in a dedicated worker only, and in one
    /// worker at a time.
    ///
    /// # Errors
    /// A message for users.
    pub async fn open(public_url: String, fresh: bool) -> Result<Demo, String> {
        let pool = OpfsSAHPoolCfgBuilder::new()
            .directory(FOLDER)
            .initial_capacity(SLOTS)
            .clear_on_init(fresh)
            .build();
        install::<WasmOsCallback>(&pool, true)
            .await
            .map_err(|error| error.to_string())?;
        let database = Sqlite::open(Path::new(FILE)).map_err(|error| error.to_string())?;
        let options = Options {
            master_key: MASTER_KEY,
            mode: Mode::Sandbox,
            allow_private_webhooks: true,
            public_url,
        };
        Ok(Demo {
            service: Service::new(options),
            database,
        })
    }

    /// Creates a year of demo data up to `now` (RFC 3339) unless it exists; `progress` is called with the days done and in total.
    /// Returns whether it was created. The seed is 32 bytes.
    ///
    /// # Errors
    /// A message for users. Nothing is stored then.
    pub fn fill(&mut self, now: &str, seed: &[u8], progress: &Function) -> Result<bool, String> {
        let now = now
            .parse()
            .map_err(|error| format!("`now` is not an RFC 3339 timestamp: {error}"))?;
        let seed = Seed(seed.try_into().map_err(|_| "a seed is 32 bytes")?);
        let state = demo::state(&mut self.database).map_err(|error| error.to_string())?;
        if state == DemoState::Made {
            return Ok(false);
        }
        let mut report = |done: u32, of: u32| {
            // A failing callback does not stop the demo.
            let _result = progress.call2(&JsValue::NULL, &done.into(), &of.into());
        };
        demo::fill_at_once(&self.service, &mut self.database, now, seed, &mut report)
            .map_err(|error| error.to_string())?;
        Ok(true)
    }

    /// Executes one step; JSON in and out.
    ///
    /// # Errors
    /// A message about the malformed step.
    pub fn step(&mut self, step: &str) -> Result<String, String> {
        let step: Step = serde_json::from_str(step).map_err(|error| error.to_string())?;
        let reply = self.service.step(&mut self.database, &step);
        serde_json::to_string(&reply).map_err(|error| error.to_string())
    }

    /// E-mail address and password of the demo's user.
    #[must_use]
    pub fn visitor() -> Vec<String> {
        vec![EMAIL.to_owned(), PASSWORD.to_owned()]
    }
}
