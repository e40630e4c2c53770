//! The service in a browser's worker, over SQLite in the browser's own storage, with the demo year in it.
//!
//! Steps go in and replies come out as in the sandbox of the npm package; what they change lasts. No page, no clock and no
//! randomness belongs here: `page/worker.js` brings them.

#![cfg(target_family = "wasm")]

use std::path::Path;

use js_sys::Function;
use settlekit_service::demo::{self, EMAIL, PASSWORD, Standing};
use settlekit_service::step::Step;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Mode, Options, Seed, Service};
use sqlite_wasm_rs::WasmOsCallback;
use sqlite_wasm_vfs::sahpool::{OpfsSAHPoolCfgBuilder, install};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Where the database lies among the files of this origin.
const FOLDER: &str = ".settlekit-demo";
const FILE: &str = "settlekit.db";

/// The database and its journals need fewer slots than this.
const SLOTS: usize = 6;

/// What it protects is worth nothing and never leaves this browser.
const MASTER_KEY: [u8; 32] = [7; 32];

/// A service with its database.
#[wasm_bindgen]
pub struct Demo {
    service: Service,
    database: Sqlite,
}

#[wasm_bindgen]
impl Demo {
    /// Opens the demo of this origin and brings its database up to date; `fresh` forgets what was there. Only in a
    /// dedicated worker, and only in one at a time.
    ///
    /// # Errors
    /// Why there is none, for people.
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

    /// Makes the year before `now` (RFC 3339) unless it is there; `progress` is told the days done and how many there are.
    /// Gives whether it was made now. The seed is 32 bytes.
    ///
    /// # Errors
    /// Why it could not be made, for people; then nothing of it is there.
    pub fn fill(&mut self, now: &str, seed: &[u8], progress: &Function) -> Result<bool, String> {
        let now = now
            .parse()
            .map_err(|error| format!("the moment cannot be read: {error}"))?;
        let seed = Seed(seed.try_into().map_err(|_| "a seed is 32 bytes")?);
        let standing = demo::standing(&mut self.database).map_err(|error| error.to_string())?;
        if standing == Standing::Made {
            return Ok(false);
        }
        let mut told = |done: u32, of: u32| {
            // Whoever does not listen misses nothing but the telling.
            let _heard = progress.call2(&JsValue::NULL, &done.into(), &of.into());
        };
        demo::fill_at_once(&self.service, &mut self.database, now, seed, &mut told)
            .map_err(|error| error.to_string())?;
        Ok(true)
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

    /// Who signs in: e-mail address and password.
    #[must_use]
    pub fn visitor() -> Vec<String> {
        vec![EMAIL.to_owned(), PASSWORD.to_owned()]
    }
}
